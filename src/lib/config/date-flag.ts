import { AppError } from '../errors.ts'
import {
  instantToWallTime,
  offsetText,
  parseServiceDate,
  parseWallTime,
  wallTimeToInstant,
} from '../wire/time.ts'

const EXAMPLES = '2026-03-01, 2026-03-01T10:30, 2026-03-01T10:30:00+01:00, today, yesterday, 7d, 2w, 12h, 30m'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const AGO_MS: Readonly<Record<string, number>> = { m: HOUR_MS / 60, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

export interface WhenOptions {
  /** Which end of a range: a whole day starts at 00:00:00 or ends at 23:59:59. */
  edge: 'from' | 'to'
  /** IANA zone in which the service reads the range. */
  zone: string
  /** Ms since the epoch. */
  now: number
  /** For messages: `--created-from`. */
  flag: string
}

export interface When {
  /** `YYYY-MM-DDTHH:MM:SS` in the zone, the form that a date filter takes (spec §4.7). */
  wall: string
  /** The same as an instant, ms; of a time that happens twice the one that makes the range wider. */
  epochMs: number
  /** Notes for the user: the time was moved out of a gap, or happens twice. */
  notes: string[]
}

/** An ISO date or date-time, `today`, `yesterday`, `30m` or `7d` ago. @throws AppError `usage` that names the flag */
export function parseWhen(input: string, options: WhenOptions): When {
  const { zone, edge, flag } = options
  const asked = readWall(input.trim(), options)
  if (asked === undefined) {
    const why = /^\d{4}-\d{2}-\d{2}/.test(input.trim())
      ? 'is not a date and time that exists'
      : 'is not a date'
    throw new AppError('usage', `${flag}: ${JSON.stringify(input)} ${why}`, {
      hints: [`use one of: ${EXAMPLES}`],
    })
  }
  const { epochMs, kind } = wallTimeToInstant(asked, zone, edge === 'from' ? 'earlier' : 'later')
  // Differs from what was asked only in a gap.
  const wall = instantToWallTime(epochMs, zone)
  if (kind === 'exact') return { wall, epochMs, notes: [] }
  if (kind === 'gap') {
    return {
      wall,
      epochMs,
      notes: [`${flag}: ${asked} does not exist in ${zone}, the clocks skip it; using ${wall}`],
    }
  }
  const first = offsetText(wallTimeToInstant(asked, zone, 'earlier').epochMs, zone)
  const second = offsetText(wallTimeToInstant(asked, zone, 'later').epochMs, zone)
  // The service takes wall times only, so an offset in the input can't tell the two apart either.
  const meant = edge === 'from' ? 'starts at the first' : 'ends at the second'
  return {
    wall,
    epochMs,
    notes: [`${flag}: ${wall} happens twice in ${zone}, ${first} and ${second}; the range ${meant}`],
  }
}

/** Wall time in the zone, perhaps one that its clocks skip; undefined when the input can't be read. */
function readWall(input: string, { edge, zone, now }: WhenOptions): string | undefined {
  const atEdge = (day: string) => `${day}T${edge === 'from' ? '00:00:00' : '23:59:59'}`
  const text = input.toLowerCase()
  if (text === 'today') return atEdge(daysBefore(instantToWallTime(now, zone), 0).slice(0, 10))
  if (text === 'yesterday') return atEdge(daysBefore(instantToWallTime(now, zone), 1).slice(0, 10))

  const ago = /^(\d{1,5})([mhdw])$/.exec(text)
  if (ago) {
    const ms = Number(ago[1]) * (AGO_MS[ago[2] ?? ''] ?? 0)
    // Days and weeks are the calendar's: "1d" is yesterday at this time of day, also when a day has 23 or 25 hours.
    if (/[dw]$/.test(text)) return daysBefore(instantToWallTime(now, zone), ms / DAY_MS)
    return instantToWallTime(now - ms, zone)
  }

  const wall = /^\d{4}-\d{2}-\d{2}$/.test(text) ? atEdge(text) : text
  const asUtc = parseWallTime(wall)
  if (asUtc !== undefined) return instantToWallTime(asUtc, 'UTC')
  const instant = parseServiceDate(text)
  return instant === undefined ? undefined : instantToWallTime(instant, zone)
}

function daysBefore(wall: string, days: number): string {
  return instantToWallTime((parseWallTime(wall) ?? Number.NaN) - days * DAY_MS, 'UTC')
}

/** Throws a usage error when a range ends before it starts. `name` is the flags' stem: `--created`. */
export function checkRange(from: When | undefined, to: When | undefined, name: string): void {
  if (!from || !to || from.epochMs <= to.epochMs) return
  throw new AppError('usage', `${name}-from (${from.wall}) is later than ${name}-to (${to.wall})`, {
    hints: ['exchange the two dates'],
  })
}
