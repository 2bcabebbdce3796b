import GLYPHS from './glyphs.json'

/** Fractions of the em square, from its top left corner. */
type Point = readonly [x: number, y: number]

/** Outlines by character; tools/glyphs.mjs says how points are written. */
const OUTLINES: ReadonlyMap<string, string> = new Map(Object.entries(GLYPHS))
const DRAWN = new RegExp(`([${[...OUTLINES.keys()].join('')}]+)`, 'u')
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Part of the em square above the baseline. */
export const ABOVE_BASELINE = 0.88

export function isDrawn(character: string) {
  return OUTLINES.has(character)
}

export function partsOf(text: string): { text: string; isDrawn: boolean }[] {
  const parts = text.split(DRAWN).map((part, index) => ({ text: part, isDrawn: index % 2 === 1 }))
  return parts.filter((part) => part.text !== '')
}

/** Contours, filled where the winding number is not zero. */
export function outlinesOf(character: string): Point[][] {
  const coordinate = (digit = '') => DIGITS.indexOf(digit) / DIGITS.length
  const contours = OUTLINES.get(character)?.split(' ') ?? []
  return contours.map((contour) =>
    (contour.match(/../g) ?? []).map(([x, y]): Point => [coordinate(x), coordinate(y)]),
  )
}

export function zplGraphicOf(text: string, em: number): string {
  const characters = [...text]
  const bytesPerRow = Math.ceil((characters.length * em) / 8)
  const rows = Buffer.alloc(bytesPerRow * em)
  for (const [index, character] of characters.entries()) {
    const edges = outlinesOf(character).flatMap((points) =>
      points.map((start, i) => [start, points[(i + 1) % points.length] ?? start] as const),
    )
    for (let row = 0; row < em; row++) {
      for (const [from, to] of inkOf(edges, (row + 0.5) / em)) {
        const end = Math.round(to * em) + index * em
        for (let x = Math.round(from * em) + index * em; x < end; x++) {
          const at = row * bytesPerRow + (x >> 3)
          rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
        }
      }
    }
  }
  return `^GFA,${rows.length},${rows.length},${bytesPerRow},${rows.toString('hex').toUpperCase()}`
}

/** Stretches of a horizontal line that lie inside the contours. */
function inkOf(edges: readonly (readonly [Point, Point])[], y: number): [from: number, to: number][] {
  const crossings = edges.flatMap(([[startX, startY], [endX, endY]]) => {
    if (startY <= y === endY <= y) return []
    const x = startX + ((y - startY) / (endY - startY)) * (endX - startX)
    return [{ x, turn: endY > startY ? 1 : -1 }]
  })
  crossings.sort((one, other) => one.x - other.x)
  let winding = 0
  return crossings.flatMap(({ x, turn }, index): [number, number][] => {
    winding += turn
    const next = crossings[index + 1]
    return winding !== 0 && next ? [[x, next.x]] : []
  })
}
