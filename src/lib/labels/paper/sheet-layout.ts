import type { PDFEmbeddedPage, PDFRef } from '@cantoo/pdf-lib'
import { AppError, causedBy, usageError } from '../../errors.ts'
import { type PrinterLanguage, SHEET_NAMES, type Sheet } from '../../wire/enumerations.ts'
import type { LabelFormat } from '../folder/label-bytes.ts'

export interface SheetLabel {
  name: string
  format: LabelFormat
  bytes: Uint8Array
}

export interface Placeable {
  label: SheetLabel
  size: Size
  /** Counter-clockwise. */
  turn: QuarterTurn
  content: PDFEmbeddedPage | PDFRef
}

/** Sheet and place, from 1, of each label's first page. On a roll each label is a sheet. */
export type Positions = Map<SheetLabel, { sheet: number; position: number }>

export function bufferOf({ bytes }: SheetLabel): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export function unreadable(label: SheetLabel, problem: string, cause?: unknown): AppError {
  const message = `The label ${label.name} can't be printed: as ${label.format}, ${problem}.`
  return causedBy(cause, 'contract', message, 'download it again with --force, or leave it out')
}

export interface FailedLabel {
  label: SheetLabel
  message: string
}

const MAX_DETAILS = 100

/** The error's kind is `partial` if others were printed. */
export function undrawnError(failed: readonly FailedLabel[], isAll: boolean): AppError {
  const hints = [
    'send it to a ZPL printer as it is: --printer HOST',
    'or ask the carrier for PDF: rma labels create … --format PDF',
  ]
  const [first] = failed
  if (first && isAll && failed.length === 1) return usageError(first.message, ...hints)
  const what = failed.length === 1 ? 'A label' : `${failed.length} labels`
  const rest = isAll ? 'nothing was printed' : 'the others were printed'
  return new AppError(isAll ? 'usage' : 'partial', `${what} can't be drawn on a sheet; ${rest}.`, {
    details: failed.slice(0, MAX_DETAILS).map(({ label, message }) => ({ path: label.name, message })),
    hints,
  })
}

/** In points (72 an inch), or in dots while ZPL is drawn. */
export interface Size {
  width: number
  height: number
}

export interface Box extends Size {
  x: number
  y: number
}

export const POINTS_PER_MM = 72 / 25.4

export const PRINTER_DPIS = [203, 300, 600] as const
export type PrinterDpi = (typeof PRINTER_DPIS)[number]
/** 203 dpi are 8 dots a millimetre exactly. */
export const POINTS_PER_DOT = { 203: POINTS_PER_MM / 8, 300: 72 / 300, 600: 72 / 600 } as const

export const SHEETS = {
  a4: { width: 210 * POINTS_PER_MM, height: 297 * POINTS_PER_MM },
  letter: { width: 612, height: 792 },
  a6: { width: 105 * POINTS_PER_MM, height: 148 * POINTS_PER_MM },
  '4x6': { width: 288, height: 432 },
} as const satisfies Record<Sheet, Size>

const PER_PAGES = [1, 2, 4] as const
type PerPage = (typeof PER_PAGES)[number]

/** Labels that exceed a slot by less keep their size, as page sizes are often rounded. */
const TOLERANCE = 0.5 * POINTS_PER_MM

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

interface Fit {
  scale: number
  isRotated: boolean
}

/** Returns the bounding box after a turn. */
export function turnedSize({ width, height }: Size, turn: QuarterTurn): Size {
  return turn % 180 === 0 ? { width, height } : { width: height, height: width }
}

/** Turns a label only if it is then larger. */
export function fitInto(label: Size, slot: Size): Fit {
  const upright = scaleInto(label, slot)
  const rotated = scaleInto(turnedSize(label, 90), slot)
  return { scale: Math.max(upright, rotated), isRotated: rotated > upright }
}

function scaleInto(label: Size, slot: Size) {
  if (label.width <= slot.width + TOLERANCE && label.height <= slot.height + TOLERANCE) return 1
  return Math.min(slot.width / label.width, slot.height / label.height)
}

