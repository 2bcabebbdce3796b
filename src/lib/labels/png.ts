import { promisify } from 'node:util'
import { constants, deflate, inflate } from 'node:zlib'
import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import type { Size } from './sheet-layout.ts'

/** Resolution of thermal printers, for images that give none. */
const THERMAL_DPI = 203
/** Limit of pixels, as a few kilobytes can claim any size and each pixel takes 4 bytes of memory. */
const MAX_PIXELS = 100_000_000
const INCHES_PER_METRE = 1 / 0.0254

/** Returns the size in points by the resolution (`pHYs`), else at 203 dpi, or undefined if unreadable. */
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
export interface StoredPixels {
  columns: number
  rows: number
  /** Bits of a sample. */
  bits: number
  /** Samples of a pixel. */
  samples: number
  /** Three bytes a colour, if pixels are indexes. */
  palette?: Buffer | undefined
  deflated: Buffer
  /** Eight bits a pixel, unless all pixels are opaque. */
  alpha?: Buffer | undefined
}

/** Samples of a pixel by PNG's type of colour. */
const SAMPLES: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4]
const PALETTE_TYPE = 3

/** Returns the unchecked pixels of a PNG, or undefined if it is interlaced or cut off. */
export function storedPixels(png: Buffer): StoredPixels | undefined {
  const [columns, rows] = dimensions(png) ?? []
  const [bits = 0, type = 0, ...ways] = png.subarray(24, 29)
  const samples = SAMPLES[type]
  if (!columns || !rows || samples === undefined || ways.some((way) => way !== 0)) return undefined
  const found = [...chunks(png)]
  // The full decoder handles transparency of one colour.
  if (found.at(-1)?.name !== 'IEND' || found.some(({ name }) => name === 'tRNS')) return undefined
  const palette = found.find(({ name }) => name === 'PLTE')?.data
  if (type === PALETTE_TYPE && palette === undefined) return undefined
  const deflated = Buffer.concat(found.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  return { columns, rows, bits, samples, ...(type === PALETTE_TYPE && { palette }), deflated }
}

function dimensions(png: Buffer): [columns: number, rows: number] | undefined {
  if (png.length < 33 || png.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return [png.readUInt32BE(16), png.readUInt32BE(20)]
}

/** Yields whole chunks, up to one that is cut off. */
function* chunks(png: Buffer): Generator<{ name: string; data: Buffer }> {
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (end + 4 > png.length) return
    yield { name: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) }
    at = end + 4
  }
}

/** Number of PNG's filters: None, Sub, Up, Average and Paeth. */
const FILTERS = 5
/** Better levels take three times as long for a tenth of the bytes, as labels are mostly white. */
const level = { level: constants.Z_BEST_SPEED }

/**
 * Returns checked pixels for a PDF, with alpha apart and grey as one sample. Returns undefined for a PNG that needs the
 * full decoder, which also names what is broken.
 */
export async function checkedPixels(png: Buffer): Promise<StoredPixels | undefined> {
  const stored = storedPixels(png)
  if (stored === undefined) return undefined
  const { columns, rows, bits, samples } = stored
  const stride = Math.ceil((columns * samples * bits) / 8) + 1
  // Spare room lets zlib find the end in one piece of memory.
  const limit = { maxOutputLength: stride * rows, chunkSize: stride * rows + 64 }
  const raw = await promisify(inflate)(stored.deflated, limit).catch(() => undefined)
  if (raw?.length !== stride * rows) return undefined
  for (let at = 0; at < raw.length; at += stride) if ((raw[at] ?? 0) >= FILTERS) return undefined
  const hasAlpha = samples % 2 === 0
  if (!hasAlpha) return stored
  return bits === 8 ? withoutAlpha(stored, raw) : undefined
}

