import { expect, it } from 'vitest'
import { checkRange, parseWhen } from '../../../src/lib/config/flag-values.ts'
import { AppError } from '../../../src/lib/errors.ts'

const NOW = Date.parse('2026-03-30T10:20:30Z')

function parse(input: string, edge: 'from' | 'to' = 'from', zone = 'Europe/Madrid', now = NOW) {
  return parseWhen(input, { edge, zone, now, flag: `--created-${edge}` })
}

function failure(action: () => unknown) {
  try {
    action()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

it.each([
  // input, from, to; 12:20:30 on Monday 30 March in Madrid, where the day before had 23 hours
  ['2026-03-01', '2026-03-01T00:00:00', '2026-03-01T23:59:59'],
  ['2026-03-01T10:30', '2026-03-01T10:30:00', '2026-03-01T10:30:00'],
  ['2026-03-01 10:30:15', '2026-03-01T10:30:15', '2026-03-01T10:30:15'],
  ['2026-03-01T10:30:15Z', '2026-03-01T11:30:15', '2026-03-01T11:30:15'],
  ['2026-03-01T10:30-05:00', '2026-03-01T16:30:00', '2026-03-01T16:30:00'],
  ['2026-03-01T10:30:15.999Z', '2026-03-01T11:30:15', '2026-03-01T11:30:15'],
  ['today', '2026-03-30T00:00:00', '2026-03-30T23:59:59'],
  [' Yesterday ', '2026-03-29T00:00:00', '2026-03-29T23:59:59'],
  ['0d', '2026-03-30T12:20:30', '2026-03-30T12:20:30'],
  ['1d', '2026-03-29T12:20:30', '2026-03-29T12:20:30'],
  ['7D', '2026-03-23T12:20:30', '2026-03-23T12:20:30'],
  ['2w', '2026-03-16T12:20:30', '2026-03-16T12:20:30'],
  ['30m', '2026-03-30T11:50:30', '2026-03-30T11:50:30'],
  ['12h', '2026-03-30T00:20:30', '2026-03-30T00:20:30'],
  // Hours are hours: 36 of them reach over the one that was skipped.
  ['36h', '2026-03-28T23:20:30', '2026-03-28T23:20:30'],
])('parseWhen reads %s', (input, from, to) => {
  expect(parse(input, 'from')).toMatchObject({ wall: from, notes: [] })
  expect(parse(input, 'to')).toMatchObject({ wall: to, notes: [] })
})

it('parseWhen takes today from the zone, not from UTC', () => {
  expect(parse('today', 'from', 'Pacific/Kiritimati', Date.parse('2026-03-01T12:00:00Z')).wall).toBe(
    '2026-03-02T00:00:00',
  )
  expect(parse('yesterday', 'from', 'Pacific/Pago_Pago', Date.parse('2026-03-01T02:00:00Z')).wall).toBe(
    '2026-02-27T00:00:00',
  )
})

it.each([
  ['2026-03-29T02:30', 'Europe/Madrid', '2026-03-29T03:30:00'],
  ['2011-12-30', 'Pacific/Apia', '2011-12-31T00:00:00'],
  // A midnight that does not exist.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T01:00:00'],
])('parseWhen moves %s in %s out of the gap and says so', (input, zone, wall) => {
  const when = parse(input, 'from', zone)
  expect(when.wall).toBe(wall)
  expect(when.notes).toEqual([expect.stringContaining(wall)])
  expect(when.notes[0]).toContain(`does not exist in ${zone}`)
})

it('parseWhen moves a time of day that was skipped some days ago', () => {
  const when = parse('1d', 'from', 'Europe/Madrid', Date.parse('2026-03-30T00:30:00Z'))
  expect(when).toMatchObject({
    wall: '2026-03-29T03:30:00',
    notes: [expect.stringContaining('2026-03-29T02:30:00')],
  })
})

it.each(['2026-10-25T02:30', '2026-10-25T02:30:00+01:00', '2026-10-25T00:30:00Z'])(
  'parseWhen says that %s happens twice',
  (input) => {
    const [from, to] = [parse(input, 'from'), parse(input, 'to')]
    expect([from.wall, to.wall]).toEqual(['2026-10-25T02:30:00', '2026-10-25T02:30:00'])
    expect(from.notes[0]).toMatch('twice in Europe/Madrid, +02:00 and +01:00; the range starts at the first')
    expect(to.notes[0]).toMatch('the range ends at the second')
    expect(to.epochMs - from.epochMs).toBe(3_600_000)
  },
)

it.each([
  '2026-02-30',
  '2026-03-01T25:00',
  '2026-13-01',
  '2026-03-01T10:00+99:00',
  '2026-03-01T10:00:00.5',
  '2026-03-01T',
])('parseWhen refuses %s as a date that does not exist', (input) => {
  const error = failure(() => parse(input))
  expect(error).toMatchObject({
    kind: 'usage',
    message: `--created-from: "${input}" is not a date and time that exists`,
  })
})

it.each(['', 'soon', '7', 'd', '-7d', '7y', '1.5d', '01/03/2026', '999999d', '20260301'])(
  'parseWhen refuses %j, with examples',
  (input) => {
    const error = failure(() => parse(input, 'to'))
    expect(error.kind).toBe('usage')
    expect(error.message).toContain('--created-to')
    expect(error.hints.join()).toContain('yesterday, 7d')
  },
)

const check = (from: string | undefined, to: string | undefined) => () =>
  checkRange(
    from === undefined ? undefined : parse(from),
    to === undefined ? undefined : parse(to, 'to'),
    '--created',
  )

it.each([
  ['2026-03-01', '2026-03-01'],
  ['2026-03-01T10:00', '2026-03-01T10:00'],
  ['7d', 'today'],
  ['7d', undefined],
  [undefined, '7d'],
  // On the clock 02:50 is later than 02:10, but the second 02:10 comes after the first 02:50.
  ['2026-10-25T02:50', '2026-10-25T02:10'],
])('checkRange accepts %s to %s', (from, to) => {
  expect(check(from, to)).not.toThrow()
})

it('checkRange refuses a range that ends before it starts, with both dates', () => {
  const error = failure(check('2026-03-02', '2026-03-01'))
  expect(error.kind).toBe('usage')
  expect(error.message).toBe(
    '--created-from (2026-03-02T00:00:00) is later than --created-to (2026-03-01T23:59:59)',
  )
})
