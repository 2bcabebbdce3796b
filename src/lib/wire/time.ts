import { realpathSync } from 'node:fs'
import { asText } from './raw.ts'

/** A Temporal polyfill would add 12 ms of start-up, and take five times as long for each date. */

const DAY_MS = 86_400_000
/** Limits of the cache, for long-running servers. */
const MAX_ZONES = 64
const MAX_DAYS_PER_ZONE = 20_000

interface ZoneClock {
  format: Intl.DateTimeFormat
  /** Offsets in ms by UTC day; NaN for a day with a change. */
  days: Map<number, number>
}

const zones = new Map<string, ZoneClock>()

const UTC = /^(Etc\/)?(UTC|UCT|Universal|Zulu)$/i
/** Abbreviations that only ICU takes for zones: its `BST` is Dhaka. The exceptions are IANA's. */
const ICU_ONLY = /^(?:SystemV\/.*|(?!CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|WET)[a-z]{3})$/i

function zoneClock(zone: string) {
  let clock = zones.get(zone)
  if (clock) return clock
  // Newer engines take "+01:00" for a zone; the service does not (spec §4.7).
  if (!/^[a-z]/i.test(zone) || ICU_ONLY.test(zone)) throw new RangeError(`Invalid time zone: ${zone}`)
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  if (zones.size >= MAX_ZONES) zones.clear()
  clock = { format, days: new Map() }
  zones.set(zone, clock)
  return clock
}

function readOffset(epochMs: number, format: Intl.DateTimeFormat) {
  // "3/1/2026, GMT+01:00"; zero is a bare "GMT", and seconds appear before standard time.
  const match = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(format.format(epochMs))
  if (!match?.[1]) return 0
  const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
  return (match[1] === '-' ? -seconds : seconds) * 1000
}

/** Returns the UTC offset in ms, east positive. @throws RangeError */
export function offsetAt(epochMs: number, zone: string): number {
  // UTC and the own zone do not need `Intl`, whose first use takes as long as a request.
  if (UTC.test(zone)) return 0
  if (zone === linkedZone()) return localOffset(epochMs)
  const { days, format } = zoneClock(zone)
  const day = Math.floor(epochMs / DAY_MS)
  let offset = days.get(day)
  if (offset === undefined) {
    const atStart = readOffset(day * DAY_MS, format)
    offset = atStart === readOffset((day + 1) * DAY_MS - 1, format) ? atStart : Number.NaN
    if (days.size >= MAX_DAYS_PER_ZONE) days.clear()
    days.set(day, offset)
  }
  return Number.isNaN(offset) ? readOffset(epochMs, format) : offset
}

/** Accepts any letter case. */
export function isTimeZone(zone: string) {
  try {
    offsetAt(0, zone)
    return true
  } catch {
    return false
  }
}

/** Returns `UTC` for an unknown zone. */
export function systemTimeZone(): string {
  const name = namedZone()
  if (UTC.test(name) || ICU_ONLY.test(name)) return 'UTC'
  const zones = [linkedZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone ?? '', name]
  const zone = zones.find(isTimeZone)
  return zone === undefined || UTC.test(zone) ? 'UTC' : zone
}

/** Returns `TZ` if it names no known zone. */
export function unknownZone(): string | undefined {
  const name = namedZone()
  const isKnown = name === '' || ZERO_OFFSET.test(name) || isTimeZone(name) || systemTimeZone() !== 'UTC'
  return isKnown ? undefined : process.env.TZ
}

/** POSIX form of UTC: `UTC0`. */
const ZERO_OFFSET = /^[a-z]{3,}[+-]?0{1,2}$/i

/** Returns `Europe/Berlin` for `:Europe/Berlin` and `/usr/share/zoneinfo/Europe/Berlin`. */
function namedZone() {
  const { TZ = '' } = process.env
  const name = TZ.replace(/^:/, '')
  return (name.startsWith('/') && zoneOfFile(name)) || name
}

const LINK = '/etc/localtime'
/** `/usr/share/zoneinfo/Europe/Madrid`, `…/zoneinfo/posix/Europe/Madrid` */
const LINKED = /\/zoneinfo\/(?:posix\/)?([A-Z][a-z]+\/[\w/+-]+|UTC)$/

