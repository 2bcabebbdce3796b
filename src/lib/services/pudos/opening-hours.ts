import { isLosslessNumber } from 'lossless-json'
import {
  ENGLISH_WEEK,
  type HoursAhead,
  type Opening,
  type WeekRow,
  type WeekWords,
} from '../../output/map/point.ts'
import { at } from '../../wire/raw.ts'

const DAY = 24 * 60
const WEEK = 7 * DAY

/** Minutes since Monday 00:00, local time. `to` lies beyond the week for a Sunday night. */
interface Span {
  from: number
  to: number
}

/**
 * Reads days 1–7 from Monday and local `HH:MM`, as we decided. A span that closes no later than it opens ends on the
 * next day. Unreadable entries are left out. Returns undefined if all are.
 */
export function readHours(hours: unknown): Span[] | undefined {
  if (!Array.isArray(hours)) return undefined
  const spans = hours.flatMap((entry: unknown) => readSpan(entry) ?? []).sort((a, b) => a.from - b.from)
  return spans.length === 0 ? undefined : spans
}

function readSpan(entry: unknown) {
  const day = looseNumber(at(entry, 'day')) ?? Number.NaN
  const opens = readTime(at(entry, 'opens'))
  const closes = readTime(at(entry, 'closes'))
  if (!(Number.isInteger(day) && day >= 1 && day <= 7) || opens === undefined || closes === undefined)
    return undefined
  const from = (day - 1) * DAY + opens
  const minutes = closes > opens ? closes - opens : closes + DAY - opens
  return { from, to: from + minutes }
}

/** Returns minutes since midnight, up to `24:00`. */
function readTime(text: unknown) {
  const match = typeof text === 'string' ? /^(\d{1,2}):([0-5]\d)(?::\d{2})?$/.exec(text.trim()) : null
  if (!match) return undefined
  const minutes = Number(match[1]) * 60 + Number(match[2])
  return minutes <= DAY ? minutes : undefined
}

/** @param wall local time of the place, `YYYY-MM-DDTHH:MM:SS` */
export function openingAt(
  spans: readonly Span[] | undefined,
  wall: string,
  words: WeekWords = ENGLISH_WEEK,
): Opening {
  if (!spans) return { state: 'unknown' }
  const now = minuteOfWeek(wall)
  const around = mergedSpans(
    [-WEEK, 0, WEEK].flatMap((by) => spans.map(({ from, to }) => ({ from: from + by, to: to + by }))),
  )
  const current = around.find(({ from, to }) => from <= now && now < to)
  if (current) {
    if (current.to - current.from >= WEEK) return { state: 'always' }
    return { state: 'open', until: timeText(current.to, now, true, words) }
  }
  const next = around.find(({ from }) => from > now)
  return { state: 'closed', until: next && timeText(next.from, now, false, words) }
}

/** Merges touching spans, such as two that meet at midnight. @param spans sorted by start */
function mergedSpans(spans: readonly Span[]) {
  const result: Span[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else result.push({ ...span })
  }
  return result
}

/** Returns undefined if no opening hours are known. */
export function hoursAhead(spans: readonly Span[] | undefined, wall: string): HoursAhead | undefined {
  const now = minuteOfWeek(wall)
  const today = Math.floor(now / DAY)
  for (let ahead = 0; ahead <= 7; ahead += 1) {
    const weekday = (today + ahead) % 7
    const ofDay = spansOf(spans ?? [], weekday).filter(({ to }) => ahead > 0 || to > now)
    if (ofDay.length > 0) return { isToday: ahead === 0, weekday, times: timesText(ofDay, '00:00–24:00') }
  }
  return undefined
}

export function weekRows(spans: readonly Span[] | undefined, words: WeekWords = ENGLISH_WEEK): WeekRow[] {
  if (!spans) return []
  const rows: { first: number; last: number; hours: string }[] = []
  for (const day of words.days.keys()) {
    const hours = timesText(spansOf(spans, day), words.allDay) || words.closed
    const last = rows.at(-1)
    if (last?.hours === hours) last.last = day
    else rows.push({ first: day, last: day, hours })
  }
  return rows.map(({ first, last, hours }) => ({
    days: first === last ? dayName(first, words) : `${dayName(first, words)}–${dayName(last, words)}`,
    hours,
  }))
}

export function weekdayOf(wall: string, words: WeekWords): string {
  return dayName(Math.floor(minuteOfWeek(wall) / DAY), words)
}

function spansOf(spans: readonly Span[], day: number) {
  return spans.filter(({ from }) => Math.floor(from / DAY) === day)
}

function timesText(spans: readonly Span[], allDay: string) {
  return spans
    .map(({ from, to }) => (to - from === DAY ? allDay : `${clock(from)}–${clock(to, true)}`))
    .join(', ')
}

function minuteOfWeek(wall: string) {
  const at = new Date(`${wall}Z`)
  return ((at.getUTCDay() + 6) % 7) * DAY + at.getUTCHours() * 60 + at.getUTCMinutes()
}

/** Writes a time, with its day if it is ambiguous: `20:30`, `Mon 09:00`. */
function timeText(minute: number, now: number, isEnd: boolean, words: WeekWords) {
  const daysAhead = Math.floor((minute - (isEnd ? 1 : 0)) / DAY) - Math.floor(now / DAY)
  // A closing time past midnight still counts as today.
  const isPlain = daysAhead === 0 || (isEnd && daysAhead === 1 && minute - now < DAY / 2)
  if (isPlain) return clock(minute, isEnd)
  return `${dayName(Math.floor((minute - (isEnd ? 1 : 0)) / DAY), words)} ${clock(minute, isEnd)}`
}

function dayName(day: number, { days }: WeekWords) {
  return days[day % 7] ?? ''
}

function clock(minute: number, isEnd = false) {
  const ofDay = minute % DAY
  if (ofDay === 0 && isEnd) return '24:00'
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`
}

/** Returns a trimmed text, or a number as text; undefined for a blank or anything else. */
export function looseText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && !isLosslessNumber(value)) return undefined
  return String(value).trim() || undefined
}

export function looseNumber(value: unknown): number | undefined {
  const digits = looseText(value)
  const number = digits === undefined ? Number.NaN : Number(digits)
  return Number.isFinite(number) ? number : undefined
}
