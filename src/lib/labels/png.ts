import type { Size } from './sheet-layout.ts'

/** Thermal printers' resolution, where an image tells none. */
const THERMAL_DPI = 203
/** A few kilobytes can claim any size, at 4 bytes of memory a pixel. */
const MAX_PIXELS = 100_000_000
const INCHES_PER_METRE = 1 / 0.0254
/** `IHDR` after columns and rows: 8 bits of grey, deflated, the usual filters, not interlaced. */
const GREY = Buffer.of(8, 0, 0, 0, 0)

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

export interface GreyPixels {
  columns: number
  rows: number
  /** As a PDF takes them: deflated, with PNG's filters (PDF 32000-1, 7.4.4.4). */
  deflated: Buffer
}

/** The pixels of an 8-bit grey PNG as they are; undefined for any other. They are not checked. */
export function greyPixels(png: Buffer): GreyPixels | undefined {
  const [columns, rows] = dimensions(png) ?? []
  if (!columns || !rows || !png.subarray(24, 29).equals(GREY)) return undefined
  const found = [...chunks(png)]
  // Transparency: the library knows how to put that into a PDF.
  if (found.at(-1)?.name !== 'IEND' || found.some(({ name }) => name === 'tRNS')) return undefined
  const data = found.filter(({ name }) => name === 'IDAT').map((chunk) => chunk.data)
  return { columns, rows, deflated: Buffer.concat(data) }
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
