import Table from 'cli-table3'
import { type WordsKind, wordsOf } from '../../wire/words.ts'
import { type Style, statusStyle, styled } from '../style.ts'
import { displayWidth, padEnd, prepareWidths, truncate, wrapText } from '../width.ts'
import { type CellKind, cellText } from './cell.ts'
import { GAP, layOutTable, type TableColumn } from './table-layout.ts'

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
  /** Columns that the table stands in from the left. */
  indent?: number | undefined
  /** True if long cells wrap instead of being cut. */
  wraps?: boolean | undefined
}

export interface PrintedTable {
  head: string
  row(cells: readonly TableCell[]): string
  /** Places of the columns that there was no room for. */
  leftOut: readonly number[]
}

/** Private use; every version of string-width counts it as one column. */
const FILLER = '\ue000'
const SLOT = /\ue000+/g
const NO_BORDERS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: ' '.repeat(GAP),
}

/**
 * A table whose columns are as wide as the sample needs, or as the terminal allows. Later rows take the same columns,
 * so that a list of any length is printed in parts. What makes no table is a block of lines for each row.
 */
export async function createTable(
  columns: readonly TableColumn[],
  sample: readonly (readonly TableCell[])[],
  options: TableOptions,
): Promise<PrintedTable> {
  const headers = columns.map(({ header }) => ({ text: header }))
  await prepareWidths(options.isWhole ? [headers, ...sample].flat().map(({ text }) => text) : undefined)
  const layout = layOutTable(
    columns,
    wantedWidths(columns, sample, options.headers),
    options.maxWidth,
    options.indent,
  )
  if (!layout) return { head: '', row: blockPrinter(columns, options), leftOut: [] }
  const slots = rowOfSlots(layout.widths)
  const line = (cells: readonly (TableCell | undefined)[]): string => {
    let place = -1
    const text = slots.replace(SLOT, (slot) => {
      place += 1
      const index = layout.shown[place] ?? -1
      return fitCell(cells[index], slot.length, columns[index], options)
    })
    return `${text.trimEnd()}\n`
  }
  const row = (cells: readonly TableCell[]): string => {
    if (!options.wraps || options.maxWidth === undefined) return line(cells)
    const parts = cells.map((cell, index) => {
      const width = layout.widths[layout.shown.indexOf(index)]
      return columns[index]?.isFlexible && width !== undefined ? wrapText(cell.text, width) : [cell.text]
    })
    const lines = Array.from({ length: Math.max(1, ...parts.map(({ length }) => length)) }, (_, at) =>
      line(cells.map((cell, index) => ({ ...cell, text: parts[index]?.[at] ?? '' }))),
    )
    return lines.join('')
  }
  return {
    head: options.headers ? row(columns.map(({ header }) => ({ text: header, style: 'bold' }))) : '',
    row,
    leftOut: [...columns.keys()].filter((index) => !layout.shown.includes(index)),
  }
}

/** A line for each value, a blank one between rows. */
function blockPrinter(
  columns: readonly TableColumn[],
  { headers, colour }: TableOptions,
): (cells: readonly TableCell[]) => string {
  const width = headers ? Math.max(...columns.map(({ header }) => displayWidth(header))) + GAP : 0
  let separator = ''
  return (cells) => {
    const lines = columns.flatMap(({ header }, index) => {
      const { text = '', style } = cells[index] ?? {}
      if (text === '') return []
      return `${padEnd(headers ? header : '', width)}${colour && style ? styled(text, style) : text}\n`
    })
    const block = separator + lines.join('')
    separator = '\n'
    return block
  }
}

function fitCell(
  cell: TableCell | undefined,
  width: number,
  column: TableColumn | undefined,
  { maxWidth, colour }: TableOptions,
): string {
  const isCut = maxWidth !== undefined && column?.isFlexible
  const text = isCut ? truncate(cell?.text ?? '', width) : (cell?.text ?? '')
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  const shown = colour && cell?.style && text !== '' ? styled(text, cell.style) : text
  return column?.align === 'right' ? padding + shown : shown + padding
}

function wantedWidths(
  columns: readonly TableColumn[],
  sample: readonly (readonly TableCell[])[],
  headers: boolean,
): number[] {
  const widths = columns.map(({ header }) => Math.max(1, headers ? displayWidth(header) : 0))
  for (const row of sample) {
    for (const [index, { text }] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 1, displayWidth(text))
    }
  }
  return widths
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

export function tableColumn(
  header: string,
  kind: CellKind | undefined,
  { isFlexible = false, rank }: { isFlexible?: boolean | undefined; rank?: number | undefined } = {},
): TableColumn {
  const isQuantity = kind === 'number' || kind === 'distance' || kind === 'money'
  return { header, align: isQuantity ? 'right' : 'left', isFlexible: isFlexible && !isQuantity, rank }
}

/** @param words to say a code in; as sent without */
export function tableCell(
  value: unknown,
  kind: CellKind | undefined,
  timeZone: string,
  words?: WordsKind,
): TableCell {
  const isCode = words !== undefined && typeof value === 'string'
  return {
    text: cellText(isCode ? wordsOf(words, value) : value, kind, timeZone),
    style: kind === 'status' ? statusStyle(value) : undefined,
  }
}
