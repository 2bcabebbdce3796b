import { usageError } from '../../errors.ts'
import { instantToWallTime, parseServiceDate, parseWallTime, wallTimeToInstant } from '../../wire/time.ts'

const DAY_MS = 86_400_000
const EXAMPLES = 'now, 18:00, today 18:00, tomorrow 9:00, sat 18:00, 2026-11-28 18:00'
const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Returns the local time in a zone: `YYYY-MM-DDTHH:MM:SS`. */
export type Moment = (zone: string) => string

export function momentNow(nowMs: number): Moment {
  return (zone) => instantToWallTime(nowMs, zone)
}

/** Reads a moment. A weekday or time alone is the next one, in local time. @throws AppError `usage` */
export function parseMoment(input: string, nowMs: number, flag: string): Moment {
  const text = input
    .trim()
    .toLowerCase()
    .replace(/\s+(?:at\s+)?/g, ' ')
  if (text === 'now') return momentNow(nowMs)
  const instant = parseServiceDate(text)
  if (instant !== undefined && isWritable(instant)) return (zone) => instantToWallTime(instant, zone)
  const [, day = '', time = ''] = /^(?:(.*?)(?:[ ,]+|(?<=\d)t))?([\d:]+ ?(?:[ap]m)?)$/.exec(text) ?? []
  const clock = readClock(time)
  const find = clock === undefined ? undefined : dayFinder(day, clock)
  if (!find) {
    throw usageError(`${flag}: ${JSON.stringify(input)} is not a day and a time.`, `use one of: ${EXAMPLES}`)
  }
  // A time that a clock change skips is moved forward.
  return (zone) => {
    const wall = find(instantToWallTime(nowMs, zone))
    return instantToWallTime(wallTimeToInstant(wall, zone, 'earlier').epochMs, zone)
  }
}

/** True if the year has four digits in every zone. */
function isWritable(epochMs: number) {
  const edges = [epochMs - DAY_MS, epochMs + DAY_MS].map((ms) => instantToWallTime(ms, 'UTC'))
  return edges.every((wall) => parseWallTime(wall) !== undefined)
}

function dayFinder(day: string, clock: string): ((now: string) => string) | undefined {
  const on = (now: string, days: number) => {
    const midnight = parseWallTime(`${now.slice(0, 10)}T00:00`) ?? Number.NaN
    return `${instantToWallTime(midnight + days * DAY_MS, 'UTC').slice(0, 10)}T${clock}`
  }
  if (day === 'today') return (now) => on(now, 0)
  if (day === 'tomorrow') return (now) => on(now, 1)
  if (day === '') return (now) => on(now, on(now, 0) < now.slice(0, 17).concat('00') ? 1 : 0)
  if (parseWallTime(`${day}T${clock}`) !== undefined) return () => `${day}T${clock}`
  const weekday = DAYS.findIndex((name) => day.length >= 3 && name.startsWith(day.replace(/\.$/, '')))
  if (weekday === -1) return undefined
  return (now) => {
    const today = (new Date(`${now}Z`).getUTCDay() + 6) % 7
    const ahead = (weekday - today + 7) % 7
    return on(now, ahead === 0 && on(now, 0) < now.slice(0, 17).concat('00') ? 7 : ahead)
  }
}

/** `18`, `18:00`, `6pm`, `6:30 pm` → `18:00:00`. */
function readClock(text: string) {
  const match = /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))? ?([ap]m)?$/.exec(text)
  if (!match) return undefined
  const [, hours = '', minutes = '00', seconds = '00', half] = match
  const hour = Number(hours)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59 || (half && (hour < 1 || hour > 12)))
    return undefined
  const full = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0)
  return `${String(full).padStart(2, '0')}:${minutes}:${seconds}`
}
