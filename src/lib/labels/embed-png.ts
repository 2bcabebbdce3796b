import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import { greyPixels } from './png.ts'

/** Takes the pixels as they are, which skips unpacking and packing them; undefined if a PDF can't hold them so. */
export function embedGrey(
  lib: typeof import('@cantoo/pdf-lib'),
  { context }: PDFDocument,
  png: Buffer,
): PDFRef | undefined {
  const pixels = greyPixels(png)
  if (pixels === undefined) return undefined
  const { columns, rows, deflated } = pixels
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: columns,
    Height: rows,
    ColorSpace: 'DeviceGray',
    BitsPerComponent: 8,
    Filter: 'FlateDecode',
    DecodeParms: { Predictor: 15, Colors: 1, BitsPerComponent: 8, Columns: columns },
  })
  return context.register(lib.PDFRawStream.of(dict, deflated))
}

/** @throws Error if the PNG is broken */
export async function embedPng(target: PDFDocument, png: Uint8Array): Promise<PDFRef> {
  const image = await target.embedPng(png)
  await image.embed()
  return image.ref
}
