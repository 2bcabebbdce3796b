import { parseServiceDate } from '../wire/time.ts'
import { dateReader, formatsOf, withDateOrder } from './date-format.ts'
import headerWords from './header-words.json'
import type { Answers, Mapping, OpenQuestion } from './mapping.ts'
import { plainWords } from './status-words.ts'

/** Headers of other dates than the status's, such as `Ship date`. */
const OTHER_DAY = new RegExp(headerWords.otherDay)
/** Matches dates, even those that no format reads: `27 nov. 2026 à 14:05`, a spreadsheet's 46350.4. */
const LIKE_A_DATE = new RegExp(headerWords.likeDate, 'iu')

/** Takes the only column of dates. Leaves the question open if several fit, or its header names another date. */
export function detectDateColumn(
  columns: Record<string, string>,
  header: readonly string[],
  valuesOf: (column: string) => string[],
  open: OpenQuestion[],
) {
  const taken = Object.values(columns)
  const choices = header.filter((column) => {
    const values = column === '' || taken.includes(column) ? [] : valuesOf(column)
    const dates = values.filter((text) => LIKE_A_DATE.test(text))
    return dates.length > 0 && dates.length >= values.length * 0.5
  })
  const [column, ...others] = choices
  if (column === undefined) return
  const values = valuesOf(column)
  const isReadable = formatsOf(values).length > 0 || values.every(isWhole)
  if (others.length === 0 && isReadable && !OTHER_DAY.test(plainWords(column))) columns.trackingDate = column
  else {
    const what = 'which column has the day of the status'
    const flag = '--map trackingDate=COLUMN'
    open.push({ kind: 'column', of: 'trackingDate', what, flag, choices })
  }
}

/** True if a push reads the date without a format. */
const isWhole = (text: string) => (parseServiceDate(text) ?? parseServiceDate(`${text}Z`)) !== undefined

/** Leaves out an ambiguous format, so that each push refuses the rows. */
export function detectDate(
  dates: readonly string[],
  times: readonly string[],
  { timeColumn, zone, dateFormat, dates: order }: Answers & { timeColumn: string | undefined },
  open: OpenQuestion[],
): Mapping['date'] {
  const isApart = timeColumn !== undefined && dates.length > 0 && !dates.some((text) => text.includes(':'))
  const apart = isApart ? { timeColumn } : {}
  if (dateFormat !== undefined) return { format: dateFormat, zone, ...apart }
  const texts = isApart ? dates.map((text, at) => `${text} ${times[at] ?? ''}`.trim()) : dates
  const [format] = formatsOf(texts)
  if (format === undefined) {
    const what = `the format of the dates (${texts[0]})`
    if (!texts.every(isWhole)) open.push({ kind: 'date', of: '', what, flag: '--date-format DD.MM.YYYY' })
    return texts.length === 0 ? undefined : { zone, ...apart }
  }
  const choices = [format, ...otherFormats(format, texts)]
  const [, other] = choices
  // Dates with dots have the day first.
  if (other === undefined || (format.includes('.') && order === undefined)) return { format, zone, ...apart }
  if (order && choices.includes(withDateOrder(format, order)))
    return { format: withDateOrder(format, order), zone, ...apart }
  const what = `whether dates are ${choices.join(' or ')}`
  open.push({ kind: 'date', of: '', what, flag: `--date-format '${other}'`, choices })
  return { zone, ...apart }
}

/** Earliest year of a status: rules out wrong readings of two-digit years. */
const FIRST_YEAR = '2020'

/** Returns formats with the month or the year first that read all texts as well. */
function otherFormats(format: string, texts: readonly string[]) {
  const others = [withDateOrder(format, 'MDY'), format.replace(/^DD(.)MM\1YY(?!Y)/, 'YY$1MM$1DD')]
  return others.filter((other) => {
    const read = dateReader(other)
    return other !== format && texts.every((text) => (read(text) ?? '') >= FIRST_YEAR)
  })
}
