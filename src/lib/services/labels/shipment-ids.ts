import { checkIdLine } from '../../api/return-references.ts'
import { detectDelimiter } from '../../bulk/rows/csv.ts'
import type { InputText } from '../../cli/command-input.ts'
import type { Context } from '../../cli/context.ts'
import { textFlag } from '../../config/flag-kinds.ts'
import { inputPath } from '../../config/paths.ts'
import { causedBy, messageOf, usageError } from '../../errors.ts'

const ID_COLUMN = /^client[-_ ]?shipment[-_ ]?id$/i

/** @throws AppError `usage` if no id was given */
export async function readShipmentIds(
  { given, file, repeated }: { given: readonly string[]; file?: string; repeated?: boolean },
  { input }: Context,
): Promise<string[]> {
  const found: string[] = []
  for (const one of given) found.push(...(one === '-' ? linesOf(await input.read('-')) : [one]))
  if (file !== undefined) found.push(...(await parseIds(await input.read(file))))
  const ids = found.map((id) => id.trim()).filter((id) => id !== '')
  if (ids.length > 0) return repeated ? ids : [...new Set(ids)]
  throw usageError('No shipment was named.', 'give the ids that the labels were made with')
}

function linesOf({ text, name }: InputText) {
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) checkIdLine(line, name, index + 1)
  return lines
}

async function parseIds({ text, name: source }: InputText) {
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
  const ids = isTable ? await columnOf(clean, delimiter, source) : lines
  const spoilt = ids.find((id) => /^\d+(?:[.,]\d+)?E\+\d+$/i.test(id.trim()))
  if (spoilt === undefined) return ids
  throw usageError(
    `${source}: "${spoilt.trim()}" is a number that a spreadsheet has rounded.`,
    'format the column as text in the spreadsheet, then export it again',
  )
}

async function columnOf(text: string, delimiter: string, source: string) {
  const { parse } = await import('csv-parse/sync')
  const options = { delimiter, relax_column_count: true, skip_empty_lines: true, trim: true }
  try {
    const rows = parse(text, options)
    const column = rows[0]?.findIndex((name) => ID_COLUMN.test(name)) ?? 0
    return rows.slice(1).map((row) => row[column] ?? '')
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

export async function namesOfExport(context: Context, file: string, mapping: string): Promise<string[]> {
  const [{ mappingStore }, { namesInExport }] = await Promise.all([
    import('../../mappings/store.ts'),
    import('../../mappings/names-in-export.ts'),
  ])
  const { timeZone } = await context.settings()
  const read = await mappingStore(context.paths).read(mapping)
  const source = await inputPath(context, file)
  return namesInExport(source, read.mapping, { zone: timeZone.value, warn: (text) => context.warn(text) })
}
