import type { Size } from './sheet-layout.ts'

/** Thermal printers' resolution, where an image tells none. */
const THERMAL_DPI = 203
/** A few kilobytes can claim any size, at 4 bytes of memory a pixel. */
const MAX_PIXELS = 100_000_000
const INCHES_PER_METRE = 1 / 0.0254

/** Points, by its resolution (`pHYs`), else at 203 dpi; undefined if unreadable. */
export function pngSize(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33 || chunkName(bytes, 8) !== 'IHDR') return undefined
  const [columns, rows] = [view.getUint32(16), view.getUint32(20)]
  if (columns === 0 || rows === 0 || columns * rows > MAX_PIXELS) return undefined
  let [dpiX, dpiY] = [THERMAL_DPI, THERMAL_DPI]
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const name = chunkName(bytes, at)
    if (name === 'IDAT') break
    // Unit 1 is the metre; 0 gives only the pixel's shape.
    if (name === 'pHYs' && at + 17 <= bytes.length && bytes[at + 16] === 1) {
      const [x, y] = [view.getUint32(at + 8), view.getUint32(at + 12)]
      if (x > 0 && y > 0) [dpiX, dpiY] = [x / INCHES_PER_METRE, y / INCHES_PER_METRE]
    }
  }
  return { width: (columns / dpiX) * 72, height: (rows / dpiY) * 72 }
}

function chunkName(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8))
}
