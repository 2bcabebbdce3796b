import { type Style, styled } from '../style.ts'
import { displayWidth, padEnd } from '../width.ts'
import type { CellKind } from './cell.ts'
import { createTable, tableCell, tableColumn } from './table.ts'

/** A line of a section; one without a value is left out. */
export interface Field {
  label: string
  value: unknown
  kind?: CellKind | undefined
}

/** Part of what is shown of one record: labelled values, a small table, or both. Without either it is left out. */
export interface Section {
  title?: string
  fields?: readonly Field[]
  columns?: readonly { header: string; kind?: CellKind }[]
  rows?: readonly (readonly unknown[])[]
}

export interface DetailsOptions {
  timeZone: string
  colour: boolean
  /** Width of the terminal; without it nothing is cut. */
  maxWidth: number | undefined
}

const INDENT = '  '

/** One record for people: aligned labels and values, sections apart by a blank line. Values are never cut. */
export function detailsText(sections: readonly Section[], options: DetailsOptions): string {
  const shown = sections.map((section) => ({
    ...section,
    fields: filled(section.fields ?? [], options.timeZone),
  }))
  const labels = shown.flatMap(({ fields }) => fields.map(({ label }) => displayWidth(label)))
  const labelWidth = Math.max(0, ...labels) + INDENT.length
  return shown
    .map(({ title, fields, columns, rows }) => {
      const lines = fields.map(({ label, text, style }) => {
        const value = style && options.colour ? styled(text, style) : text
        return `${padEnd(label, labelWidth)}${value}\n`
      })
      if (columns && rows && rows.length > 0) lines.push(...smallTable(columns, rows, options))
      if (lines.length === 0) return ''
      if (title === undefined) return lines.join('')
      return `${options.colour ? styled(title, 'bold') : title}\n${INDENT}${lines.join(INDENT)}`
    })
    .filter((text) => text !== '')
    .join('\n')
}

function filled(
  fields: readonly Field[],
  timeZone: string,
): { label: string; text: string; style?: Style | undefined }[] {
  return fields
    .map(({ label, value, kind }) => ({ label, ...tableCell(value, kind, timeZone) }))
    .filter(({ text }) => text !== '')
}

function smallTable(
  columns: NonNullable<Section['columns']>,
  rows: NonNullable<Section['rows']>,
  { timeZone, colour, maxWidth }: DetailsOptions,
): string[] {
  const cells = rows.map((row) => row.map((value, index) => tableCell(value, columns[index]?.kind, timeZone)))
  const table = createTable(
    columns.map(({ header, kind }) => tableColumn(header, kind, kind === undefined)),
    cells,
    { headers: true, colour, maxWidth: maxWidth === undefined ? undefined : maxWidth - INDENT.length },
  )
  return [table.head, ...cells.map((row) => table.row(row))]
}
