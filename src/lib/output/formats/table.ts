import Table from 'cli-table3'
import { type Style, statusStyle, styled } from '../style.ts'
import { displayWidth, prepareWidths, truncate } from '../width.ts'
import { type CellKind, cellText } from './cell.ts'

export interface TableColumn {
  header: string
  align: 'left' | 'right'
  /** Narrowed first on a small terminal. */
  isFlexible: boolean
  /** Never cut: half an amount is another amount. */
  isWhole: boolean
}

export interface TableCell {
  /** One line, hidden characters made visible. */
  text: string
  style?: Style | undefined
}

export interface TableOptions {
  headers: boolean
  colour: boolean
  /** Width of the terminal; nothing is cut without it. */
  maxWidth: number | undefined
  /** No rows come after the sample. */
  isWhole: boolean
}

const GAP = 2
const MIN_FLEXIBLE_WIDTH = 10
const MIN_WIDTH = 4
/** Private use; every version of string-width counts it as one column. */
const FILLER = '\ue000'
const SLOT = /\ue000+/g
const NO_BORDERS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: ' '.repeat(GAP),
}

/** Columns are as wide as the sample needs, or the terminal allows: later rows take the same. */
export async function createTable(
  columns: readonly TableColumn[],
  sample: readonly (readonly TableCell[])[],
  options: TableOptions,
): Promise<{ head: string; row(cells: readonly TableCell[]): string }> {
  const headers = columns.map(({ header }) => ({ text: header }))
  await prepareWidths(options.isWhole ? [headers, ...sample].flat().map(({ text }) => text) : undefined)
  const widths = columnWidths(columns, sample, options)
  const slots = rowOfSlots(widths)
  const row = (cells: readonly TableCell[]): string => {
    let index = -1
    const line = slots.replace(SLOT, (slot) => {
      index += 1
      return fitCell(cells[index], slot.length, columns[index]?.align ?? 'left', options)
    })
    return `${line.trimEnd()}\n`
  }
  return {
    head: options.headers ? row(columns.map(({ header }) => ({ text: header, style: 'bold' }))) : '',
    row,
  }
}

function fitCell(
  cell: TableCell | undefined,
  width: number,
  align: TableColumn['align'],
  { maxWidth, colour }: TableOptions,
): string {
  const text = maxWidth === undefined ? (cell?.text ?? '') : truncate(cell?.text ?? '', width)
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  const shown = colour && cell?.style && text !== '' ? styled(text, cell.style) : text
  return align === 'right' ? padding + shown : shown + padding
}

function columnWidths(
  columns: readonly TableColumn[],
  sample: readonly (readonly TableCell[])[],
  { headers, maxWidth }: TableOptions,
): number[] {
  const widths = columns.map(({ header }) => Math.max(1, headers ? displayWidth(header) : 0))
  for (const row of sample) {
    for (const [index, { text }] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 1, displayWidth(text))
    }
  }
  if (maxWidth === undefined) return widths
  const room = maxWidth - GAP * (columns.length - 1)
  shrink(widths, room, MIN_FLEXIBLE_WIDTH, (index) => columns[index]?.isFlexible === true)
  shrink(widths, room, MIN_WIDTH, (index) => columns[index]?.isWhole !== true)
  return widths
}

/** Takes from the widest eligible column, one at a time, until all fits. */
function shrink(
  widths: number[],
  room: number,
  minimum: number,
  isEligible: (index: number) => boolean,
): void {
  let excess = widths.reduce((sum, width) => sum + width, 0) - room
  while (excess > 0) {
    let widest = -1
    for (const [index, width] of widths.entries()) {
      if (width > minimum && isEligible(index) && width > (widths[widest] ?? 0)) widest = index
    }
    if (widest === -1) return
    widths[widest] = (widths[widest] ?? 0) - 1
    excess -= 1
  }
}

/**
 * cli-table3 lays out one row of fillers, and each row is fitted into its slots: its old string-width is wrong about
 * most emoji, and it does 7,000 rows a second only.
 */
function rowOfSlots(widths: readonly number[]): string {
  const table = new Table({
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  table.push(widths.map((width) => FILLER.repeat(width)))
  return table.toString()
}

export function tableColumn(header: string, kind: CellKind | undefined, isFlexible = false): TableColumn {
  const isQuantity = kind === 'number' || kind === 'money'
  return { header, align: isQuantity ? 'right' : 'left', isFlexible, isWhole: isQuantity }
}

export function tableCell(value: unknown, kind: CellKind | undefined, timeZone: string): TableCell {
  return { text: cellText(value, kind, timeZone), style: kind === 'status' ? statusStyle(value) : undefined }
}
