import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import type { StoredPixels } from './png.ts'

type PdfLib = typeof import('@cantoo/pdf-lib')

/** Takes the pixels as they are, which skips unpacking and packing them. */
export function embedPixels(lib: PdfLib, target: PDFDocument, pixels: StoredPixels): PDFRef {
  const { columns, rows, bits, samples, palette, deflated, alpha } = pixels
  const { context } = target
  const parms = { Predictor: 15, Columns: columns }
  const image = { Type: 'XObject', Subtype: 'Image', Width: columns, Height: rows, Filter: 'FlateDecode' }
  const mask =
    alpha &&
    context.obj({
      ...image,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
      DecodeParms: { ...parms, Colors: 1, BitsPerComponent: 8 },
    })
  const dict = context.obj({
    ...image,
    ColorSpace: palette ? indexed(lib, palette) : samples === 1 ? 'DeviceGray' : 'DeviceRGB',
    BitsPerComponent: bits,
    DecodeParms: { ...parms, Colors: samples, BitsPerComponent: bits },
    ...(mask && { SMask: context.register(lib.PDFRawStream.of(mask, alpha)) }),
  })
  return context.register(lib.PDFRawStream.of(dict, deflated))
}

function indexed(lib: PdfLib, palette: Buffer) {
  return ['Indexed', 'DeviceRGB', palette.length / 3 - 1, lib.PDFHexString.of(palette.toString('hex'))]
}

/** By a full decoder. @throws Error if the PNG is broken */
export async function embedPng(target: PDFDocument, png: Uint8Array): Promise<PDFRef> {
  const image = await target.embedPng(png)
  await image.embed()
  return image.ref
}