/** Splits filtered rows into colours and alpha, which works because filters treat each sample alone. */
async function withoutAlpha({ columns, rows, samples }: StoredPixels, raw: Buffer): Promise<StoredPixels> {
  const pack = (bytes: Buffer): Promise<Buffer> => promisify(deflate)(bytes, level)
  const size = { columns, rows, bits: 8 }
  const grey = samples === 4 ? opaqueGreyIn(raw, columns) : undefined
  if (grey) return { ...size, samples: 1, deflated: await pack(grey) }
  const colours = samples === 4 ? coloursIn(raw, columns) : samplesIn(raw, { columns, samples, at: 0 })
  const place = { columns, samples, at: samples - 1 }
  const alpha = isOpaque(raw, place) ? undefined : await pack(samplesIn(raw, place))
  return { ...size, samples: samples - 1, deflated: await pack(colours), ...(alpha && { alpha }) }
}

/** Returns one sample a pixel if all of them are opaque and grey. Equal samples stay equal under each filter. */
function opaqueGreyIn(raw: Buffer, columns: number): Buffer | undefined {
  const stride = 1 + 4 * columns
  const plane = Buffer.allocUnsafe((raw.length / stride) * (1 + columns))
  // Reading whole pixels needs rows that begin at a multiple of four bytes.
  const pixels = new Uint32Array(columns)
  const bytes = Buffer.from(pixels.buffer)
  let to = 0
  for (let row = 0; row < raw.length; row += stride) {
    const filter = raw[row] ?? 0
    raw.copy(bytes, 0, row + 1, row + stride)
    plane[to++] = filter
    const up = row === 0 ? 0 : 255
    const [first, others] = [filteredOpaque(filter, 0, up), filteredOpaque(filter, 255, up)]
    for (let column = 0; column < columns; column += 1) {
      const pixel = pixels[column] as number
      const sample = pixel & 0xff
      if ((pixel & 0xffffff) !== sample * 0x010101) return undefined
      if (pixel >>> 24 !== (column === 0 ? first : others)) return undefined
      plane[to++] = sample
    }
  }
  return plane
}

/** Returns the first three of four samples. */
function coloursIn(raw: Buffer, columns: number): Buffer {
  const plane = Buffer.allocUnsafe((raw.length / (1 + 4 * columns)) * (1 + 3 * columns))
  let to = 0
  for (let at = 0; at < raw.length; ) {
    plane[to++] = raw[at++] as number
    for (const end = at + 4 * columns; at < end; at += 4) {
      plane[to++] = raw[at] as number
      plane[to++] = raw[at + 1] as number
      plane[to++] = raw[at + 2] as number
    }
  }
  return plane
}

interface SamplePlace {
  columns: number
  /** Samples of a pixel. */
  samples: number
  at: number
}

function samplesIn(raw: Buffer, { columns, samples, at: place }: SamplePlace): Buffer {
  const plane = Buffer.allocUnsafe((raw.length / (1 + samples * columns)) * (1 + columns))
  let to = 0
  for (let at = 0; at < raw.length; ) {
    plane[to++] = raw[at++] as number
    for (const end = at + samples * columns; at < end; at += samples) plane[to++] = raw[at + place] as number
  }
  return plane
}

/** True if a sample is 255 everywhere. Filters need not be undone, as each has one result for such samples. */
function isOpaque(raw: Buffer, { columns, samples, at: place }: SamplePlace): boolean {
  const stride = 1 + samples * columns
  for (let row = 0; row < raw.length; row += stride) {
    const filter = raw[row] ?? 0
    const up = row === 0 ? 0 : 255
    const first = row + 1 + place
    if (raw[first] !== filteredOpaque(filter, 0, up)) return false
    const others = filteredOpaque(filter, 255, up)
    for (let at = first + samples; at < row + stride; at += samples) if (raw[at] !== others) return false
  }
  return true
}

/** Returns how a filter writes 255 beside and below samples of 255 or the edge (PNG, 9.2). */
function filteredOpaque(filter: number, left: number, up: number): number {
  const predicted = [0, left, up, (left + up) >> 1, Math.max(left, up)]
  return 255 - (predicted[filter] ?? 0)
}

type PdfLib = typeof import('@cantoo/pdf-lib')

/** Embeds pixels as they are, without unpacking and packing them. */
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

/** Embeds a PNG with a full decoder. @throws Error if it is broken */
export async function embedPng(target: PDFDocument, png: Uint8Array): Promise<PDFRef> {
  const image = await target.embedPng(png)
  await image.embed()
  return image.ref
}
