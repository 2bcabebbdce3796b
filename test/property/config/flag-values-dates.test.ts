import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { expect, it } from 'vitest'
import { parseWhen } from '../../../src/lib/config/flag-values.ts'
import {
  formatServiceDate,
  instantToWallTime,
  parseServiceDate,
  wallTimeToInstant,
} from '../../../src/lib/wire/time.ts'

const zone = fc.constantFrom(
  'UTC',
  'Europe/Madrid',
  'Europe/London',
  'America/New_York',
  'America/St_Johns', // changed at one minute past midnight
  'America/Sao_Paulo', // skipped midnights
  'Australia/Lord_Howe', // half an hour of summer time
  'Asia/Kathmandu',
  'Africa/Casablanca', // goes back for Ramadan
  'Pacific/Apia', // left out a day
  'Pacific/Kwajalein',
  'Antarctica/Troll', // two hours of summer time
)

const instant = fc
  .integer({ min: Date.parse('1972-01-01T00:00:00Z') / 1000, max: Date.parse('2040-01-01T00:00:00Z') / 1000 })
  .map((seconds) => seconds * 1000)

/** A zone and an instant, half of them within three hours of a change of its clocks. */
const place = fc
  .tuple(zone, instant, fc.option(fc.integer({ min: -10_800, max: 10_800 })))
  .map(([name, ms, nearChange]) => {
    const next = Temporal.Instant.fromEpochMilliseconds(ms)
      .toZonedDateTimeISO(name)
      .getTimeZoneTransition('next')
    return { zone: name, ms: nearChange === null || !next ? ms : next.epochMilliseconds + nearChange * 1000 }
  })

const oracle = (ms: number, name: string) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)
const wallText = (time: Temporal.PlainDateTime) => time.toString({ smallestUnit: 'second' })

it('wall times and offsets agree with Temporal', () => {
  fc.assert(
    fc.property(place, ({ zone: name, ms }) => {
      const expected = oracle(ms, name)
      expect(instantToWallTime(ms, name)).toBe(wallText(expected.toPlainDateTime()))
      if (name !== 'UTC') expect(formatServiceDate(ms, name).slice(19)).toBe(expected.offset)
    }),
    { numRuns: 500 },
  )
})

it('instants of any wall time agree with Temporal, in gaps and overlaps too', () => {
  fc.assert(
    fc.property(place, fc.integer({ min: -7200, max: 7200 }), ({ zone: name, ms }, shift) => {
      // Shifting the wall time, not the instant, is what reaches into gaps.
      const wall = oracle(ms, name).toPlainDateTime().add({ seconds: shift })
      const [earlier, later] = (['earlier', 'later'] as const).map(
        (disambiguation) => wall.toZonedDateTime(name, { disambiguation }).epochMilliseconds,
      )
      const compatible = wall.toZonedDateTime(name).epochMilliseconds
      const isGap = !oracle(compatible, name).toPlainDateTime().equals(wall)
      const kind = isGap ? 'gap' : earlier === later ? 'exact' : 'overlap'
      const text = wallText(wall)
      expect(wallTimeToInstant(text, name, 'earlier')).toEqual({
        epochMs: isGap ? compatible : earlier,
        kind,
      })
      expect(wallTimeToInstant(text, name, 'later')).toEqual({ epochMs: isGap ? compatible : later, kind })
    }),
    { numRuns: 500 },
  )
})

it('instants survive the service’s date format', () => {
  fc.assert(
    fc.property(place, ({ zone: name, ms }) => {
      expect(parseServiceDate(formatServiceDate(ms, name))).toBe(ms)
    }),
  )
})

const parse = (input: string, name: string, now = 0) =>
  parseWhen(input, { edge: 'from', zone: name, now, flag: '--x' })

it('parseWhen returns existing times, and notes exactly the changed and doubtful ones', () => {
  fc.assert(
    fc.property(place, fc.integer({ min: -7200, max: 7200 }), ({ zone: name, ms }, shift) => {
      const asked = wallText(oracle(ms, name).toPlainDateTime().add({ seconds: shift }))
      const { wall, epochMs, notes } = parse(asked, name)
      const resolved = wallTimeToInstant(asked, name, 'earlier')
      expect(instantToWallTime(epochMs, name)).toBe(wall)
      expect(wall === asked).toBe(resolved.kind !== 'gap')
      expect(notes).toHaveLength(resolved.kind === 'exact' ? 0 : 1)
    }),
  )
})

it('parseWhen counts days and weeks by the calendar and hours by the clock, as Temporal does', () => {
  const unit = fc.constantFrom(['d', 'days'], ['w', 'weeks'], ['h', 'hours'], ['m', 'minutes'])
  fc.assert(
    fc.property(
      place,
      fc.integer({ min: 0, max: 400 }),
      unit,
      ({ zone: name, ms }, count, [letter, word]) => {
        const expected = oracle(ms, name).subtract({ [word ?? '']: count })
        expect(parse(`${count}${letter}`, name, ms).wall).toBe(wallText(expected.toPlainDateTime()))
      },
    ),
    { numRuns: 300 },
  )
})
