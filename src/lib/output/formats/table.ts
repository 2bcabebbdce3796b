import Table from 'cli-table3'
import { type WordsKind, wordsOf } from '../../wire/words.ts'
import { type Style, statusStyle, styled } from '../style.ts'
import { displayWidth, padEnd, prepareWidths, truncate, wrapText, wrapWords } from '../width.ts'
import { type CellKind, cellText } from './cell.ts'

interface TableCell {
  text: string
  style?: Style
}

export interface CellOptions {
  timeZone: string
  inWords: boolean
}

interface TableOptions extends CellOptions {
  headers: boolean
  colour: boolean
  maxWidth: number | undefined
  /** True if no rows follow the sample. */
  isWhole: boolean
  indent?: number
  /** True if all cells wrap, not only those with data. */
  wraps?: boolean
  keepsEmpty?: boolean
}

const GAP = 2
/** Longer words, such as paths and addresses, may be broken in a table that wraps. */
const MAX_WHOLE_WIDTH = 30
/** Below this width the terminal breaks lines itself. */
export const MIN_WRAPPED = 20
/** Private-use character, one column wide in every version of string-width. */
const FILLER = '\ue000'
const SLOT = /\ue000+/g
const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(GAP),
}

/** Makes a table as wide as the sample needs or the terminal allows. If too narrow, each row is a block of lines. */
export async function createTable(
  given: readonly TableColumn[],
  rows: readonly (readonly unknown[])[],
  options: TableOptions,
) {
  const cellsOf = (values: readonly unknown[]) =>
    values.map((value, index) => tableCell(value, given[index] ?? {}, options))
  const sample = rows.map(cellsOf)
  const headers = given.map(({ header }) => ({ text: header }))
  await prepareWidths(options.isWhole ? [headers, ...sample].flat().map(({ text }) => text) : undefined)
  const hidesEmpty = options.isWhole && !options.keepsEmpty && options.maxWidth !== undefined
  const columns = given.map((column, index) => {
    const texts = sample.map((cells) => cells[index]?.text ?? '')
    const isFlexible = column.flexible === true && !isQuantity(column.kind)
    return {
      ...column,
      isFlexible,
      isEmpty: hidesEmpty && index > 0 && texts.every((text) => text === ''),
      wantedWidth: Math.max(1, options.headers ? displayWidth(column.header) : 0, ...texts.map(displayWidth)),
      leastWidth: isFlexible
        ? Math.max(
            MIN_FLEXIBLE_WIDTH,
            ...texts.map(dataWidth).filter((width) => !options.wraps || width <= MAX_WHOLE_WIDTH),
          )
        : undefined,
    }
  })
  const layout = layOutTable(
    columns,
    columns.map(({ wantedWidth }) => wantedWidth),
    options.maxWidth,
    options.indent,
  )
  if (!layout) {
    const block = blockPrinter(columns, options)
    return { head: '', row: (values: readonly unknown[]) => block(cellsOf(values)), leftOut: [] }
  }
  const slots = rowOfSlots(layout.widths)
  const line = (cells: readonly (TableCell | undefined)[]) => {
    let nth = -1
    const text = slots.replace(SLOT, (slot) => {
      nth += 1
      const index = layout.shown[nth] ?? -1
      return fitCell(cells[index], slot.length, columns[index], options)
    })
    return `${text.trimEnd()}\n`
  }
  const row = (cells: readonly TableCell[]) => {
    if (options.maxWidth === undefined) return line(cells)
    const parts = cells.map((cell, index) => {
      const width = layout.widths[layout.shown.indexOf(index)]
      const wraps = columns[index]?.isFlexible && (options.wraps || HOLDS_DATA.test(cell.text))
      return wraps && width !== undefined ? wrapText(cell.text, width) : [cell.text]
    })
    const lines = Array.from({ length: Math.max(1, ...parts.map(({ length }) => length)) }, (_, at) =>
      line(cells.map((cell, index) => ({ ...cell, text: parts[index]?.[at] ?? '' }))),
    )
    return lines.join('')
  }
  return {
    head: options.headers ? row(columns.map(({ header }) => ({ text: header, style: 'bold' }))) : '',
    row: (values: readonly unknown[]) => row(cellsOf(values)),
    leftOut: [...columns.keys()].filter(
      (index) => !(layout.shown.includes(index) || columns[index]?.isEmpty),
    ),
  }
}

function blockPrinter(
  columns: readonly TableColumn[],
  { headers, colour, maxWidth = 0, indent = 0 }: TableOptions,
): (cells: readonly TableCell[]) => string {
  const width = headers ? Math.max(...columns.map(({ header }) => displayWidth(header))) + GAP : 0
  let separator = ''
  return (cells) => {
    const lines = columns.flatMap(({ header }, index) => {
      const { text = '', style } = cells[index] ?? {}
      if (text === '') return []
      const parts = wrapWords(text, Math.max(MIN_WRAPPED, maxWidth - width - indent))
      return labelledLines(headers ? header : '', width, parts, colour ? style : undefined)
    })
    const block = separator + lines.join('')
    separator = '\n'
    return block
  }
}

