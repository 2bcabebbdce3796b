import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'
import {
  formatServiceDate,
  instantToWallTime,
  isTimeZone,
  localOffset,
  offsetText,
  parseServiceDate,
  parseWallTime,
  systemTimeZone,
  wallTimeToInstant,
} from '../../../src/lib/wire/time.ts'
import { jsonOf, typed } from '../../helpers/command-line.ts'

const at = (iso: string) => {
  const ms = Date.parse(iso)
  expect(ms).not.toBeNaN()
  return ms
}

it.each(['Europe/Madrid', 'UTC', 'asia/kathmandu', 'Etc/GMT+5', 'America/Argentina/Ushuaia'])(
  'isTimeZone knows %s',
  (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  },
)
it.each(['', 'Europe/Atlantis', '+01:00', '-0500', '01:00', 'Z+1', 'local', ' UTC'])(
  'isTimeZone refuses %j',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  },
)
it.each(['BST', 'ast', 'CST', 'IST', 'PST', 'SystemV/EST5'])(
  'isTimeZone refuses %s, which IANA does not know',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  },
)
it.each(['CET', 'EST', 'HST', 'MST', 'WET', 'GMT', 'UCT', 'PRC', 'EST5EDT', 'GB'])(
  'isTimeZone knows %s of IANA',
  (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  },
)
it('isTimeZone knows the zone of this machine', () => {
  expect(isTimeZone(systemTimeZone())).toBe(true)
})

it.each([
  ['2026-03-01T10:00:00Z', 'UTC', '2026-03-01 10:00:00Z'],
  ['2026-03-01T10:00:00Z', 'Etc/UTC', '2026-03-01 10:00:00Z'],
  ['2026-03-01T10:00:00Z', 'Europe/Madrid', '2026-03-01 11:00:00+01:00'],
  ['2026-07-01T10:00:00Z', 'Europe/Madrid', '2026-07-01 12:00:00+02:00'],
  ['2026-03-01T10:00:00Z', 'Europe/London', '2026-03-01 10:00:00+00:00'],
  ['2026-03-01T02:00:00Z', 'America/New_York', '2026-02-28 21:00:00-05:00'],
  ['2026-03-01T10:00:00Z', 'Asia/Kathmandu', '2026-03-01 15:45:00+05:45'],
  ['2026-03-01T10:00:00Z', 'America/St_Johns', '2026-03-01 06:30:00-03:30'],
  ['1969-12-31T23:59:59.900Z', 'UTC', '1969-12-31 23:59:59.900Z'],
  ['2026-03-01T10:00:00.050Z', 'Europe/Madrid', '2026-03-01 11:00:00.050+01:00'],
  // The second before and the second of the change, within one day.
  ['2026-03-29T00:59:59Z', 'Europe/Madrid', '2026-03-29 01:59:59+01:00'],
  ['2026-03-29T01:00:00Z', 'Europe/Madrid', '2026-03-29 03:00:00+02:00'],
])('formatServiceDate writes %s in %s', (instant, zone, expected) => {
  expect(formatServiceDate(at(instant), zone)).toBe(expected)
})

it('formatServiceDate throws RangeError for an unknown zone', () => {
  expect(() => formatServiceDate(0, 'Mars/Olympus')).toThrow(RangeError)
  expect(() => instantToWallTime(0, '+01:00')).toThrow(RangeError)
})

