import type { Size } from './sheet-layout.ts'

/** Thermal printers' resolution, where an image tells none. */
const THERMAL_DPI = 203
/** A few kilobytes can claim any size, at 4 bytes of memory a pixel. */
const MAX_PIXELS = 100_000_000
const INCHES_PER_METRE = 1 / 0.0254

/** Points, by its resolution (`pHYs`), else at 203 dpi; undefined if unreadable. */
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

/** Pixels as a PDF takes them (PDF 32000-1, 7.4.4.4): deflated, with PNG's filters. */
export interface StoredPixels {
  columns: number
  rows: number
  /** Of a sample. */
  bits: number
  /** Samples of a pixel, by PNG's types of colour. */
  samples: number
  /** Three bytes a colour, of pixels that are indexes into it. */
  palette?: Buffer | undefined
  deflated: Buffer
  /** Eight bits a pixel, where not all are opaque. */
  alpha?: Buffer | undefined
}

const SAMPLES: readonly (number | undefined)[] = [1, undefined, 3, 1, 2, undefined, 4]
const PALETTE_TYPE = 3

/** The pixels of a PNG as they are; undefined for one that is interlaced or cut off. They are not checked. */
export function storedPixels(png: Buffer): StoredPixels | undefined {
  const [columns, rows] = dimensions(png) ?? []
  const [bits = 0, type = 0, ...ways] = png.subarray(24, 29)
  const samples = SAMPLES[type]
  if (!columns || !rows || samples === undefined || ways.some((way) => way !== 0)) return undefined
  const found = [...chunks(png)]
  // Transparency of one colour: the library knows how to put that into a PDF.
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

/** Whole chunks, up to one that is cut off. */
function* chunks(png: Buffer): Generator<{ name: string; data: Buffer }> {
  for (let at = 8; at + 12 <= png.length; ) {
    const end = at + 8 + png.readUInt32BE(at)
    if (end + 4 > png.length) return
    yield { name: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, end) }
    at = end + 4
  }
}
