import type { Drawing } from './label-readers.ts'

const SQUARE = 16

function inkAt({ data, width }: Drawing, x: number, y: number): number {
  const at = (y * width + x) * 4
  return ((255 - (data[at] ?? 255)) * (data[at + 3] ?? 255)) / 255 / 255
}

/** Share of 16-dot squares whose ink differs by more than a third. */
export function differing(one: Drawing, other: Drawing): number {
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)]
  const across = Math.ceil(width / SQUARE)
  const squares = new Float64Array(across * Math.ceil(height / SQUARE))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const square = Math.floor(y / SQUARE) * across + Math.floor(x / SQUARE)
      squares[square] = (squares[square] ?? 0) + inkAt(one, x, y) - inkAt(other, x, y)
    }
  }
  return squares.filter((difference) => Math.abs(difference) > SQUARE ** 2 / 3).length / squares.length
}

/** Number of inked dots and bounding box of the ink. */
export function inkOf(drawing: Drawing) {
  const { width, height } = drawing
  const found = { dots: 0, left: width, top: height, right: 0, bottom: 0 }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const ink = inkAt(drawing, x, y)
      found.dots += ink
      if (ink < 0.5) continue
      found.left = Math.min(found.left, x)
      found.right = Math.max(found.right, x + 1)
      found.top = Math.min(found.top, y)
      found.bottom = y + 1
    }
  }
  return found
}

/** The drawing upside down. */
export function turnedAbout({ data, width, height }: Drawing): Drawing {
  const dots = new Uint32Array(data.buffer, data.byteOffset, width * height)
  return { data: new Uint8ClampedArray(dots.slice().reverse().buffer), width, height }
}
