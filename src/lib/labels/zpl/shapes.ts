import type { Operands } from './commands.ts'

/** Corners, in dots from the shape's position. */
export type Outline = readonly (readonly [x: number, y: number])[]

export interface DrawnShape {
  width: number
  height: number
  isWhite: boolean
  outlines: Outline[]
}

export function rectangle(left: number, top: number, right: number, bottom: number): Outline {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

function arc(
  [x, y]: readonly [x: number, y: number],
  [across, down]: readonly [across: number, down: number],
  [start, end]: readonly [start: number, end: number],
): Outline {
  // A corner every two dots is as fine as a printer shows.
  const corners = Math.max(4, Math.ceil(Math.max(across, down) * (end - start) * 0.8))
  return Array.from({ length: corners + 1 }, (_unused, index) => {
    const angle = ((start + ((end - start) * index) / corners) * Math.PI) / 2
    return [x + across * Math.cos(angle), y + down * Math.sin(angle)]
  })
}

export function ellipseOutline(x: number, y: number, across: number, down: number): Outline {
  return arc([x, y], [across, down], [0, 4])
}

function roundedRectangle(inset: number, width: number, height: number, radius: number): Outline {
  const [left, top, right, bottom] = [inset, inset, inset + width, inset + height]
  if (radius <= 0) return rectangle(left, top, right, bottom)
  const corner = (x: number, y: number, start: number) => arc([x, y], [radius, radius], [start, start + 1])
  return [
    ...corner(right - radius, bottom - radius, 0),
    ...corner(left + radius, bottom - radius, 1),
    ...corner(left + radius, top + radius, 2),
    ...corner(right - radius, top + radius, 3),
  ]
}

const isWhite = (operands: Operands, at: number) => operands.at(at).toUpperCase() === 'W'

function ellipse(width: number, height: number, thickness: number) {
  const [across, down] = [width / 2, height / 2]
  const outer = ellipseOutline(across, down, across, down)
  if (thickness >= Math.min(across, down)) return [outer]
  return [outer, ellipseOutline(across, down, across - thickness, down - thickness)]
}

/** Operands of ellipses and diagonals. */
const boxOf = (operands: Operands) => ({
  width: operands.number(0, 3, 3),
  height: operands.number(1, 3, 3),
  thickness: operands.number(2, 1) || 1,
})

export const SHAPES: Readonly<Record<string, (operands: Operands) => DrawnShape>> = {
  '^GB': (operands) => {
    const thickness = operands.number(2, 1) || 1
    const [width, height] = [operands.number(0, 1, thickness), operands.number(1, 1, thickness)]
    const rounding = operands.number(4, 0, 0, 8) / 16
    const [inWidth, inHeight] = [width - 2 * thickness, height - 2 * thickness]
    const outlines = [roundedRectangle(0, width, height, rounding * Math.min(width, height))]
    if (inWidth > 0 && inHeight > 0)
      outlines.push(roundedRectangle(thickness, inWidth, inHeight, rounding * Math.min(inWidth, inHeight)))
    return { width, height, isWhite: isWhite(operands, 3), outlines }
  },
  '^GC': (operands) => {
    const size = operands.number(0, 3, 3)
    const outlines = ellipse(size, size, operands.number(1, 1) || 1)
    return { width: size, height: size, isWhite: isWhite(operands, 2), outlines }
  },
  '^GE': (operands) => {
    const { width, height, thickness } = boxOf(operands)
    return { width, height, isWhite: isWhite(operands, 3), outlines: ellipse(width, height, thickness) }
  },
  '^GD': (operands) => {
    const { width, height, thickness } = boxOf(operands)
    const isFalling = operands.at(4).toUpperCase() === 'L'
    // Thickness counts across the shorter side; a flat diagonal would be too thin.
    const [right, down] = width < height ? [thickness, 0] : [0, Math.min(thickness, height)]
    const [from, to] = isFalling ? [0, height - down] : [height - down, 0]
    const outline: Outline = [
      [0, from],
      [right, from + down],
      [width + right, to + down],
      [width, to],
    ]
    return { width: width + right, height, isWhite: isWhite(operands, 3), outlines: [outline] }
  },
}
