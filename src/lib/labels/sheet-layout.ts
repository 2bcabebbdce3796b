import type { Sheet } from '../wire/print.ts'

/** Sizes in points, 72 an inch. */
export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  /** Lower left corner, from the page's. */
  x: number
  y: number
}

export const POINTS_PER_MM = 72 / 25.4

/** Dots an inch of label printers. */
export type PrinterDpi = 203 | 300 | 600
export const PRINTER_DPIS: readonly PrinterDpi[] = [203, 300, 600]
/** 203 dpi are 8 dots a millimetre exactly. */
export const POINTS_PER_DOT = { 203: POINTS_PER_MM / 8, 300: 72 / 300, 600: 72 / 600 } as const

const MM = POINTS_PER_MM

export const SHEETS = {
  a4: { width: 210 * MM, height: 297 * MM },
  letter: { width: 612, height: 792 },
  a6: { width: 105 * MM, height: 148 * MM },
  '4x6': { width: 288, height: 432 },
} as const satisfies Record<Sheet, Size>

export type PerPage = 1 | 2 | 4

/** Half a millimetre more than there is room for is cut off rather than made smaller: it is a rounded page size. */
const TOLERANCE = 0.5 * MM

/** The slots of a sheet in the order in which they are filled: two are its upper and lower half, four its quarters. */
export function slots(sheet: Sheet, perPage: PerPage): Box[] {
  const { width, height } = SHEETS[sheet]
  const columns = perPage === 4 ? 2 : 1
  const rows = perPage === 1 ? 1 : 2
  return Array.from({ length: perPage }, (_unused, index) => ({
    x: (index % columns) * (width / columns),
    y: height - (Math.floor(index / columns) + 1) * (height / rows),
    width: width / columns,
    height: height / rows,
  }))
}

export interface Fit {
  /** At most 1. */
  scale: number
  isRotated: boolean
}

/** How a label goes into a slot: at its true size if it fits in any way, upright if that is as good. */
export function fitInto(label: Size, slot: Size): Fit {
  const upright = scaleInto(label, slot)
  const rotated = scaleInto({ width: label.height, height: label.width }, slot)
  return { scale: Math.max(upright, rotated), isRotated: rotated > upright }
}

function scaleInto(label: Size, slot: Size): number {
  if (label.width <= slot.width + TOLERANCE && label.height <= slot.height + TOLERANCE) return 1
  return Math.min(slot.width / label.width, slot.height / label.height)
}

/** Where a label is in its slot: left, bottom, width and height. */
export function fittedEdges(
  { width, height }: Size,
  slot: Box,
  { scale, isRotated }: Fit,
): [left: number, bottom: number, width: number, height: number] {
  const size = { width: (isRotated ? height : width) * scale, height: (isRotated ? width : height) * scale }
  const { x, y } = centred(size, 0, slot)
  return [x, y, size.width, size.height]
}

const PLACES = { 1: '', 2: 'half of ', 4: 'a quarter of ' } as const
const SHEET_NAMES = { a4: 'A4', letter: 'letter paper', a6: 'A6', '4x6': '4 × 6 in' } as const

/** `a quarter of A4 (105 × 148.5 mm)` */
export function placeName(sheet: Sheet, perPage: PerPage): string {
  const [{ width, height } = SHEETS[sheet]] = slots(sheet, perPage)
  const mm = (points: number) => String(Math.round((points / MM) * 10) / 10)
  return `${PLACES[perPage]}${SHEET_NAMES[sheet]} (${mm(width)} × ${mm(height)} mm)`
}

/** The most labels a sheet, fewer than `perPage`, at which all keep their size. */
export function roomierPerPage(labels: readonly Size[], sheet: Sheet, perPage: PerPage): PerPage | undefined {
  return ([2, 1] as const).find((fewer) => {
    const [slot] = slots(sheet, fewer)
    return fewer < perPage && slot && labels.every((label) => fitInto(label, slot).scale === 1)
  })
}

export type QuarterTurn = 0 | 90 | 180 | 270

/** Where what is turned counter-clockwise about its lower left corner goes, to be in the middle of a slot. */
export function centred(content: Size, turn: QuarterTurn, slot: Box): { x: number; y: number } {
  const { width, height } = content
  const lies = turn === 90 || turn === 270
  const left = slot.x + (slot.width - (lies ? height : width)) / 2
  const bottom = slot.y + (slot.height - (lies ? width : height)) / 2
  return {
    x: left + (turn === 90 ? height : turn === 180 ? width : 0),
    y: bottom + (turn === 270 ? width : turn === 180 ? height : 0),
  }
}
