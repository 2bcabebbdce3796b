import { escapeRegExp } from '../wire/plain.ts'
import { parseWallTime } from '../wire/time.ts'
import known from './date-formats.json'

export type DateOrder = 'DMY' | 'MDY'

/** Returns the format with day and month in this order, if both are numbers before the year. */
export function withDateOrder(format: string, order: DateOrder): string {
  const begin = order === 'DMY' ? /^(MM?)([./-])(DD?)\2/ : /^(DD?)([./-])(MM?)\2/
  return format.replace(begin, '$3$2$1$2')
}

const PARTS: Readonly<Record<string, string>> = known.parts

const SPLIT = /(YYYY|YY|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|A)/
const KINDS = {
  year: /^Y/,
  month: /^M/,
  day: /^D/,
  hour: /^[Hh]/,
  minute: /^m/,
  second: /^s/,
  'AM or PM': /^A/,
}

/** Returns undefined for a valid format. */
export function formatProblem(format: string): string | undefined {
  const parts = format.split(SPLIT).filter((_part, at) => at % 2 === 1)
  for (const [kind, pattern] of Object.entries(KINDS)) {
    const count = parts.filter((part) => pattern.test(part)).length
    if (count > 1) return `has the ${kind} twice`
    if (count === 0 && ['year', 'month', 'day'].includes(kind)) return `has no ${kind}`
  }
  const hasHalfDays = parts.some((part) => part.startsWith('h'))
  return hasHalfDays === parts.includes('A')
    ? undefined
    : 'has hh without A, or A without hh; HH is of 24 hours'
}

/** Returns the month's number; January's without a name. */
function monthOf(name: string | undefined) {
  return name === undefined ? '1' : String(known.months.indexOf(name.toLowerCase()) + 1)
}

/** Reads dates as wall times, `YYYY-MM-DDTHH:MM:SS`; undefined for other texts. */
export function dateReader(format: string): (text: string) => string | undefined {
  const source = format
    .split(SPLIT)
    .map((part, at) => (at % 2 === 1 ? PARTS[part] : escapeRegExp(part)))
    .join('')
  const pattern = new RegExp(`^${source}$`, 'i')
  return (text) => {
    const found = pattern.exec(text.trim().replace(/\s+/g, ' '))?.groups
    if (found === undefined) return undefined
    const { Y, y, N, M = monthOf(N), D = '1', H, h, m = '0', s = '0', A } = found
    const year = Y ?? `20${y}`
    const hour = H ?? (h === undefined ? '0' : String((Number(h) % 12) + (/^p/i.test(A ?? '') ? 12 : 0)))
    const two = (part: string) => part.padStart(2, '0')
    const wall = `${year}-${two(M)}-${two(D)}T${two(hour)}:${two(m)}:${two(s)}`
    return parseWallTime(wall) === undefined ? undefined : wall
  }
}

export function formatsOf(dates: readonly string[]): string[] {
  const formats = known.days.flatMap((day) => known.times.map((time) => `${day}${time}`))
  return formats.filter((format) => {
    const read = dateReader(format)
    return dates.length > 0 && dates.every((text) => read(text) !== undefined)
  })
}

const NUMERIC = {
  DMY: known.times.map((time) => dateReader(`D/M/YYYY${time}`)),
  MDY: known.times.map((time) => dateReader(`M/D/YYYY${time}`)),
}

/** Reads `01/11/2026 9:30` as a wall time; undefined for other texts. */
export function numericDate(text: string, order: DateOrder): string | undefined {
  const plain = text.replace(
    /^\s*(\d+)[./-](\d+)[./-](\d{4}|\d\d(?!\d)),?/,
    (_, one, other, year: string) => `${one}/${other}/${year.padStart(4, '20')}`,
  )
  return NUMERIC[order].map((read) => read(plain)).find((wall) => wall !== undefined)
}
