import { type Style, styled } from '../style.ts'
import { displayWidth, padEnd, prepareWidths } from '../width.ts'
import type { CellKind } from './cell.ts'
import { createTable, tableCell, tableColumn } from './table.ts'

/** Left out without a value. */
export interface Field {
  label: string
  value: unknown
  kind?: CellKind | undefined
}

/** Labelled values, a small table, or both; left out without either. */
export interface Section {
  title?: string
  fields?: readonly Field[]
  columns?: readonly { header: string; kind?: CellKind }[]
  rows?: readonly (readonly unknown[])[]
}

export interface DetailsOptions {
  timeZone: string
  colour: boolean
  /** Width of the terminal; nothing is cut without it. */
  maxWidth: number | undefined
}

const INDENT = '  '

/** One record for people: sections apart by a blank line. Values are never cut. */
export async function detailsText(sections: readonly Section[], options: DetailsOptions): Promise<string> {
  const shown = sections.map((section) => ({
    ...section,
    fields: filled(section.fields ?? [], options.timeZone),
  }))
  const labels = shown.flatMap(({ fields }) => fields.map(({ label }) => label))
  await prepareWidths(labels)
  const labelWidth = Math.max(0, ...labels.map(displayWidth)) + INDENT.length
  const texts: string[] = []
  for (const { title, fields, columns, rows } of shown) {
    const lines = fields.map(({ label, text, style }) => {
      const value = style && options.colour ? styled(text, style) : text
      return `${padEnd(label, labelWidth)}${value}\n`
    })
    if (columns && rows && rows.length > 0) lines.push(...(await smallTable(columns, rows, options)))
    if (lines.length === 0) continue
    const heading = title !== undefined && options.colour ? styled(title, 'bold') : title
    texts.push(heading === undefined ? lines.join('') : `${heading}\n${INDENT}${lines.join(INDENT)}`)
  }
  return texts.join('\n')
}

function filled(
  fields: readonly Field[],
  timeZone: string,
): { label: string; text: string; style?: Style | undefined }[] {
  return fields
    .map(({ label, value, kind }) => ({ label, ...tableCell(value, kind, timeZone) }))
    .filter(({ text }) => text !== '')
}

async function smallTable(
  columns: NonNullable<Section['columns']>,
  rows: NonNullable<Section['rows']>,
  { timeZone, colour, maxWidth }: DetailsOptions,
): Promise<string[]> {
  const cells = rows.map((row) => row.map((value, index) => tableCell(value, columns[index]?.kind, timeZone)))
  const table = await createTable(
    columns.map(({ header, kind }) => tableColumn(header, kind, kind === undefined)),
    cells,
    {
      headers: true,
      colour,
      isWhole: true,
      maxWidth: maxWidth === undefined ? undefined : maxWidth - INDENT.length,
    },
  )
  return [table.head, ...cells.map((row) => table.row(row))]
}
