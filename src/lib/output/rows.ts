import { isRecord } from '../wire/raw.ts'
import { chooseColumns, columnRanks, columnsOf, withNumberKinds } from './columns.ts'
import { isDate, plainValue } from './formats/cell.ts'
import { csvRow } from './formats/csv.ts'
import { type Items, type RendererOptions, type RowsResult, resultItems } from './result.ts'
import type { Sink } from './streams.ts'
import { visible } from './visible.ts'

/** Row printers of results in parts, by view: all parts have the columns of the first. */
export type KeptTables = WeakMap<object, (record: never) => string>

const SAMPLE_SIZE = 500

export async function renderCsv<T>(result: RowsResult<T>, options: RendererOptions) {
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

export async function renderTable<T>(result: RowsResult<T>, options: RendererOptions, tables?: KeptTables) {
  const { view } = result
  const { out, err } = options.streams
  const { createTable } = await import('./formats/table.ts')
  const inWords = out.isTerminal && !options.columns
  const ranks = options.columns ? [] : columnRanks(view)
  let leftOut: string[] = []
  await writeRows(resultItems(result), out, SAMPLE_SIZE, async (sample) => {
    const known = tables?.get(view)
    if (known) return known as (record: T) => string
    if (sample.length === 0) {
      if (!options.quiet) await err.write(`${view.empty}\n`)
      return () => ''
    }
    const columns = withNumberKinds(
      options.columns ? await chooseColumns(view, options.columns, sample) : columnsOf(view),
      sample,
    )
    if (columns.some(({ kind }) => isDate(kind))) await options.onLocalTime?.()
    const valuesOf = (record: T) =>
      columns.map(({ value, shown = value }) => (options.columns ? value : shown)(record))
    const table = await createTable(
      columns.map((column, index) => ({
        ...column,
        flexible: column.flexible && (index > 0 || !options.columns) && !column.identifies,
        rank: ranks[index],
      })),
      sample.map(valuesOf),
      {
        ...options,
        inWords,
        colour: out.colour,
        maxWidth: out.columns,
        wraps: view.wraps,
        isWhole: sample.length < SAMPLE_SIZE,
        keepsEmpty: (options.columns ?? tables) !== undefined,
      },
    )
    leftOut = table.leftOut.flatMap((index) => columns[index]?.name ?? [])
    await out.write(table.head)
    const toRow = (record: T) => table.row(valuesOf(record))
    tables?.set(view, toRow)
    return toRow
  })
  if (leftOut.length === 0 || options.quiet) return
  await err.write(`Not shown at this width: ${leftOut.join(', ')}; --columns shows them\n`)
}

/** Passes the first items to `begin`, which returns the row printer. Skips items that are not objects. */
async function writeRows<T>(
  items: Items<T>,
  out: Sink,
  sampleSize: number,
  begin: (sample: readonly T[]) => Promise<(record: T) => string>,
) {
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
