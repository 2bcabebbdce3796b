import { isRecord } from '../wire/raw.ts'
import { chooseColumns, columnRanks, columnsOf, withKinds } from './columns.ts'
import { plainValue } from './formats/cell.ts'
import { csvRow } from './formats/csv.ts'
import {
  type Items,
  type ListResult,
  type RecordResult,
  type RendererOptions,
  resultItems,
} from './result.ts'
import type { Sink } from './streams.ts'
import { visible } from './visible.ts'

/** Column widths are found in so many rows; they are also what is held back before the first line. */
const SAMPLE_SIZE = 500

export async function renderCsv<T>(
  result: ListResult<T> | RecordResult<T>,
  options: RendererOptions,
): Promise<void> {
  const { view } = result
  const { out } = options.streams
  const cell = (value: unknown) =>
    out.isTerminal && typeof value === 'string' ? visible(value, 'lines') : value
  await writeRows(resultItems(result), out, 1, async (sample) => {
    const columns = options.columns
      ? await chooseColumns(view, options.columns, sample)
      : columnsOf(view, 'all')
    if (options.headers) await out.write(csvRow(columns.map(({ name }) => name)))
    return (record) => csvRow(columns.map(({ value }) => cell(plainValue(value(record)))))
  })
}

export async function renderTable<T>(
  result: ListResult<T> | RecordResult<T>,
  options: RendererOptions,
): Promise<void> {
  const { view } = result
  const { out, err } = options.streams
  const { createTable, tableCell, tableColumn } = await import('./formats/table.ts')
  // Columns that were asked for are all shown, and codes as sent.
  const inWords = out.isTerminal && !options.columns
  const ranks = options.columns ? [] : columnRanks(view)
  let leftOut: string[] = []
  await writeRows(resultItems(result), out, SAMPLE_SIZE, async (sample) => {
    if (sample.length === 0) {
      if (!options.quiet) await err.write(`${view.empty}\n`)
      return () => ''
    }
    const columns = withKinds(
      options.columns ? await chooseColumns(view, options.columns, sample) : columnsOf(view),
      sample,
    )
    if (columns.some(({ kind }) => kind === 'date')) await options.onLocalTime?.()
    const cells = (record: T) =>
      columns.map(({ value, kind, words }) =>
        tableCell(value(record), kind, options.timeZone, inWords ? words : undefined),
      )
    const table = await createTable(
      columns.map(({ header, kind, flexible, identifies }, index) =>
        tableColumn(header, kind, {
          isFlexible: flexible && index > 0 && !identifies,
          rank: ranks[index],
        }),
      ),
      sample.map(cells),
      {
        headers: options.headers,
        colour: out.colour,
        maxWidth: out.columns,
        isWhole: sample.length < SAMPLE_SIZE,
        wraps: view.wraps,
      },
    )
    leftOut = table.leftOut.flatMap((index) => columns[index]?.name ?? [])
    await out.write(table.head)
    return (record) => table.row(cells(record))
  })
  if (leftOut.length === 0 || options.quiet) return
  await err.write(`Not shown at this width: ${leftOut.join(', ')}; --columns shows them\n`)
}

/**
 * Hold back a sample, from which `begin` learns how to write a row, then write each record as it comes. An item that is
 * no object has no columns: it is left out, as who read it has said.
 */
async function writeRows<T>(
  items: Items<T>,
  out: Sink,
  sampleSize: number,
  begin: (sample: readonly T[]) => Promise<(record: T) => string>,
): Promise<void> {
  const sample: T[] = []
  let toRow: ((record: T) => string) | undefined
  const start = async () => {
    const write = await begin(sample)
    for (const record of sample) await out.write(write(record))
    return write
  }
  try {
    for await (const record of items) {
      if (!isRecord(record)) continue
      if (toRow) await out.write(toRow(record))
      else if (sample.push(record) === sampleSize) toRow = await start()
    }
  } catch (error) {
    // Rows from before the failure are still printed.
    if (!toRow && sample.length > 0) await start()
    throw error
  }
  if (!toRow) await start()
}
