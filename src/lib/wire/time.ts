import { realpathSync } from 'node:fs'

/** No library: a Temporal polyfill adds 12 ms of start-up and takes five times as long a date as `Intl`. */

const DAY_MS = 86_400_000
const WALL_LENGTH = 'YYYY-MM-DDTHH:MM:SS'.length
const ZERO = 0x30
/** Bounds the memory of a server; one run meets fewer. */
const MAX_ZONES = 64
const MAX_DAYS_PER_ZONE = 20_000

interface ZoneClock {
  zone: string
  /** Made when it is needed. */
  format: Intl.DateTimeFormat | undefined
  /** Offset in ms by UTC day number; NaN for a day in which it changes. */
  days: Map<number, number>
}

const zones = new Map<string, ZoneClock>()

const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/i

/** Throws RangeError for a zone that is not an IANA name. */
function zoneClock(zone: string): ZoneClock {
  const known = zones.get(zone)
  if (known) return known
  const format = isPlainZone(zone) ? undefined : zoneFormat(zone)
  if (zones.size >= MAX_ZONES) zones.clear()
  const clock = { zone, format, days: new Map<number, number>() }
  zones.set(zone, clock)
  return clock
}

/**
 * Whether its offsets need no `Intl`, whose first use takes as long as a small request. Most servers run in UTC, people
 * in their own zone.
 */
function isPlainZone(zone: string): boolean {
  return UTC.test(zone) || zone === linkedZone()
}

function zoneFormat(zone: string): Intl.DateTimeFormat {
  // Newer engines take "+01:00" for a zone; the service takes names only (spec §4.7).
  if (!/^[a-z]/i.test(zone)) throw new RangeError(`Invalid time zone: ${zone}`)
  return new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
}

function readOffset(clock: ZoneClock, epochMs: number): number {
  if (UTC.test(clock.zone)) return 0
  // Never cached: `TZ` may have changed.
  if (clock.zone === linkedZone()) return localOffset(epochMs)
  clock.format ??= zoneFormat(clock.zone)
  // "3/1/2026, GMT+01:00"; a bare "GMT" is zero, seconds appear before standard time.
  const match = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(clock.format.format(epochMs))
  if (!match?.[1]) return 0
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
  return (match[1] === '-' ? -seconds : seconds) * 1000
}

/** In ms, east positive. No zone changes its offset twice in a UTC day and back. */
export function offsetAt(epochMs: number, zone: string): number {
  const clock = zoneClock(zone)
  const { days } = clock
  const day = Math.floor(epochMs / DAY_MS)
  let offset = days.get(day)
  if (offset === undefined) {
    const atStart = readOffset(clock, day * DAY_MS)
    offset = atStart === readOffset(clock, (day + 1) * DAY_MS - 1) ? atStart : Number.NaN
    if (days.size >= MAX_DAYS_PER_ZONE) days.clear()
    days.set(day, offset)
  }
  return Number.isNaN(offset) ? readOffset(clock, epochMs) : offset
}

/** Known to this runtime, in any letter case. */
export function isTimeZone(zone: string): boolean {
  if (isPlainZone(zone)) return true
  try {
    zoneClock(zone)
    return true
  } catch {
    return false
  }
}

/** IANA name, `UTC` where the machine does not say. */
export function systemTimeZone(): string {
  const name = namedZone()
  if (UTC.test(name)) return 'UTC'
  const zones = [linkedZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? '', name]
  const zone = zones.find(isTimeZone)
  return zone === undefined || UTC.test(zone) ? 'UTC' : zone
}

/** `TZ` where it names no zone that is known here, so that the system's is UTC. */
export function unknownZone(): string | undefined {
  const name = namedZone()
  const isKnown = name === '' || ZERO_OFFSET.test(name) || isTimeZone(name) || systemTimeZone() !== 'UTC'
  return isKnown ? undefined : process.env.TZ
}

