import type { WordsKind } from '../../wire/words.ts'
import { type Style, styled } from '../style.ts'
import { displayWidth, prepareWidths, wrapWords } from '../width.ts'
import type { CellKind } from './cell.ts'
import {
  type CellOptions,
  createTable,
  labelledLines,
  MIN_WRAPPED,
  type TableColumn,
  tableCell,
} from './table.ts'

/** Fields without a value are left out. */
export interface Field {
  label: string
  value: unknown
  kind?: CellKind
  words?: WordsKind
}

/** Sections without content are left out. */
export interface Section {
  title?: string
  drawing?: (columns: number) => readonly string[]
  isText?: boolean
  /** True if a pipe also shows codes as words. */
  inWords?: boolean
  fields?: readonly Field[]
  columns?: readonly TableColumn[]
  rows?: readonly (readonly unknown[])[]
}

interface DetailsOptions extends CellOptions {
  colour: boolean
  maxWidth: number | undefined
}

const INDENT = '  '
const MAX_DRAWING_WIDTH = 72

/** Prints sections of labelled values, which are never cut. */
export async function detailsText(sections: readonly Section[], options: DetailsOptions): Promise<string> {
  const shown = sections.map((section) => ({
    ...section,
    fields: filled(section.fields ?? [], section.inWords ? { ...options, inWords: true } : options),
  }))
  const isMeasured = options.maxWidth !== undefined
  await prepareWidths(
    shown.flatMap(({ fields }) =>
      fields.flatMap(({ label, text }) => (isMeasured ? [label, text] : [label])),
    ),
  )
  const commonWidth = labelsWidth(shown.filter(({ isText }) => !isText).flatMap(({ fields }) => fields))
  const texts: string[] = []
  for (const { title, isText, drawing, fields, columns, rows } of shown) {
    const labelWidth = isText ? labelsWidth(fields) : commonWidth
    const width = (options.maxWidth ?? Number.POSITIVE_INFINITY) - (title === undefined ? 0 : INDENT.length)
    const lines = fields.flatMap((field) => fieldLines(field, labelWidth, width, options))
    lines.push(...(drawing?.(Math.min(width, MAX_DRAWING_WIDTH)) ?? []).map((line) => `${line}\n`))
    if (columns && rows && rows.length > 0) lines.push(...(await smallTable(columns, rows, options)))
    if (lines.length === 0) continue
    const heading = title !== undefined && options.colour ? styled(title, 'bold') : title
    texts.push(
      heading === undefined
        ? lines.join('')
        : `${heading}\n${lines.map((line) => (line === '\n' ? line : INDENT + line)).join('')}`,
    )
  }
  return texts.join('\n')
}

interface FilledField {
  label: string
  text: string
  style?: Style
}

function fieldLines(
  { label, text, style }: FilledField,
  labelWidth: number,
  width: number,
  { colour }: DetailsOptions,
) {
  const room = width - labelWidth
  const parts = Number.isFinite(room) && room >= MIN_WRAPPED ? wrapWords(text, room) : [text]
  return labelledLines(label, labelWidth, parts, colour ? style : undefined)
}

function labelsWidth(fields: readonly { label: string }[]) {
  return Math.max(0, ...fields.map(({ label }) => displayWidth(label))) + INDENT.length
}

function filled(fields: readonly Field[], options: DetailsOptions): FilledField[] {
  return fields
    .map((field) => ({ label: field.label, ...tableCell(field.value, field, options) }))
    .filter(({ text }) => text !== '')
}

async function smallTable(
  columns: readonly TableColumn[],
  rows: NonNullable<Section['rows']>,
  options: DetailsOptions,
) {
  const layout = { headers: true, isWhole: true, indent: INDENT.length, wraps: true }
  const table = await createTable(columns, rows, { ...options, ...layout })
  return [table.head, ...rows.map((row) => table.row(row))].join('').split(/(?<=\n)/)
}
