import { checkIdLine } from '../../api/return-references.ts'
import type { InputText } from '../../cli/command-input.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'

const ID_COLUMN = /^client[-_ ]?shipment[-_ ]?id$/i
const SEPARATORS = [',', ';', '\t'] as const
/** Form that spreadsheets give long numbers. */
const SCIENTIFIC = /^\d+(?:[.,]\d+)?E\+\d+$/i

export interface IdSources {
  /** Arguments. `-` stands for the lines of standard input. */
  given: readonly string[]
  /** One id a line, or CSV with a column `clientShipmentId`; `-` is standard input. */
  file?: string | undefined
  repeated?: boolean | undefined
}

/** Ids of shipments in their order, each once unless `repeated`. @throws AppError `usage` if there are none */
export async function readShipmentIds(
  { given, file, repeated }: IdSources,
  { input }: Pick<Context, 'input'>,
): Promise<string[]> {
  const ids: string[] = []
  const add = (id: string) => {
    if (id.trim() !== '') ids.push(id.trim())
  }
  for (const one of given) {
    if (one !== '-') add(one)
    else for (const line of linesOf(await input.read('-'))) add(line)
  }
  if (file !== undefined) {
    for (const id of await parseIds(await input.read(file))) add(id)
  }
  if (ids.length > 0) return repeated ? ids : [...new Set(ids)]
  throw new AppError('usage', 'No shipment was named.', {
    hints: ['give the ids that the labels were made with, or --file FILE with one id a line'],
  })
}

function linesOf({ text, name }: InputText): string[] {
  const lines = text.split(/\r?\n/)
  for (const [index, line] of lines.entries()) checkIdLine(line, name, index + 1)
  return lines
}

async function parseIds({ text, name: source }: InputText): Promise<string[]> {
  const clean = text.replace(/^\ufeff/, '')
  const lines = linesOf({ text: clean, name: source })
  const [header = ''] = clean.trimStart().split(/\r?\n/, 1)
  const names = header.split(/[,;\t]/).map((name) => name.trim().replace(/^"(.*)"$/, '$1'))
  const isTable = names.some((name) => ID_COLUMN.test(name))
  if (!isTable && names.length > 1) {
    throw new AppError('usage', `${source} has no column clientShipmentId; it has: ${names.join(', ')}.`, {
      hints: ['name the column so, or give one id a line'],
    })
  }
  const ids = isTable ? await columnOf(clean, header, source) : lines
  const spoilt = ids.findIndex((id) => SCIENTIFIC.test(id.trim()))
  if (spoilt === -1) return ids
  throw new AppError(
    'usage',
    `${source}: "${ids[spoilt]?.trim()}" is a number that a spreadsheet has rounded.`,
    { hints: ['format the column as text in the spreadsheet, then export it again'] },
  )
}

async function columnOf(text: string, header: string, source: string): Promise<string[]> {
  const { parse } = await import('csv-parse/sync')
  const delimiter = SEPARATORS.find((one) => header.includes(one)) ?? ','
  try {
    const rows: string[][] = parse(text, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
    const column = rows[0]?.findIndex((name) => ID_COLUMN.test(name)) ?? 0
    return rows.slice(1).map((row) => row[column] ?? '')
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('usage', `${source} is not CSV: ${reason}`, { cause })
  }
}