let linked: string | null | undefined

/** Returns the zone that `Date` uses if it is known without `Intl`. */
function linkedZone() {
  if (process.env.TZ !== undefined) return undefined
  if (linked === undefined) linked = zoneOfFile(LINK) ?? null
  return linked ?? undefined
}

function zoneOfFile(path: string) {
  try {
    return LINKED.exec(realpathSync(path))?.[1]
  } catch {
    return undefined
  }
}

/** Returns the UTC offset in ms of the zone that `Date` uses. */
export function localOffset(epochMs: number): number {
  const date = new Date(epochMs)
  const local = new Date(0)
  // `Date.UTC` takes the year 99 for 1999.
  local.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  local.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds())
  return local.getTime() - epochMs
}

/** True for `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** Reads `YYYY-MM-DDTHH:MM[:SS]` as UTC, in epoch milliseconds. */
export function parseWallTime(text: string): number | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2})?$/i.exec(text)
  if (!match) return undefined
  const iso = `${match[1]}T${match[2]}${match[3] ?? ':00'}`
  const ms = Date.parse(`${iso}Z`)
  // Date.parse accepts 30 February and 24:00.
  return new Date(ms).getUTCDate() === Number(iso.slice(8, 10)) ? ms : undefined
}

function toWallText(ms: number) {
  return new Date(ms).toISOString().slice(0, -'.000Z'.length)
}

/** Returns `YYYY-MM-DDTHH:MM:SS`. @throws RangeError */
export function instantToWallTime(epochMs: number, zone: string): string {
  return toWallText(epochMs + offsetAt(epochMs, zone))
}

interface ResolvedWallTime {
  epochMs: number
  /** Skipped times are a `gap`, repeated ones an `overlap`. */
  kind: 'exact' | 'gap' | 'overlap'
}

/** Times in a gap move forward by the gap; `prefer` chooses in an overlap. @throws RangeError */
export function wallTimeToInstant(wall: string, zone: string, prefer: 'earlier' | 'later'): ResolvedWallTime {
  const asUtc = parseWallTime(wall)
  if (asUtc === undefined) throw new RangeError(`Invalid wall time: ${wall}`)
  // Offsets are below a day.
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

export function clockChangeNote(
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

function textOfOffset(offset: number) {
  const time = toWallText(Math.abs(offset)).slice(11)
  return (offset < 0 ? '-' : '+') + (time.endsWith(':00') ? time.slice(0, 5) : time)
}

/** `2026-03-01 10:00:00Z` or `2026-03-01 11:00:00+01:00` */
export function formatServiceDate(epochMs: number, zone: string): string {
  const offset = offsetAt(epochMs, zone)
  const suffix = UTC.test(zone) ? 'Z' : textOfOffset(offset)
  const fraction = epochMs % 1000 === 0 ? '' : new Date(epochMs).toISOString().slice(-5, -1)
  return toWallText(epochMs + offset).replace('T', ' ') + fraction + suffix
}

/** Reads a date with an offset, in epoch milliseconds; undefined for all else. */
export function parseServiceDate(date: unknown): number | undefined {
  const match = /^(.{16,19}?)(?:[.,](\d{1,9}))? ?(?:(Z)|([+-])(\d{2}):?(\d{2})(?::?(\d{2}))?)$/i.exec(
    asText(date)?.trim() ?? '',
  )
  if (!match) return undefined
  const [, wall = '', fraction = '', , sign, hours = '0', minutes = '0', seconds = '0'] = match
  const asUtc = parseWallTime(wall)
  if (asUtc === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59)
    return undefined
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  const ms = asUtc + Number(fraction.padEnd(3, '0').slice(0, 3)) - (sign === '-' ? -offset : offset)
  // Rejects years that four digits can't write.
  return /^\d{4}-/.test(new Date(ms).toISOString()) ? ms : undefined
}

/** Seconds to weeks, never zero. */
export const DURATION = /^([1-9]\d{0,8})([smhdw])$/

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `30m`, `12h`, `3d`, `2w` */
export function durationSeconds(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (SECONDS[unit] ?? 0)
}