/** POSIX: `UTC0`. */
const ZERO_OFFSET = /^[a-z]{3,}[+-]?0{1,2}$/i

/** Name in `TZ`: `Europe/Berlin` for `:Europe/Berlin` and for `/usr/share/zoneinfo/Europe/Berlin`. */
function namedZone(): string {
  const { TZ = '' } = process.env
  const name = TZ.replace(/^:/, '')
  return (name.startsWith('/') && zoneOfFile(name)) || name
}

const LINK = '/etc/localtime'
/** Part of a path: `/usr/share/zoneinfo/Europe/Madrid`, `…/zoneinfo/posix/Europe/Madrid`. */
const LINKED = /\/zoneinfo\/(?:posix\/)?([A-Z][a-z]+\/[\w/+-]+|UTC)$/

let linked: string | null | undefined

/** The zone of `Date`, as it is found on Linux and macOS where `TZ` says nothing; undefined where that needs `Intl`. */
function linkedZone(): string | undefined {
  if (process.env.TZ !== undefined) return undefined
  if (linked === undefined) linked = zoneOfFile(LINK) ?? null
  return linked ?? undefined
}

function zoneOfFile(path: string): string | undefined {
  try {
    return LINKED.exec(realpathSync(path))?.[1]
  } catch {
    return undefined
  }
}

/** Like `offsetAt`, for the zone of `Date`. */
export function localOffset(epochMs: number): number {
  const date = new Date(epochMs)
  const local = new Date(0)
  // `Date.UTC` takes the year 99 for 1999.
  local.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  local.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds())
  return local.getTime() - epochMs
}

/** `YYYY-MM-DDTHH:MM[:SS]`, also with a space, as UTC: ms since the epoch, undefined for another form. */
export function parseWallTime(text: string): number | undefined {
  const plain = parsePlainWall(text)
  if (plain !== undefined) return plain
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/i.exec(text)
  if (!match) return undefined
  const iso = `${match[1]}T${match[2]}${match[3] ?? ':00'}`
  const ms = Date.parse(`${iso}Z`)
  // Date.parse turns 30 February into 2 March and 24:00 into the next day.
  return new Date(ms).getUTCDate() === Number(iso.slice(8, 10)) ? ms : undefined
}

/** Fast path for years from 1000 on, up to the day that every month has. */
function parsePlainWall(text: string): number | undefined {
  if (text.length !== WALL_LENGTH || text[4] !== '-' || text[7] !== '-') return undefined
  if ((text[10] !== ' ' && text[10] !== 'T') || text[13] !== ':' || text[16] !== ':') return undefined
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hour = twoDigits(text, 11)
  const minute = twoDigits(text, 14)
  const second = twoDigits(text, 17)
  const isDate = year >= 1000 && month >= 1 && month <= 12 && day >= 1 && day <= 28
  if (!isDate || !(hour <= 23 && minute <= 59 && second <= 59)) return undefined
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/** NaN for anything else. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - ZERO
  const ones = text.charCodeAt(at + 1) - ZERO
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Cache by UTC day: many records share few days, and `Date` takes four times as long. */
const dayTexts = new Map<number, string>()
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/** @throws RangeError for no time, or one that `Date` does not have */
function toWallText(ms: number, separator: 'T' | ' ' = 'T'): string {
  const day = Math.floor(ms / DAY_MS)
  let date = dayTexts.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length)
    if (dayTexts.size >= MAX_DAYS_PER_ZONE) dayTexts.clear()
    dayTexts.set(day, date)
  }
  const second = Math.floor((ms - day * DAY_MS) / 1000)
  const minute = Math.floor(second / 60)
  return `${date}${separator}${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[second % 60]}`
}

/** The zone's wall time, `YYYY-MM-DDTHH:MM:SS`. Throws RangeError for an unknown zone. */
export function instantToWallTime(epochMs: number, zone: string): string {
  return toWallText(epochMs + offsetAt(epochMs, zone))
}

