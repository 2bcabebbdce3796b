import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import { type PDFDocument, PDFHexString, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib'
import type { Size } from './sheet-layout.ts'

const THERMAL_DPI = 203
/** A few kilobytes can claim any size, and each pixel takes 4 bytes of memory. */
const MAX_PIXELS = 100_000_000
const INCHES_PER_METRE = 1 / 0.0254

/** Returns the size in points by the resolution (`pHYs`), else at 203 dpi. */
export function pngSize(png: Buffer): Size | undefined {
  const [columns, rows] = dimensions(png) ?? []
  if (!columns || !rows || columns * rows > MAX_PIXELS) return undefined
  let [dpiX, dpiY] = [THERMAL_DPI, THERMAL_DPI]
  for (const { name, data } of chunks(png)) {
    if (name === 'IDAT') break
    // Unit 1 is the metre; 0 gives only the pixel's shape.
    if (name === 'pHYs' && data.length === 9 && data[8] === 1) {
      const [x, y] = [data.readUInt32BE(0), data.readUInt32BE(4)]
      if (x > 0 && y > 0) [dpiX, dpiY] = [x / INCHES_PER_METRE, y / INCHES_PER_METRE]
    }
  }
  return { width: (columns / dpiX) * 72, height: (rows / dpiY) * 72 }
}

/** Deflated pixels with PNG's filters, as a PDF takes them (PDF 32000-1, 7.4.4.4). */
interface StoredPixels {
  columns: number
  rows: number
  bits: number
  samples: number
  /** Three bytes a colour, if pixels are indexes. */
  palette: Buffer | undefined
  deflated: Buffer
}

/** Samples of a pixel by PNG's type of colour, without the types that have alpha. */
const SAMPLES: readonly (number | undefined)[] = [1, undefined, 3, 1]
const PALETTE_TYPE = 3

function dimensions(png: Buffer): [columns: number, rows: number] | undefined {
  if (png.length < 33 || png.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

function* chunks(png: Buffer) {
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (end + 4 > png.length) return
    yield { name: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) }
    at = end + 4
  }
}

const FILTERS = 5

/** Returns undefined for a PNG that needs the full decoder, which also names what is broken. */
export async function checkedPixels(png: Buffer): Promise<StoredPixels | undefined> {
  const [columns, rows] = dimensions(png) ?? []
  const [bits = 0, type = 0, ...ways] = png.subarray(24, 29)
  const samples = SAMPLES[type]
  if (!columns || !rows || samples === undefined || ways.some((way) => way !== 0)) return undefined
  const found = [...chunks(png)]
  if (found.at(-1)?.name !== 'IEND' || found.some(({ name }) => name === 'tRNS')) return undefined
  const palette = type === PALETTE_TYPE ? found.find(({ name }) => name === 'PLTE')?.data : undefined
  if (type === PALETTE_TYPE && !palette) return undefined
  const deflated = Buffer.concat(found.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  const stride = Math.ceil((columns * samples * bits) / 8) + 1
  // Spare room lets zlib find the end in one piece of memory.
  const limit = { maxOutputLength: stride * rows, chunkSize: stride * rows + 64 }
  const raw = await promisify(inflate)(deflated, limit).catch(() => undefined)
  if (raw?.length !== stride * rows) return undefined
  for (let at = 0; at < raw.length; at += stride) if ((raw[at] ?? 0) >= FILTERS) return undefined
  return { columns, rows, bits, samples, palette, deflated }
}

function embedPixels(target: PDFDocument, pixels: StoredPixels): PDFRef {
  const { columns, rows, bits, samples, palette, deflated } = pixels
  const { context } = target
  const indexed = palette && [
    'Indexed',
    'DeviceRGB',
    palette.length / 3 - 1,
    PDFHexString.of(palette.toString('hex')),
  ]
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Image',
    Width: columns,
    Height: rows,
    Filter: 'FlateDecode',
    ColorSpace: indexed ?? (samples === 1 ? 'DeviceGray' : 'DeviceRGB'),
    BitsPerComponent: bits,
    DecodeParms: { Predictor: 15, Columns: columns, Colors: samples, BitsPerComponent: bits },
  })
  return context.register(PDFRawStream.of(dict, deflated))
}

export async function embedPng(target: PDFDocument, png: Buffer): Promise<PDFRef> {
  const pixels = await checkedPixels(png)
  if (pixels) return embedPixels(target, pixels)
  const image = await target.embedPng(png)
  await image.embed()
  return image.ref
}
