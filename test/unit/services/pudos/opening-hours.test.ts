import { expect, it } from 'vitest'
import {
  hoursAhead,
  openingAt,
  readHours,
  weekRows,
} from '../../../../src/lib/services/pudos/opening-hours.ts'

const spans = (text: string) =>
  readHours(
    text.split('; ').map((one) => {
      const [day, opens, closes] = one.split(/[ -]/)
      return { day: Number(day), opens, closes }
    }),
  )

// 2026-11-16 is a Monday.
const SHOP = '1 09:00-14:00; 1 16:00-20:00; 5 09:00-24:00; 6 00:00-02:00'
const BAR = '5 20:00-03:00; 6 20:00-03:00; 7 22:00-04:00'
const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((day) => `${day} 00:00-24:00`).join('; ')

it.each([
  ['before it opens', SHOP, '2026-11-16T08:59:59', 'closed', '09:00'],
  ['from the minute on', SHOP, '2026-11-16T09:00:00', 'open', '14:00'],
  ['closed at that very minute', SHOP, '2026-11-16T14:00:00', 'closed', '16:00'],
  ['the second span', SHOP, '2026-11-16T19:59:59', 'open', '20:00'],
  ['days later', SHOP, '2026-11-16T20:00:00', 'closed', 'Fri 09:00'],
  ['spans that touch at midnight are one', SHOP, '2026-11-20T23:00:00', 'open', '02:00'],
  ['a night that is long', SHOP, '2026-11-20T10:00:00', 'open', 'Sat 02:00'],
  ['over the end of the week', SHOP, '2026-11-21T02:00:00', 'closed', 'Mon 09:00'],
  ['over midnight, before', BAR, '2026-11-20T23:59:00', 'open', '03:00'],
  ['over midnight, after', BAR, '2026-11-21T02:59:00', 'open', '03:00'],
  ['from Sunday into Monday', BAR, '2026-11-16T03:59:00', 'open', '04:00'],
  ['and no longer', BAR, '2026-11-16T04:00:00', 'closed', 'Fri 20:00'],
  ['to the end of the day', '3 09:00-24:00', '2026-11-18T12:00:00', 'open', '24:00'],
  ['day and night', ALWAYS, '2026-11-18T12:00:00', 'always', undefined],
  ['the same time twice is a whole day', '3 08:00-08:00', '2026-11-19T07:00:00', 'open', '08:00'],
  ['one day a week', '1 09:00-10:00', '2026-11-16T10:00:00', 'closed', 'Mon 09:00'],
])('openingAt tells the state of a point: %s', (_name, text, wall, state, until) => {
  expect(openingAt(spans(text), wall)).toEqual({ state, until })
})

it('opening hours follow the clock changes of the place', () => {
  // In Madrid 02:00 to 03:00 does not exist on 29 March 2026, a Sunday.
  const night = spans('7 02:30-04:00')
  expect(openingAt(night, '2026-03-29T01:59:00')).toEqual({ state: 'closed', until: '02:30' })
  expect(openingAt(night, '2026-03-29T03:00:00')).toEqual({ state: 'open', until: '04:00' })
})

it.each([
  [undefined],
  [null],
  ['always'],
  [[]],
  [[{ day: 0, opens: '09:00', closes: '10:00' }]],
  [[{ day: 8, opens: '09:00', closes: '10:00' }]],
  [[{ day: 1, opens: '9', closes: '10:00' }, null, 7]],
  [[{ day: 1, opens: '09:00' }]],
  [[{ day: 1, opens: '09:00', closes: '24:30' }]],
])('%j gives no opening hours', (hours) => {
  expect(readHours(hours)).toBeUndefined()
  expect(openingAt(readHours(hours), '2026-11-16T12:00:00')).toEqual({ state: 'unknown' })
})

it('readHours reads numbers sent as text, seconds and times without a leading zero', () => {
  expect(readHours([{ day: '2', opens: '9:00', closes: '10:30:00' }])).toEqual([{ from: 1980, to: 2070 }])
})

it('weekly hours put equal days together', () => {
  expect(weekRows(spans(`${SHOP}; 2 16:00-20:00; 2 09:00-14:00`))).toEqual([
    { days: 'Mon–Tue', hours: '09:00–14:00, 16:00–20:00' },
    { days: 'Wed–Thu', hours: 'closed' },
    { days: 'Fri', hours: '09:00–24:00' },
    { days: 'Sat', hours: '00:00–02:00' },
    { days: 'Sun', hours: 'closed' },
  ])
  expect(weekRows(spans(ALWAYS))).toEqual([{ days: 'Mon–Sun', hours: 'all day' }])
  expect(weekRows(undefined)).toEqual([])
})

it.each([
  ['2026-11-16T13:59:59', SHOP, true, 0, '09:00–14:00, 16:00–20:00'],
  ['2026-11-16T14:00:00', SHOP, true, 0, '16:00–20:00'],
  ['2026-11-16T20:00:00', SHOP, false, 4, '09:00–24:00'],
  ['2026-11-18T10:00:00', '3 09:00-10:00', false, 2, '09:00–10:00'],
  ['2026-11-18T10:00:00', ALWAYS, true, 2, '00:00–24:00'],
])('at %s the hours ahead of %s leave out past times', (wall, text, isToday, weekday, times) => {
  expect(hoursAhead(spans(text), wall)).toEqual({ isToday, weekday, times })
  expect(hoursAhead(undefined, wall)).toBeUndefined()
})