interface ResolvedWallTime {
  epochMs: number
  /** `gap`: the clocks skipped that time; `overlap`: it happened twice. */
  kind: 'exact' | 'gap' | 'overlap'
}

/**
 * Converts `YYYY-MM-DDTHH:MM:SS`. A time in a gap moves forward by the gap; `prefer` chooses for a time that comes
 * twice.
 *
 * @throws RangeError for an unknown zone or an impossible time
 */
export function wallTimeToInstant(wall: string, zone: string, prefer: 'earlier' | 'later'): ResolvedWallTime {
  const asUtc = parseWallTime(wall)
  if (asUtc === undefined) throw new RangeError(`Invalid wall time: ${wall}`)
  // Offsets are below a day: any change that matters lies between these.
  const before = offsetAt(asUtc - DAY_MS, zone)
  const after = offsetAt(asUtc + DAY_MS, zone)
  const matches = [before, after]
    .map((offset) => asUtc - offset)
    .filter((ms) => asUtc - ms === offsetAt(ms, zone))
  const [first, second] = matches
  if (first === undefined || second === undefined) {
    return first === undefined ? { epochMs: asUtc - before, kind: 'gap' } : { epochMs: first, kind: 'exact' }
  }
  if (first === second) return { epochMs: first, kind: 'exact' }
  const choose = prefer === 'earlier' ? Math.min : Math.max
  return { epochMs: choose(first, second), kind: 'overlap' }
}

/** Says how a local time is read that the clocks skip or show twice. */
export function clockDoubt(
  wall: string,
  zone: string,
  { kind, epochMs }: ResolvedWallTime,
): string | undefined {
  if (kind === 'exact') return undefined
  const what = kind === 'gap' ? 'does not exist' : 'happens twice'
  return `${wall} ${what} in ${zone}, where the clocks change; taken as ${formatServiceDate(epochMs, zone)}`
}

/** `+01:00` */
export function offsetText(epochMs: number, zone: string): string {
  return textOfOffset(offsetAt(epochMs, zone))
}

const offsetTexts = new Map<number, string>()

function textOfOffset(offset: number): string {
  const known = offsetTexts.get(offset)
  if (known !== undefined) return known
  const time = toWallText(Math.abs(offset)).slice(11)
  const text = (offset < 0 ? '-' : '+') + (time.endsWith(':00') ? time.slice(0, 5) : time)
  offsetTexts.set(offset, text)
  return text
}

/** `2026-03-01 10:00:00Z` for UTC, else `2026-03-01 11:00:00+01:00`; a fraction only where there is one. */
export function formatServiceDate(epochMs: number, zone: string): string {
  const offset = offsetAt(epochMs, zone)
  const suffix = UTC.test(zone) ? 'Z' : textOfOffset(offset)
  const fraction = epochMs % 1000 === 0 ? '' : new Date(epochMs).toISOString().slice(-5, -1)
  return toWallText(epochMs + offset, ' ') + fraction + suffix
}

/** Ms since the epoch of a date with an offset, as `formatServiceDate` writes it or in ISO 8601; else undefined. */
export function parseServiceDate(text: string): number | undefined {
  // Nearly all that a mirror reads.
  if (text.length === WALL_LENGTH + 1 && text.endsWith('Z')) return parseWallTime(text.slice(0, WALL_LENGTH))
  const match = /^(.{16,19}?)(?:[.,](\d{1,9}))? ?(?:(Z)|([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?)$/i.exec(
    text.trim(),
  )
  if (!match) return undefined
  const [, wall = '', fraction = '', , sign, hours = '0', minutes = '0', seconds = '0'] = match
  const asUtc = parseWallTime(wall)
  if (asUtc === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return asUtc + Number(fraction.padEnd(3, '0').slice(0, 3)) - (sign === '-' ? -offset : offset)
}
