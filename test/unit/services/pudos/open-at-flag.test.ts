import { expect, it } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import { parseMoment } from '../../../../src/lib/services/pudos/open-at-flag.ts'

/** Friday, 20 November 2026: 13:00:30 in Madrid, 21:00:30 in Tokyo, 02:00:30 (of that day) in Honolulu. */
const NOW = Date.parse('2026-11-20T12:00:30Z')

it.each([
  ['now', '2026-11-20T13:00:30'],
  ['18:00', '2026-11-20T18:00:00'],
  ['13:00', '2026-11-20T13:00:00'],
  ['12:59', '2026-11-21T12:59:00'],
  ['today 9:00', '2026-11-20T09:00:00'],
  ['tomorrow 9:00', '2026-11-21T09:00:00'],
  ['  Tomorrow   at 9 ', '2026-11-21T09:00:00'],
  ['sat 18:00', '2026-11-21T18:00:00'],
  ['Saturday, 6pm', '2026-11-21T18:00:00'],
  ['thurs 6:30 am', '2026-11-26T06:30:00'],
  ['fri. 18:00', '2026-11-20T18:00:00'],
  ['fri 13:00', '2026-11-20T13:00:00'],
  ['fri 12:59', '2026-11-27T12:59:00'],
  ['fri 12am', '2026-11-27T00:00:00'],
  ['2026-11-28 18:00', '2026-11-28T18:00:00'],
  ['2026-11-28T18:00', '2026-11-28T18:00:00'],
  ['2026-11-28T18:00:00Z', '2026-11-28T19:00:00'],
  ['2026-11-28 18:00:00+01:00', '2026-11-28T18:00:00'],
  // The clocks skip it.
  ['2026-03-29 02:30', '2026-03-29T03:30:00'],
])('parseMoment reads %s', (input, wall) => {
  expect(parseMoment(input, NOW, '--open-at')('Europe/Madrid')).toBe(wall)
})

it('a moment is the local time of each place', () => {
  const moment = parseMoment('tomorrow 9:00', NOW, '--open-at')
  expect(['Asia/Tokyo', 'Pacific/Honolulu', 'Pacific/Kiritimati'].map(moment)).toEqual([
    '2026-11-21T09:00:00',
    '2026-11-21T09:00:00',
    '2026-11-22T09:00:00',
  ])
})

it.each([
  '',
  'sat',
  'sa 18:00',
  'day 18:00',
  '25:00',
  '18:60',
  '13pm',
  '0am',
  '2026-02-30 10:00',
  'soon 10:00',
  '2026-11-28',
])('the moment %j is refused with examples', (input) => {
  const parse = () => parseMoment(input, NOW, '--open-at')
  expect(parse).toThrow(AppError)
  expect(parse).toThrow(`--open-at: ${JSON.stringify(input)}`)
})