it.each([
  ['2026-03-01T11:00:00', 'Europe/Madrid', 'exact', '2026-03-01T10:00:00Z', '2026-03-01T10:00:00Z'],
  ['2026-03-29T02:30:00', 'Europe/Madrid', 'gap', '2026-03-29T01:30:00Z', '2026-03-29T01:30:00Z'],
  ['2026-03-29T01:59:59', 'Europe/Madrid', 'exact', '2026-03-29T00:59:59Z', '2026-03-29T00:59:59Z'],
  ['2026-03-29T03:00:00', 'Europe/Madrid', 'exact', '2026-03-29T01:00:00Z', '2026-03-29T01:00:00Z'],
  ['2026-10-25T02:00:00', 'Europe/Madrid', 'overlap', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z'],
  ['2026-10-25T02:59:59', 'Europe/Madrid', 'overlap', '2026-10-25T00:59:59Z', '2026-10-25T01:59:59Z'],
  ['2026-10-25T03:00:00', 'Europe/Madrid', 'exact', '2026-10-25T02:00:00Z', '2026-10-25T02:00:00Z'],
  // Half an hour of summer time.
  ['2026-10-04T02:15:00', 'Australia/Lord_Howe', 'gap', '2026-10-03T15:45:00Z', '2026-10-03T15:45:00Z'],
  ['2026-04-05T01:45:00', 'Australia/Lord_Howe', 'overlap', '2026-04-04T14:45:00Z', '2026-04-04T15:15:00Z'],
  // A whole day that was left out.
  ['2011-12-30T12:00:00', 'Pacific/Apia', 'gap', '2011-12-30T22:00:00Z', '2011-12-30T22:00:00Z'],
  ['2011-12-31T00:00:00', 'Pacific/Apia', 'exact', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z'],
])('the wall time %s in %s is %s', (wall, zone, kind, earlier, later) => {
  expect(wallTimeToInstant(wall, zone, 'earlier')).toEqual({ epochMs: at(earlier), kind })
  expect(wallTimeToInstant(wall, zone, 'later')).toEqual({ epochMs: at(later), kind })
})

it('wallTimeToInstant throws RangeError for an impossible time', () => {
  expect(() => wallTimeToInstant('2026-02-30T00:00:00', 'UTC', 'earlier')).toThrow(RangeError)
})

it.each([
  ['2026-03-01T10:00:00', '2026-03-01T10:00:00Z'],
  ['2026-03-01 10:00', '2026-03-01T10:00:00Z'],
  ['2028-02-29T23:59:59', '2028-02-29T23:59:59Z'],
  ['2026-12-31 00:00:00', '2026-12-31T00:00:00Z'],
  ['0099-01-28 10:00:00', '0099-01-28T10:00:00Z'],
])('parseWallTime reads %s', (text, expected) => {
  expect(parseWallTime(text)).toBe(at(expected))
})
it.each([
  '2026-02-29T00:00',
  '2026-13-01T00:00',
  '2026-03-01T24:00',
  '2026-03-01T10:60',
  '2026-03-01 24:00:00',
  '2026-03-01 10:00:60',
  '2026-00-01 10:00:00',
  '2026-03-00 10:00:00',
  '2026-03-0x 10:00:00',
  '2026-04-31 10:00:00',
  '2026/03/01 10:00:00',
  '2026-03-01',
  '2026-3-1T10:00',
])('parseWallTime refuses %s', (text) => {
  expect(parseWallTime(text)).toBeUndefined()
})

it.each([
  ['2026-03-01 10:00:00Z', '2026-03-01T10:00:00Z'],
  ['2026-03-01 11:00:00+01:00', '2026-03-01T10:00:00Z'],
  ['2026-03-01T11:00:00+01:00', '2026-03-01T10:00:00Z'],
  ['2026-03-01T11:00:00+0100', '2026-03-01T10:00:00Z'],
  ['2026-03-01 11:00:00 +0100', '2026-03-01T10:00:00Z'],
  ['2026-03-01T05:30:00.25-04:30', '2026-03-01T10:00:00.250Z'],
  ['2026-03-01T10:00:00.123456789z', '2026-03-01T10:00:00.123Z'],
  ['2026-03-01T10:00Z', '2026-03-01T10:00:00Z'],
])('parseServiceDate reads %s', (text, expected) => {
  expect(parseServiceDate(text)).toBe(at(expected))
})
it.each([
  '2026-03-01 10:00:00', // whose time is not said
  '2026-03-01',
  '2026-02-30 10:00:00Z',
  '2026-03-01 25:00:00Z',
  '2026-03-01 10:00:00+24:00',
  '2026-03-01 10:00:00+01:60',
  '2026-03-01 10:00:00Zulu',
  'yesterday',
  '',
])('parseServiceDate refuses %j', (text) => {
  expect(parseServiceDate(text)).toBeUndefined()
})

it('writes the offset of a zone at an instant', () => {
  expect(offsetText(at('2026-03-01T10:00:00Z'), 'America/St_Johns')).toBe('-03:30')
  expect(offsetText(at('1800-01-01T00:00:00Z'), 'Europe/Madrid')).toBe('-00:14:44')
})

/** Whole seconds: into and out of summer time, offsets with seconds, a day left out, years of two digits. */
const INSTANTS = [
  '2026-03-29T00:59:59Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T00:59:59Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2011-12-30T12:00:00Z',
  '1900-01-01T00:00:00Z',
  '1850-06-01T00:00:00Z',
  '0099-06-01T00:00:00Z',
  '2026-07-01T10:00:00Z',
].map((iso) => Date.parse(iso))
const offsets = (zone: string) => INSTANTS.map((ms) => Date.parse(`${instantToWallTime(ms, zone)}Z`) - ms)

it('localOffset is that of the zone of this machine', () => {
  expect(INSTANTS.map(localOffset)).toEqual(offsets(systemTimeZone()))
})

it('localOffset agrees with Intl for other zones', async () => {
  for (const zone of ['Europe/Madrid', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']) {
    const found = await underZone(zone, `${JSON.stringify(INSTANTS)}.map(localOffset)`)
    expect([zone, found]).toEqual([zone, offsets(zone)])
  }
})

let bundled: Promise<string> | undefined

async function bundleTime() {
  const bundle = await rolldown({
    input: join(import.meta.dirname, '../../../src/lib/wire/time.ts'),
    platform: 'node',
  })
  const { output } = await bundle.generate({ format: 'cjs' })
  await bundle.close()
  return output[0].code
}

/** Value of an expression over the module, in a process that starts with this `TZ`. */
async function underZone(TZ: string, expression: string) {
  bundled ??= bundleTime()
  const program = `${await bundled}\nconsole.log(JSON.stringify(${expression}))`
  return jsonOf(spawnSync(process.execPath, typed`-e ${program}`, { env: { TZ }, encoding: 'utf8' }))
}

const UTC_FILE = '/usr/share/zoneinfo/Etc/UTC'

it.each([
  ['Mars/Olympus', 'UTC', false],
  // The engine knows no rules of POSIX but those for UTC.
  ['CET-1CEST', 'UTC', false],
  // The engine takes it for Dhaka.
  ['BST', 'UTC', false],
  ['UTC0', 'UTC', true],
  ['', 'UTC', true],
  [':Etc/UTC', 'UTC', true],
  [existsSync(UTC_FILE) ? UTC_FILE : 'UTC', 'UTC', true],
  ['EST5EDT', expect.stringMatching(/^(EST5EDT|America.New_York)$/), true],
  [':Asia/Tokyo', 'Asia/Tokyo', true],
  ['asia/tokyo', 'asia/tokyo', true],
])('TZ=%s stands for %s, and is a known zone: %j', async (TZ, zone, isKnown) => {
  const found = await underZone(TZ, '[systemTimeZone(), unknownZone() ?? null]')
  expect(found).toEqual([zone, isKnown ? null : TZ])
})
