import { checkIdLine } from '../../api/return-references.ts'
import { detectDelimiter } from '../../bulk/rows/csv.ts'
import type { InputText } from '../../cli/command-input.ts'
import type { Context } from '../../cli/context.ts'
import { textFlag } from '../../config/flag-kinds.ts'
import { inputPath } from '../../config/paths.ts'
import { causedBy, messageOf, usageError } from '../../errors.ts'
import type { NamedByFile } from '../../mappings/names-in-export.ts'

const ID_COLUMN = /^client[-_ ]?shipment[-_ ]?id$/i
const SHOP_COLUMN = /^shop[-_ ]?code$/i

/** @throws AppError `usage` if no id was given */
export async function readShipmentIds(given: readonly string[], context: Context): Promise<string[]> {
  return (await readShipments({ given }, context)).map(({ id }) => id)
}

/** Returns ids with their shop, repeats included. @throws AppError `usage` if there is none */
export async function readShipments(
  { given, file, mapping }: { given: readonly string[]; file?: string; mapping?: string },
  context: Context,
): Promise<NamedByFile[]> {
  const { input } = context
  const found: NamedByFile[] = []
  for (const one of given)
    found.push(...(one === '-' ? linesOf(await input.read('-')) : [one]).map((id) => ({ id })))
  if (mapping !== undefined) found.push(...(await namesOfExport(context, file ?? '-', mapping)))
  else if (file !== undefined) found.push(...(await parseIds(await input.read(file))))
  const named = found.map(({ id, shop }) => ({ id: id.trim(), shop })).filter(({ id }) => id !== '')
  if (named.length > 0) return named
  throw usageError('No shipment was named.', 'give the ids that the labels were made with')
}

function linesOf({ text, name }: InputText) {
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) checkIdLine(line, name, index + 1)
  return lines
}

async function parseIds({ text, name: source }: InputText): Promise<NamedByFile[]> {
  const clean = text.replace(/^\ufeff/, '')
  const lines = linesOf({ text: clean, name: source })
  const [header = ''] = clean.trimStart().split(/\r?\n/, 1)
  const delimiter = detectDelimiter(header)
  const names = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  const isTable = names.some((name) => ID_COLUMN.test(name))
  if (!isTable && names.length > 1) {
    throw usageError(
      `${source} has no column clientShipmentId; it has: ${names.join(', ')}.`,
      'name the column so, or give one id a line',
    )
  }
  const ids = isTable ? await rowsOf(clean, delimiter, source) : lines.map((id) => ({ id }))
  const spoilt = ids.find(({ id }) => /^\d+(?:[.,]\d+)?E\+\d+$/i.test(id.trim()))
  if (spoilt === undefined) return ids
  throw usageError(
    `${source}: "${spoilt.id.trim()}" is a number that a spreadsheet has rounded.`,
    'format the column as text in the spreadsheet, then export it again',
  )
}

async function rowsOf(text: string, delimiter: string, source: string) {
  const { parse } = await import('csv-parse/sync')
  const options = { delimiter, relax_column_count: true, skip_empty_lines: true, trim: true }
  try {
    const rows = parse(text, options)
    const [id = 0, shop = -1] = [ID_COLUMN, SHOP_COLUMN].map((column) =>
      rows[0]?.findIndex((name) => column.test(name)),
    )
    return rows.slice(1).map((row) => ({ id: row[id] ?? '', shop: row[shop] || undefined }))
  } catch (cause) {
    throw causedBy(cause, 'usage', `${source} is not CSV: ${messageOf(cause)}`)
  }
}

export const exportFlags = {
  mapping: textFlag(
    'NAME',
    'The file is an export that names returns, read by this mapping (see rma mappings list)',
    { char: 'm' },
  ),
}

export async function namesOfExport(context: Context, file: string, mapping: string): Promise<NamedByFile[]> {
  const [{ mappingStore }, { namesInExport }] = await Promise.all([
    import('../../mappings/store.ts'),
    import('../../mappings/names-in-export.ts'),
  ])
  const { timeZone } = await context.settings()
  const read = await mappingStore(context.paths).read(mapping)
  const source = await inputPath(context, file)
  return namesInExport(source, read.mapping, { zone: timeZone.value, warn: (text) => context.warn(text) })
}
