import { promisify } from 'node:util'
import { constants, deflate, inflate } from 'node:zlib'
import { type StoredPixels, storedPixels } from './png.ts'

/** None, Sub, Up, Average, Paeth. */
const FILTERS = 5
/** Labels are mostly white: a better level takes three times as long for a tenth of the bytes. */
const level = { level: constants.Z_BEST_SPEED }

/**
 * The pixels of a PNG from outside, for a PDF: checked to be whole, alpha apart, and of one sample where they are grey.
 * Undefined for what only a full decoder can tell; what is broken it will tell, too.
 */
export async function checkedPixels(png: Buffer): Promise<StoredPixels | undefined> {
  const stored = storedPixels(png)
  if (stored === undefined) return undefined
  const { columns, rows, bits, samples } = stored
  const stride = Math.ceil((columns * samples * bits) / 8) + 1
  // In one piece of memory: with some room left, zlib need not ask for more to find the end.
  const limit = { maxOutputLength: stride * rows, chunkSize: stride * rows + 64 }
  const raw = await promisify(inflate)(stored.deflated, limit).catch(() => undefined)
  if (raw?.length !== stride * rows) return undefined
  for (let at = 0; at < raw.length; at += stride) if ((raw[at] ?? 0) >= FILTERS) return undefined
  const hasAlpha = samples % 2 === 0
  if (!hasAlpha) return stored
  return bits === 8 ? withoutAlpha(stored, raw) : undefined
}

/** A filter works on each sample alone, so that those of one kind can be taken out of filtered rows. */
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

/** One sample each of pixels with four, as labels are; undefined for others. Equal samples stay so under each filter. */
function opaqueGreyIn(raw: Buffer, columns: number): Buffer | undefined {
  const stride = 1 + 4 * columns
  const plane = Buffer.allocUnsafe((raw.length / stride) * (1 + columns))
  // A whole pixel at a time, which has to lie at a multiple of four.
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

/** Three samples each of pixels with four. */
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
  /** Of a pixel. */
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

/** Whether a sample is 255 everywhere, told without taking the filters away: as long as it is, each has one result. */
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

/** 255 as each filter writes it, beside and below what is 255 itself or outside (PNG, 9.2). */
function filteredOpaque(filter: number, left: number, up: number): number {
  const predicted = [0, left, up, (left + up) >> 1, Math.max(left, up)]
  return 255 - (predicted[filter] ?? 0)
}
