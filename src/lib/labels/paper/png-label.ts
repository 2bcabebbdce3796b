import { promisify } from 'node:util'
import { constants, deflate, inflate } from 'node:zlib'
import { type PDFDocument, PDFHexString, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib'
import type { Size } from './sheet-layout.ts'

const THERMAL_DPI = 203
/** A few kilobytes can claim any size, and each pixel takes 4 bytes of memory. */
const MAX_PIXELS = 100_000_000
const INCHES_PER_METRE = 1 / 0.0254

/** Returns the size in points at the stated resolution (`pHYs`), else at 203 dpi. */
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
  bits: number
  samples: number
  /** Three bytes a colour, if pixels are indexes. */
  palette?: Buffer
  deflated: Buffer
  alpha?: Buffer
}

const SAMPLES_BY_COLOUR_TYPE: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4]
const PALETTE_TYPE = 3

/** Returns undefined for a PNG that is interlaced or cut off. */
export function storedPixels(png: Buffer): StoredPixels | undefined {
  const [columns, rows] = dimensions(png) ?? []
  const [bits = 0, type = 0, ...methods] = png.subarray(24, 29)
  const samples = SAMPLES_BY_COLOUR_TYPE[type]
  if (!columns || !rows || samples === undefined || methods.some((method) => method !== 0)) return undefined
  const found = [...chunks(png)]
  // Only the full decoder handles a transparent colour.
  if (found.at(-1)?.name !== 'IEND' || found.some(({ name }) => name === 'tRNS')) return undefined
  const palette = type === PALETTE_TYPE ? found.find(({ name }) => name === 'PLTE')?.data : undefined
  if (type === PALETTE_TYPE && !palette) return undefined
  const deflated = Buffer.concat(found.filter(({ name }) => name === 'IDAT').map(({ data }) => data))
  return { columns, rows, bits, samples, ...(palette && { palette }), deflated }
}

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
  const stored = storedPixels(png)
  if (stored === undefined) return undefined
  const { columns, rows, bits, samples } = stored
  const stride = Math.ceil((columns * samples * bits) / 8) + 1
  // The spare bytes let zlib finish in one chunk.
  const limit = { maxOutputLength: stride * rows, chunkSize: stride * rows + 64 }
  const raw = await promisify(inflate)(stored.deflated, limit).catch(() => undefined)
  if (raw?.length !== stride * rows) return undefined
  for (let at = 0; at < raw.length; at += stride) if ((raw[at] ?? 0) >= FILTERS) return undefined
  const hasAlpha = samples % 2 === 0
  if (!hasAlpha) return stored
  if (bits !== 8) return undefined
  const colours = await pack(samplesIn(raw, stored, 0, samples - 1))
  const alpha = samplesIn(raw, stored, samples - 1, samples)
  const isTransparent = !isOpaque(alpha, columns + 1)
  return {
    ...stored,
    samples: samples - 1,
    deflated: colours,
    ...(isTransparent && { alpha: await pack(alpha) }),
  }
}

/** Higher levels take three times as long to save a tenth. */
function pack(bytes: Buffer) {
  return promisify(deflate)(bytes, { level: constants.Z_BEST_SPEED })
}

/** PNG filters treat each sample alone, so they stay applied. */
function samplesIn(raw: Buffer, { columns, samples }: StoredPixels, from: number, to: number) {
  const plane = Buffer.allocUnsafe((raw.length / (1 + samples * columns)) * (1 + (to - from) * columns))
  let end = 0
  for (let at = 0; at < raw.length; ) {
    plane[end++] = raw[at++] as number
    for (const next = at + samples * columns; at < next; at += samples) {
      for (let sample = from; sample < to; sample++) plane[end++] = raw[at + sample] as number
    }
  }
  return plane
}

/** True if alpha is 255 everywhere. Each filter has one result for such rows (PNG, 9.2). */
function isOpaque(alpha: Buffer, stride: number) {
  for (let row = 0; row < alpha.length; row += stride) {
    const up = row === 0 ? 0 : 255
    const filtered = (left: number) => {
      const predicted = [0, left, up, (left + up) >> 1, Math.max(left, up)]
      return 255 - (predicted[alpha[row] ?? 0] ?? 0)
    }
    if (alpha[row + 1] !== filtered(0)) return false
    const others = filtered(255)
    for (let at = row + 2; at < row + stride; at++) if (alpha[at] !== others) return false
  }
  return true
}

export function embedPixels(target: PDFDocument, pixels: StoredPixels): PDFRef {
  const { columns, rows, bits, samples, palette, deflated, alpha } = pixels
  const { context } = target
  const image = (ColorSpace: unknown, Colors: number, BitsPerComponent: number) => ({
    Type: 'XObject',
    Subtype: 'Image',
    Width: columns,
    Height: rows,
    Filter: 'FlateDecode',
    ColorSpace,
    BitsPerComponent,
    DecodeParms: { Predictor: 15, Columns: columns, Colors, BitsPerComponent },
  })
  const indexed = palette && [
    'Indexed',
    'DeviceRGB',
    palette.length / 3 - 1,
    PDFHexString.of(palette.toString('hex')),
  ]
  const register = (dict: object, data: Buffer) =>
    context.register(PDFRawStream.of(context.obj(dict as Record<string, string>), data))
  const SMask = alpha && register(image('DeviceGray', 1, 8), alpha)
  const colours = indexed ?? (samples === 1 ? 'DeviceGray' : 'DeviceRGB')
  return register({ ...image(colours, samples, bits), ...(SMask && { SMask }) }, deflated)
}

export async function embedPng(target: PDFDocument, png: Uint8Array): Promise<PDFRef> {
  const image = await target.embedPng(png)
  await image.embed()
  return image.ref
}