export function fittedEdges(
  label: Size,
  slot: Box,
  { scale, isRotated }: Fit,
): [left: number, bottom: number, width: number, height: number] {
  const { width, height } = turnedSize(label, isRotated ? 90 : 0)
  const size = { width: width * scale, height: height * scale }
  const { x, y } = centred(size, 0, slot)
  return [x, y, size.width, size.height]
}

const PLACES = { 1: '', 2: 'half of ', 4: 'a quarter of ' } as const
const SHEET_WORDS = { a4: 'A4', letter: 'letter paper', a6: 'A6', '4x6': '4 × 6 in' } as const

export function slotName(sheet: Sheet, perPage: PerPage): string {
  const [{ width, height } = SHEETS[sheet]] = slots(sheet, perPage)
  const mm = (points: number) => String(Math.round((points / POINTS_PER_MM) * 10) / 10)
  return `${PLACES[perPage]}${SHEET_WORDS[sheet]} (${mm(width)} × ${mm(height)} mm)`
}

export function roomierPerPage(labels: readonly Size[], sheet: Sheet, perPage: PerPage): PerPage | undefined {
  return ([2, 1] as const).find((fewer) => {
    const [slot] = slots(sheet, fewer)
    return fewer < perPage && slot && labels.every((label) => fitInto(label, slot).scale === 1)
  })
}

export type QuarterTurn = 0 | 90 | 180 | 270

export function quarterTurn(angle: number): QuarterTurn {
  const turns: readonly QuarterTurn[] = [0, 90, 180, 270]
  return turns[((Math.round(angle / 90) % 4) + 4) % 4] ?? 0
}

export function centred(content: Size, turn: QuarterTurn, slot: Box): { x: number; y: number } {
  const { width, height } = content
  const whole = turnedSize(content, turn)
  const left = slot.x + (slot.width - whole.width) / 2
  const bottom = slot.y + (slot.height - whole.height) / 2
  return {
    x: left + (turn === 90 ? height : turn === 180 ? width : 0),
    y: bottom + (turn === 270 ? width : turn === 180 ? height : 0),
  }
}

export interface PrintLayout {
  sheet: Sheet
  perPage: PerPage
  startAt: number
  /** If missing, graphics take 203 and ZPL on sheets is judged by its size. */
  dpi: PrinterDpi | undefined
}

interface WantedLayout {
  sheet?: string
  perPage?: number
  startAt?: number
  dpi?: number
}

/** @throws AppError `usage` for an impossible layout */
export function printLayout(language: PrinterLanguage, wanted: WantedLayout): PrintLayout {
  const wantedSheet = wanted.sheet ?? (language === 'pdf' ? 'a4' : '4x6')
  const sheet = SHEET_NAMES.find((name) => name === wantedSheet)
  const perPage = PER_PAGES.find((count) => count === (wanted.perPage ?? 1))
  const dpi = PRINTER_DPIS.find((one) => one === wanted.dpi)
  if (sheet === undefined) throw unknown('sheet', String(wanted.sheet), SHEET_NAMES)
  if (perPage === undefined) throw unknown('number of labels a sheet', String(wanted.perPage), PER_PAGES)
  if (dpi !== wanted.dpi) throw unknown('density of a printer', `${wanted.dpi} dpi`, PRINTER_DPIS)
  const { startAt = 1 } = wanted
  if (language === 'zpl' && (perPage > 1 || startAt > 1)) {
    throw usageError(
      'A label printer prints one label after the other: it has no sheets to share.',
      'leave --per-page and --start-at out, or write a PDF: --out FILE.pdf',
    )
  }
  if (startAt > perPage) {
    throw usageError(
      `A sheet with ${perPage} a page has no place ${startAt}.`,
      `--start-at is from 1 to the number of labels a page (--per-page)`,
    )
  }
  return { sheet, perPage, startAt, dpi }
}

function unknown(what: string, value: string, known: readonly unknown[]) {
  return usageError(`${value} is not a ${what}.`, `one of ${known.join(', ')}`)
}
