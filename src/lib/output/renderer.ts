import { recordText, stringifyJson } from '../wire/json.ts'
import { chooseColumns, columnsOf } from './columns.ts'
import { isDate } from './formats/cell.ts'
import type { Section } from './formats/details.ts'
import { type Envelope, jsonDocument, jsonList, ndjsonLine } from './formats/json.ts'
import {
  type Items,
  type ListResult,
  type PartResult,
  type RecordResult,
  type RendererOptions,
  type Result,
  type RowsResult,
  resultItems,
} from './result.ts'
import { type KeptTables, renderCsv, renderTable } from './rows.ts'
import type { Sink } from './streams.ts'
import type { View } from './view.ts'
import { longTextParts, visible } from './visible.ts'
import { wrapMessage } from './width.ts'

export type { Result } from './result.ts'

export type Renderer = ReturnType<typeof createRenderer>

export function createRenderer(options: RendererOptions) {
  const tables: KeptTables = new WeakMap()
  return {
    /**
     * @throws AppError `usage` for an unknown column or a failing jq expression; `ClosedPipe` when the reader has left
     */
    render: <T>(result: Result<T>) =>
      result.kind === 'part' ? renderPart(result, options, tables) : renderWhole(result, options),
    /** Checks `--columns` and `--jq` before any request. Throws like `render`. */
    check: async <T>(view?: View<T>) => {
      if (view && options.columns) await chooseColumns(view, options.columns)
      if (options.jq === undefined) return
      const { compileJq } = await import('./formats/jq.ts')
      await compileJq(options.jq, options.streams.failWriting)
    },
  }
}

async function renderPart<T>(part: PartResult<T>, options: RendererOptions, tables: KeptTables) {
  const { items, view, isFirst } = part
  const { format, jq, headers, streams } = options
  const list = { kind: 'list', items, view } as const
  const continued = { ...options, headers: headers && isFirst }
  if (jq === undefined && format === 'table') return renderTable(list, continued, tables)
  if (jq === undefined && ['csv', 'ndjson'].includes(format)) return renderWhole(list, continued)
  for (const record of items) {
    if (jq === undefined && format === 'yaml') await streams.out.write('---\n')
    await renderWhole({ kind: 'record', record, view }, options)
  }
}

type WholeResult<T> = Exclude<Result<T>, PartResult<T>>

async function renderWhole<T>(result: WholeResult<T>, options: RendererOptions) {
  const { format, jq } = options
  const { out } = options.streams
  if (result.kind === 'record' && result.list) return renderWithList(result, result.list, options)
  if (jq !== undefined) return renderJq(result, jq, options)
  if (format === 'json' || format === 'geojson') return renderDocument(result, out, jsonDocument, jsonList)
  if (format === 'yaml') {
    const { yamlDocument, yamlList } = await import('./formats/yaml.ts')
    return renderDocument(result, out, yamlDocument, yamlList)
  }
  if (result.kind === 'text') {
    if (format === 'ndjson') return out.write([result.json].flat().map(ndjsonLine).join(''))
    const lines = `${visible(result.text, 'lines')}\n`.replace(/^\n$/, '')
    return out.write(result.isProse ? wrapMessage(lines, out.columns) : lines)
  }
  if (format === 'ndjson') {
    for await (const record of resultItems(result)) await writeInParts(ndjsonLine(record), out)
    return
  }
  if (format === 'csv') return renderCsv(result, options)
  return options.columns ? renderTable(result, options) : renderForPeople(result, options)
}

async function renderForPeople<T>(result: RowsResult<T>, options: RendererOptions) {
  const { out } = options.streams
  if (result.kind === 'record') return renderDetails(result, options)
  const { items, details, overview, lead } = result
  if (details) return renderCards(items, details, options)
  if (overview && out.isTerminal) return renderSections(overview(), options)
  if (lead) {
    await renderSections([lead], options)
    await out.write('\n')
  }
  return renderTable(result, options)
}

async function renderWithList<T>(
  result: RecordResult<T>,
  { key, items }: NonNullable<RecordResult<T>['list']>,
  options: RendererOptions,
) {
  const { record, list: _, ...rest } = result
  const { format, jq, columns, streams } = options
  if (jq === undefined && format === 'json') {
    const envelope = { before: Object.fromEntries(Object.entries(record ?? {})), key }
    for await (const text of jsonList(items, envelope)) await streams.out.write(text)
    return
  }
  const isShort = jq === undefined && format === 'table' && !columns
  const all: unknown[] = []
  if (!isShort) for await (const item of items) all.push(item)
  await renderWhole({ ...rest, record: isShort ? record : { ...record, [key]: all } }, options)
}

async function renderDocument<T>(
  result: WholeResult<T>,
  out: Sink,
  toDocument: (value: unknown) => string,
  toList: (items: Items<unknown>, envelope?: Envelope) => AsyncIterable<string>,
) {
  if (result.kind !== 'list')
    return writeInParts(toDocument(result.kind === 'text' ? result.json : result.record), out)
  for await (const text of toList(result.items, result.envelope)) await writeInParts(text, out)
}

/** Waits after each part, as copying a text that holds files takes much memory. */
async function writeInParts(text: string, out: Sink) {
  for (const part of longTextParts(text)) await out.write(part)
}

async function renderJq<T>(
  result: WholeResult<T>,
  expression: string,
  { format, streams: { out, failWriting } }: RendererOptions,
) {
  const { compileJq, jqOfEach, jqOfList } = await import('./formats/jq.ts')
  let texts: Items<string>
  if (result.kind !== 'list') {
    const document = result.kind === 'text' ? result.json : result.record
    texts = (await compileJq(expression, failWriting))(stringifyJson(document))
  } else if (format === 'ndjson') texts = jqOfEach(expression, jsonItems(result), failWriting)
  else texts = jqOfList(expression, jsonItems(result), result.envelope, failWriting)
  for await (const text of texts) {
    // A terminal would obey control characters.
    await out.write(`${out.isTerminal ? visible(text, 'lines') : text}\n`)
  }
}

async function* jsonItems<T>({ items }: ListResult<T>) {
  for await (const item of items) yield recordText(item)
}

async function renderDetails<T>({ record, view, details }: RecordResult<T>, options: RendererOptions) {
  const columns = columnsOf(view, 'all')
  const sections = (await details?.(record)) ?? [
    {
      fields: columns.map(({ name, header, value, kind, words }) => ({
        label: header || name.toUpperCase(),
        value: value(record),
        kind,
        words,
      })),
    },
  ]
  await renderSections(sections, options)
}

async function renderCards<T>(
  items: Items<T>,
  details: (record: T) => Section[] | Promise<Section[]>,
  options: RendererOptions,
) {
  let isFirst = true
  for await (const record of items) {
    const sections = await details(record)
    if (!isFirst) await options.streams.out.write('\n')
    await renderSections(sections, options)
    isFirst = false
  }
}

async function renderSections(
  sections: readonly Section[],
  { streams: { out }, timeZone, onLocalTime }: RendererOptions,
) {
  const hasDates = sections.some(
    ({ fields = [], columns = [], rows = [] }) =>
      fields.some(({ kind, value }) => isDate(kind) && value) ||
      (rows.length > 0 && columns.some(({ kind }) => isDate(kind))),
  )
  if (hasDates) await onLocalTime?.()
  const { detailsText } = await import('./formats/details.ts')
  const layout = { timeZone, colour: out.colour, maxWidth: out.columns, inWords: out.isTerminal }
  await out.write(await detailsText(sections, layout))
}
