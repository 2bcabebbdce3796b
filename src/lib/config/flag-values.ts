import { nearHints, usageError } from '../errors.ts'
import {
  durationSeconds,
  instantToWallTime,
  isDay,
  offsetText,
  parseServiceDate,
  parseWallTime,
  wallTimeToInstant,
} from '../wire/time.ts'
import { type WordsKind, wordsOf } from '../wire/words.ts'

const EXAMPLES = '2026-03-01, 2026-03-01T10:30, 2026-03-01T10:30:00+01:00, today, yesterday, 7d, 2w, 12h, 30m'
const DAY_MS = 86_400_000

interface WhenOptions {
  /** A whole day starts at 00:00:00 (`from`) or ends at 23:59:59. */
  edge: 'from' | 'to'
  zone: string
  now: number
  flag: string
}

interface When {
  /** `YYYY-MM-DDTHH:MM:SS` in the zone (spec §4.7). */
  wall: string
  epochMs: number
  notes: string[]
}

/** Reads an ISO date or date-time, `today`, `yesterday`, `30m` or `7d` ago. @throws AppError `usage` */
export function parseWhen(input: string, options: WhenOptions): When {
  const { zone, edge, flag } = options
  const requested = readWall(input.trim(), options)
  if (requested === undefined || parseWallTime(requested) === undefined) {
    const why = /^\d{4}-\d{2}-\d{2}/.test(input.trim())
      ? 'is not a date and time that exists'
      : 'is not a date'
    throw usageError(`${flag}: ${JSON.stringify(input)} ${why}`, `use one of: ${EXAMPLES}`)
  }
  const { epochMs, kind } = wallTimeToInstant(requested, zone, edge === 'from' ? 'earlier' : 'later')
  const wall = instantToWallTime(epochMs, zone)
  const noting = (...notes: string[]) => ({ wall, epochMs, notes })
  if (kind === 'exact') return noting()
  if (kind === 'gap') {
    return noting(`${flag}: ${requested} does not exist in ${zone}, the clocks skip it; using ${wall}`)
  }
  const first = offsetText(wallTimeToInstant(requested, zone, 'earlier').epochMs, zone)
  const second = offsetText(wallTimeToInstant(requested, zone, 'later').epochMs, zone)
  // The service takes wall times only: an offset in the input can't tell the two apart.
  const meant = edge === 'from' ? 'starts at the first' : 'ends at the second'
  return noting(`${flag}: ${wall} happens twice in ${zone}, ${first} and ${second}; the range ${meant}`)
}

/** Returns a wall time, which the clocks may skip; undefined for unreadable input. */
function readWall(input: string, { edge, zone, now }: WhenOptions) {
  const atEdge = (day: string) => `${day}T${edge === 'from' ? '00:00:00' : '23:59:59'}`
  const text = input.toLowerCase()
  const days = ['today', 'yesterday'].indexOf(text)
  if (days !== -1) return atEdge(daysBefore(instantToWallTime(now, zone), days).slice(0, 10))

  if (/^\d{1,5}[mhdw]$/.test(text)) {
    const ms = (durationSeconds(text) ?? 0) * 1000
    if (/[dw]$/.test(text)) return daysBefore(instantToWallTime(now, zone), ms / DAY_MS)
    return instantToWallTime(now - ms, zone)
  }

  const wall = isDay(text) ? atEdge(text) : text
  const asUtc = parseWallTime(wall)
  if (asUtc !== undefined) return instantToWallTime(asUtc, 'UTC')
  const instant = parseServiceDate(text)
  return instant === undefined ? undefined : instantToWallTime(instant, zone)
}

function daysBefore(wall: string, days: number) {
  return instantToWallTime((parseWallTime(wall) ?? Number.NaN) - days * DAY_MS, 'UTC')
}

/**
 * @param name common part of the flags: `--created` @throws AppError `usage` for a range that ends before it
 * starts
 */
export function checkRange(from: When | undefined, to: When | undefined, name: string) {
  if (!from || !to || from.epochMs <= to.epochMs) return
  throw usageError(
    `${name}-from (${from.wall}) is later than ${name}-to (${to.wall})`,
    'exchange the two dates',
  )
}

/** Known words of an enumeration that platforms may extend. `what`: `a status of a return`. */
export interface WordList {
  what: string
  words: readonly string[]
  /** Set if the words that tables show for the code are accepted, too. */
  kind?: WordsKind
}

/**
 * Returns a known word, or the text as typed with a note. @throws AppError `usage` for an empty text, or for
 * an unknown word with `mustBeKnown`
 */
export function readWord(
  flag: string,
  typed: string,
  list: WordList,
  mustBeKnown = false,
): { value: string; note?: string } {
  const { what, words } = list
  const known = matchWord(flag, typed, list)
  if (known !== undefined) return { value: known }
  if (mustBeKnown) {
    throw usageError(
      `${flag}: ${JSON.stringify(typed)} is not ${what}.`,
      ...nearHints(codeForm(typed), words, (near) => `${flag} ${near}`),
      oneOf(words),
    )
  }
  if (typed.trim() === '') throw usageError(`${flag} is empty.`, oneOf(words))
  const [guess = ''] = nearHints(codeForm(typed), words, (near) => ` Did you mean ${near}?`)
  const note = `${flag}: ${JSON.stringify(typed)} is not ${what} that is known here; it is taken as it is.${guess} Known: ${words.join(', ')}`
  return { value: typed, note }
}

/**
 * Finds a code by its name, its words, or an unambiguous beginning, in any case. @throws AppError `usage`
 * for an ambiguous one
 */
export function matchWord(flag: string, typed: string, { words, kind }: WordList): string | undefined {
  const form = codeForm(typed)
  const formsOf = (word: string) => [word, ...(kind ? [wordsOf(kind, word)] : [])].map(codeForm)
  const exact = words.find((word) => formsOf(word).includes(form))
  if (exact !== undefined || form === '') return exact
  const begun = words.filter((word) => formsOf(word).some((one) => one.startsWith(form)))
  if (begun.length < 2) return begun[0]
  throw usageError(
    `${flag}: ${JSON.stringify(typed)} fits ${begun.length} of them.`,
    ...begun.map((word) => [flag, word, ...(kind ? [`(${wordsOf(kind, word)})`] : [])].join(' ')),
  )
}

function codeForm(typed: string) {
  return typed
    .trim()
    .toUpperCase()
    .replaceAll(/[\s,-]+/g, '_')
}

function oneOf(words: readonly string[]) {
  return `one of ${words.join(', ')}`
}

/** @throws AppError `usage` for a blank text, which an unset variable of a script leaves */
export function refuseBlank(flag: string, text: string | undefined) {
  if (text?.trim() === '') throw usageError(`${flag} is empty.`)
}

/** Timers of Node.js end at once beyond 2^31 ms (24.9 days). */
export const MAX_WAIT_SECONDS = 24 * 86_400

/** Longer durations are rejected. */
const MAX_SECONDS = 1_000_000 * 86_400

export function readDuration(flag: string, text: string): number {
  const seconds = /^0[smhdw]$/.test(text) ? 0 : durationSeconds(text)
  if (seconds !== undefined && seconds < MAX_SECONDS) return seconds
  throw usageError(`${flag}: ${JSON.stringify(text)} is not a duration.`, 'for example 30d, 12h, 10m, 30s')
}
