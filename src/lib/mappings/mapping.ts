import * as z from 'zod'
import { causedBy } from '../errors.ts'
import { clockChangeNote, isTimeZone, wallTimeToInstant } from '../wire/time.ts'
import { type DateOrder, dateReader, formatProblem } from './date-format.ts'
import { plainWords, statusInWords } from './status-words.ts'

export const MAPPING_VERSION = 1

const words = z.record(z.string(), z.string())

export const mappingSchema = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(MAPPING_VERSION),
  source: z.string().optional().describe('Where the format is documented, and what of it is not'),
  sheet: z.string().optional(),
  columns: words.describe('The column of each field; the header is the first row that has them all'),
  statuses: words.default({}).describe('What each word of the status column stands for; /…/ is a pattern'),
  date: z
    .strictObject({
      format: z
        .string()
        .refine((format) => formatProblem(format) === undefined, 'is not a date format')
        .optional()
        .describe('YYYY YY MMM MM M DD D HH H hh h mm ss A, all else as it stands'),
      zone: z
        .string()
        .refine(isTimeZone, 'is not an IANA time zone, such as Europe/Madrid')
        .describe('IANA name'),
      timeColumn: z.string().optional().describe('The column of the time, where that is not in the date'),
    })
    .optional(),
  by: z
    .literal('tracking-number')
    .optional()
    .describe('Find the return of each row by its tracking number, in the mirror'),
  constants: words.default({}).describe('A value for every row'),
  leaveOut: z
    .array(z.strictObject({ column: z.string(), pattern: z.string(), blank: z.string().optional() }))
    .default([])
    .describe('Rows to skip, such as totals; with `blank` only rows without a value in that column'),
  looseNames: z.boolean().default(false).describe('Take LU105189 for R#-LU105189'),
  commonWords: z
    .boolean()
    .default(false)
    .describe('Also use words that carriers share, where statuses lacks them'),
  detect: z.boolean().default(false).describe('Detect missing parts in each file, like rma mappings init'),
})
export type Mapping = z.infer<typeof mappingSchema>

type CellOf = (column: string) => string

export interface AppliedMapping {
  /** False for totals and remarks. */
  isRow(cell: CellOf): boolean
  /** Returns unknown words as they are. */
  status(text: string): string
  /** Returns ISO 8601; other texts as they are. `onDoubt` is called for a time that the clocks skip or show twice. */
  date(text: string, cell: CellOf, onDoubt: (doubt: string) => void): string
}

/** Most texts kept in a cache. */
const MAX_KNOWN = 1000

export function applyMapping({
  statuses,
  date,
  leaveOut = [],
  commonWords,
}: Pick<Mapping, 'statuses'> & Partial<Mapping>): AppliedMapping {
  const exact = new Map<string, string>()
  const patterns: { pattern: RegExp; status: string }[] = []
  for (const [text, status] of Object.entries(statuses)) {
    const [, source] = /^\/(.+)\/$/.exec(text) ?? []
    if (source === undefined) exact.set(plainWords(text), status)
    else patterns.push({ pattern: patternOf(source), status })
  }
  const left = leaveOut.map((one) => ({ ...one, pattern: patternOf(one.pattern) }))
  const readWall = date?.format === undefined ? undefined : dateReader(date.format)
  const known = new Map<string, string>()
  const statusOf = (text: string) =>
    exact.get(plainWords(text)) ??
    patterns.find(({ pattern }) => pattern.test(text))?.status ??
    (commonWords ? statusInWords(text) : undefined) ??
    text
  return {
    isRow: (cell) =>
      !left.some(
        ({ column, pattern, blank }) =>
          pattern.test(cell(column).trim()) && (blank === undefined || cell(blank).trim() === ''),
      ),
    status: (text) => {
      const status = known.get(text) ?? statusOf(text)
      if (known.size < MAX_KNOWN) known.set(text, status)
      return status
    },
    date: (text, cell, onDoubt) => {
      if (date === undefined) return text
      const time = date.timeColumn === undefined ? '' : cell(date.timeColumn).trim()
      const whole = `${text} ${time}`.trim()
      const wall = readWall?.(whole)
      if (wall === undefined) return whole
      const read = wallTimeToInstant(wall, date.zone, 'earlier')
      const doubt = clockChangeNote(wall, date.zone, read)
      if (doubt !== undefined) onDoubt(doubt)
      return new Date(read.epochMs).toISOString().replace('.000Z', 'Z')
    },
  }
}

function patternOf(source: string) {
  try {
    return new RegExp(source, 'i')
  } catch (cause) {
    throw causedBy(cause, 'config', `The mapping has an invalid pattern: ${source}.`)
  }
}

/** User's answers about an export; they take precedence over detection. */
export interface Answers {
  /** IANA name, for dates without a zone. */
  zone: string
  /** Field → column; columns that the export lacks are ignored. */
  columns?: Readonly<Record<string, string>>
  constants?: Readonly<Record<string, string>>
  statuses?: Readonly<Record<string, string>>
  dateFormat?: string
  dates?: DateOrder
  /** Returns are found by tracking number; no column names them. */
  byNumber?: boolean
  /** True if only names are read: an order may stand for its returns, and dates don't matter. */
  namesOnly?: boolean
}

/** Question that detection leaves to the user. */
export interface OpenQuestion {
  kind: 'column' | 'status' | 'date'
  /** The field, or the word of the status column. */
  of: string
  what: string
  flag: string
  choices?: readonly string[]
  /** True if no row can be sent without the answer. */
  isNeeded?: boolean
}
