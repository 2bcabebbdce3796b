import { expect, test } from 'vitest'
import { ApiError } from '../../../../src/lib/sandbox/http/answers.ts'
import { parseListQuery, parseReadQuery } from '../../../../src/lib/sandbox/returns/reads.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const parse = (query: string) => parseListQuery(new URLSearchParams(query))
const seconds = (iso: string) => Date.parse(iso) / 1000

function problems(query: string) {
  try {
    parse(query)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).toBe(400)
    expect(new Set(valuesOf(error.errors, 'code'))).toEqual(new Set(['VA01']))
    return valuesOf(error.errors, 'message')
  }
  return []
}

test.each([
  ['status=closed', 'status: closed is not one of PENDING'],
  ['status=NOPE', 'status: NOPE is not one of'],
  ['limit=0', 'limit: 0 is not a whole number from 1 to 500'],
  ['limit=501', 'limit: 501'],
  ['limit=ten', 'limit: ten'],
  ['limit=1.5', 'limit: 1.5'],
  ['limit=-1', 'limit: -1'],
  ['page=0', 'page: 0 is not a whole number of at least 1'],
  ['page=x', 'page: x'],
  ['time_zone=Mars/Olympus', 'time_zone: unknown time zone Mars/Olympus'],
  ['time_zone=%2B01:00', 'time_zone: unknown'],
  ['time_zone=BST', 'time_zone: unknown time zone BST'],
  ['created_from=yesterday', 'created_from: yesterday is not a date'],
  ['created_to=2026-03-01', 'created_to: 2026-03-01'],
  ['updated_from=2026-02-30T00:00:00', 'updated_from: 2026-02-30'],
  ['updated_to=2026-03-01T24:00:00', 'updated_to: 2026'],
  ['refunded_from=2026-03-01T00:00:00Z', 'refunded_from: 2026'],
  ['refunded_to=2026-03-01%2000:00:00', 'refunded_to: 2026'],
  ['status=CLOSED&status=PENDING', 'status: given more than once'],
])('the query %s is refused', (query, message) => {
  const found = problems(query)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain(message)
})

test('all mistakes of a query are named at once', () => {
  expect(problems('limit=0&page=0&status=x&created_from=x').map((text) => text.split(':')[0])).toEqual([
    'status',
    'created_from',
    'limit',
    'page',
  ])
})

test('empty and unknown parameters are treated as absent', () => {
  const nothing = parse('')
  expect(nothing).toEqual({ timeZone: 'UTC', limit: 100, page: 1 })
  expect(parse('status=&limit=&page=&created_from=&name=&time_zone=&shop_code=&color=red')).toEqual(nothing)
  expect(parseReadQuery(new URLSearchParams('limit=0&shop_code=A'))).toEqual({
    shopCode: 'A',
    timeZone: 'UTC',
  })
})

test.each([
  ['UTC', 'created_from=2026-03-01T10:00:00', seconds('2026-03-01T10:00:00Z')],
  ['a zone', 'created_from=2026-03-01T10:00:00&time_zone=Europe/Madrid', seconds('2026-03-01T09:00:00Z')],
  [
    'the earlier of two',
    'created_from=2026-10-25T02:30:00&time_zone=Europe/Madrid',
    seconds('2026-10-25T00:30:00Z'),
  ],
])('a lower bound is read in the zone %s', (_, query, from) => {
  expect(parse(query).created).toEqual({ from, to: Number.POSITIVE_INFINITY })
})

test('the upper bound is the later of two equal wall times', () => {
  const { refunded } = parse('refunded_to=2026-10-25T02:30:00&time_zone=Europe/Madrid')
  expect(refunded).toEqual({ from: Number.NEGATIVE_INFINITY, to: seconds('2026-10-25T01:30:00Z') })
})