/** Returns lines, the first with the label. */
export function labelledLines(label: string, width: number, parts: readonly string[], style?: Style) {
  return parts.map(
    (part, at) => `${padEnd(at === 0 ? label : '', width)}${style ? styled(part, style) : part}\n`,
  )
}

function fitCell(
  cell: TableCell | undefined,
  width: number,
  column: (TableColumn & LayoutColumn) | undefined,
  { maxWidth, colour }: TableOptions,
) {
  const isCut = maxWidth !== undefined && column?.isFlexible
  const text = isCut ? truncate(cell?.text ?? '', width) : (cell?.text ?? '')
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  const shown = colour && cell?.style && text !== '' ? styled(text, cell.style) : text
  return isQuantity(column?.kind) ? padding + shown : shown + padding
}

/**
 * Lets cli-table3 lay out one row of fillers only: it measures most emoji wrong and does 7,000 rows a
 * second.
 */
function rowOfSlots(widths: readonly number[]) {
  const table = new Table({
    chars: NO_BORDERS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  })
  table.push(widths.map((width) => FILLER.repeat(width)))
  return table.toString()
}

function isQuantity(kind: CellKind | undefined) {
  return kind === 'number' || kind === 'distance' || kind === 'money'
}

export function tableCell(
  value: unknown,
  { kind, words }: Pick<TableColumn, 'kind' | 'words'>,
  { timeZone, inWords }: CellOptions,
): TableCell {
  const isCode = inWords && words !== undefined && typeof value === 'string'
  return {
    text: cellText(isCode ? wordsOf(words, value) : value, kind, timeZone),
    style: kind === 'status' ? statusStyle(value) : undefined,
  }
}

export interface TableColumn {
  header: string
  kind?: CellKind
  /** Kind of code that is shown in words. */
  words?: WordsKind
  /** True if cells may be cut. Quantities never are: half an amount would mislead. */
  flexible?: boolean
  /** Columns are left out by rank, lowest first; never without one. */
  rank?: number
}

interface LayoutColumn {
  isFlexible: boolean
  isEmpty?: boolean
  /** Default: `MIN_FLEXIBLE_WIDTH`. */
  leastWidth?: number
  rank?: number
}

/** Narrower terminals show blocks of lines. */
const MIN_TABLE_WIDTH = 60
const MIN_FLEXIBLE_WIDTH = 12
/** Matches numbers and codes: "38…" could be 388 days, so their cells wrap. */
const HOLDS_DATA = /\d|[A-Z]_[A-Z]/

function dataWidth(text: string) {
  if (!HOLDS_DATA.test(text)) return 0
  return Math.max(...text.split(' ').map((word) => (HOLDS_DATA.test(word) ? displayWidth(word) : 0)))
}

/** Narrows flexible columns, then leaves out the least important. @returns undefined if there is no room for a table */
export function layOutTable(
  columns: readonly LayoutColumn[],
  wanted: readonly number[],
  maxWidth: number | undefined,
  indent = 0,
) {
  let shown = [...columns.keys()]
  if (maxWidth === undefined) return { shown, widths: wanted }
  shown = shown.filter((index) => !columns[index]?.isEmpty)
  if (maxWidth < MIN_TABLE_WIDTH && columns.length > 1) return undefined
  const least = (index: number) => {
    const { isFlexible = false, leastWidth = MIN_FLEXIBLE_WIDTH } = columns[index] ?? {}
    const width = wanted[index] ?? 0
    return isFlexible ? Math.min(width, leastWidth) : width
  }
  const room = () => maxWidth - indent - GAP * (shown.length - 1)
  const leftOut: number[] = []
  while (sum(shown.map(least)) > room()) {
    const [first] = shown
      .filter((index) => columns[index]?.rank !== undefined)
      .sort((a, b) => (columns[a]?.rank ?? 0) - (columns[b]?.rank ?? 0))
    if (first === undefined) return undefined
    shown = shown.filter((index) => index !== first)
    leftOut.unshift(first)
  }
  // A wide column may have freed more room than needed, so columns that fit uncut return.
  for (const index of leftOut) {
    const more = [...shown, index].sort((a, b) => a - b)
    const needed = sum(more.map((each) => wanted[each] ?? 0)) + GAP * (more.length - 1)
    if (needed <= maxWidth - indent) shown = more
  }
  const widths = shown.map((index) => wanted[index] ?? 0)
  narrow(widths, room(), shown.map(least))
  return { shown, widths }
}

/** Shortens the widest shrinkable column until all fits. */
function narrow(widths: number[], room: number, least: readonly number[]) {
  for (let excess = sum(widths) - room; excess > 0; excess -= 1) {
    let widest = -1
    for (const [column, width] of widths.entries()) {
      if (width > (least[column] ?? 0) && width > (widths[widest] ?? 0)) widest = column
    }
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

function sum(numbers: readonly number[]) {
  return numbers.reduce((total, number) => total + number, 0)
}
