import { type Contour, EM, type Outlines, type Point } from './outlines.ts'

/** Lines of samples in a row of dots. */
const SAMPLES = 4
/** Tops of accents and feet of letters, from the baseline in ems. */
const ABOVE = 1
const BELOW = 0.25

interface Edge {
  from: Point
  to: Point
}

interface Crossing {
  x: number
  turn: number
}

/**
 * A line of text as the data of a `^GFA` field, for printers that lack its characters. `em` in dots; the baseline is
 * `ABOVE` ems, rounded up, below the upper edge.
 */
export function bitmapField(outlines: Outlines, text: string, em: number): string {
  const bytesPerRow = Math.ceil((outlines.width(text) * em) / 8)
  const rows = drawLine(outlines, text, em, bytesPerRow * 8)
  const total = rows.length * bytesPerRow
  // A comma fills a row with zeros.
  const data = rows.map((row) => hexOf(row).replace(/0+$/, ',')).join('')
  return `^GFA,${total},${total},${bytesPerRow},${data}`
}

/** Dots from the upper edge of a bitmap to its baseline. */
export function baselineOf(em: number): number {
  return Math.ceil(em * ABOVE)
}

/** Rows of dots, and of each how much of it is covered, in samples. */
function drawLine(outlines: Outlines, text: string, em: number, width: number): Float32Array[] {
  const scale = em / EM
  const baseline = baselineOf(em)
  const rows = Array.from({ length: baseline + Math.ceil(em * BELOW) }, () => new Float32Array(width))
  let left = 0
  for (const character of text) {
    const { advance, contours } = outlines.glyph(character)
    const x = left
    const place = ([px, py]: Point): Point => [(x + px) * scale, baseline - py * scale]
    for (const [line, crossings] of crossingsOf(contours.flatMap((each) => edgesOf(each, place)))) {
      const row = rows[Math.floor(line / SAMPLES)]
      if (row !== undefined) cover(row, crossings)
    }
    left += advance
  }
  return rows
}

/** Where a glyph's edges cross lines of samples, and whether downwards (1) or upwards (-1). */
function crossingsOf(edges: readonly Edge[]): Map<number, Crossing[]> {
  const lines = new Map<number, Crossing[]>()
  for (const { from, to } of edges) {
    const turn = from[1] < to[1] ? 1 : -1
    const [upper, lower] = turn === 1 ? [from, to] : [to, from]
    const slope = (lower[0] - upper[0]) / (lower[1] - upper[1])
    const last = lower[1] * SAMPLES - 0.5
    for (let line = Math.ceil(upper[1] * SAMPLES - 0.5); line < last; line++) {
      const crossing = { x: upper[0] + ((line + 0.5) / SAMPLES - upper[1]) * slope, turn }
      const others = lines.get(line)
      if (others === undefined) lines.set(line, [crossing])
      else others.push(crossing)
    }
  }
  return lines
}

/** The sides of a contour, its curves as four straight lines each. */
function edgesOf({ start, segments }: Contour, place: (point: Point) => Point): Edge[] {
  let from = start
  return segments.flatMap(({ by, to }) => {
    const begin = from
    from = to
    const points =
      by === undefined ? [begin, to] : [0, 0.25, 0.5, 0.75, 1].map((t) => onCurve(begin, by, to, t))
    const placed = points.map(place)
    return placed.slice(1).map((end, i) => ({ from: placed[i] ?? end, to: end }))
  })
}

function onCurve(a: Point, b: Point, c: Point, t: number): Point {
  const at = (axis: 0 | 1) => (1 - t) ** 2 * a[axis] + 2 * t * (1 - t) * b[axis] + t ** 2 * c[axis]
  return [at(0), at(1)]
}

/** Adds what is inside, by the non-zero rule, on one line of samples. */
function cover(row: Float32Array, crossings: Crossing[]): void {
  crossings.sort((a, b) => a.x - b.x)
  let turns = 0
  for (const [i, { x, turn }] of crossings.entries()) {
    turns += turn
    const end = crossings[i + 1]?.x
    if (turns !== 0 && end !== undefined) fill(row, x, end)
  }
}

function fill(covered: Float32Array, from: number, to: number): void {
  for (let dot = Math.max(0, Math.floor(from)); dot < Math.min(to, covered.length); dot++) {
    covered[dot] = (covered[dot] ?? 0) + Math.min(to, dot + 1) - Math.max(from, dot)
  }
}

/** Black is what is covered by half. */
function hexOf(row: Float32Array): string {
  let text = ''
  for (let at = 0; at < row.length; at += 4) {
    let digit = 0
    for (let dot = at; dot < at + 4; dot++) digit = digit * 2 + ((row[dot] ?? 0) >= SAMPLES / 2 ? 1 : 0)
    text += digit.toString(16).toUpperCase()
  }
  return text
}
