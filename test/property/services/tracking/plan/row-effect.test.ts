import fc from 'fast-check'
import { expect, it } from 'vitest'
import { judgeRow, stateOf } from '../../../../../src/lib/services/tracking/plan/row-effect.ts'
import { checkUpdate } from '../../../../../src/lib/services/tracking/update.ts'
import { TRANSPORTATION_STATUSES } from '../../../../../src/lib/wire/enumerations.ts'
import type { Return } from '../../../../../src/lib/wire/returns.ts'
import type { TrackingRequest } from '../../../../../src/lib/wire/tracking.ts'
import type { Transportation } from '../../../../../src/lib/wire/transportations.ts'
import { NOW, testSandbox } from '../../../../helpers/sandbox-client.ts'

const { request, allReturns, transportsOf } = await testSandbox({ returns: 900 })
/** Returns of every age and state, with the demo's own scans and transports that were replaced. */
const returns = (await allReturns()).filter(({ activeTransportation }) => activeTransportation).sort(byDigits)

/** Mixes the shops, and the old with the new. */
function byDigits({ id: one }: Return, { id: other }: Return) {
  const reversed = (id: unknown) => [...String(id)].reverse().join('')
  return reversed(one).localeCompare(reversed(other))
}

/** A return that no run has had: one can't have more than 99 transports. */
function takeOne() {
  return returns.pop() ?? expect.unreachable('too many runs for the data')
}

interface Update {
  status: string
  /** Quarters of a second from the last event on; or days before the return, or hours after now. */
  at: number | { daysBefore: number } | { hoursAhead: number } | 'as an event'
  number: string | undefined
  url: string | undefined
  carrier: string | undefined
  /** Shows the number of a transport instead, by its position. */
  numberOf: number | undefined
}

const some = <T>(...values: T[]) => fc.constantFrom(undefined, undefined, ...values)
const update = fc.record({
  status: fc.constantFrom(...TRANSPORTATION_STATUSES, 'SHIPPING_IN_PROGRESS', 'SHIPPING_FAILED'),
  at: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -4, max: 8 }) },
    fc.constant('as an event' as const),
    fc.record({ daysBefore: fc.constantFrom(29, 31) }),
    fc.record({ hoursAhead: fc.constantFrom(23, 25) }),
  ),
  number: some('A', 'B'),
  url: some('https://a.example/', 'https://b.example/'),
  carrier: some('SEUR', 'Nobody'),
  numberOf: some(0, 1),
})

/** Verdict of a plan, by the platform's answer. */
function verdictsOf(code: string) {
  if (code === 'OK') return ['new']
  if (code === 'DUPLICATE') return ['no-op']
  if (code === 'STALE') return ['stale']
  return code === 'VA01' ? ['too early', 'future'] : ['backward', 'illegal', 'missing']
}

function requestOf(record: Return, transports: readonly Transportation[], { at, numberOf, ...said }: Update) {
  const events = transports.flatMap(({ trackingEvents }) => trackingEvents ?? [])
  const instants = events.map(({ date }) => Date.parse(String(date)))
  const base = Math.max(Date.parse(String(record.createdAt)), ...instants)
  const event = events.at(-1)
  const isAsEvent = at === 'as an event' && event !== undefined
  const dateMs = () => {
    if (isAsEvent) return instants.at(-1) ?? 0
    if (typeof at !== 'object') return Math.min(NOW, base + 250 * (typeof at === 'number' ? at : 0))
    return 'hoursAhead' in at
      ? NOW + at.hoursAhead * 3_600_000
      : Date.parse(String(record.createdAt)) - at.daysBefore * 86_400_000
  }
  const number =
    numberOf === undefined ? said.number : (transports[numberOf]?.carrierReference ?? said.number)
  return {
    shopCode: record.shopCode,
    shipmentId: record.name,
    trackingStatus: isAsEvent ? String(event.status) : said.status,
    trackingDate: new Date(dateMs()).toISOString(),
    trackingNumber: number,
    trackingUrl: said.url,
    carrierName: said.carrier,
  }
}

function isFuture({ shipmentId, trackingStatus, trackingDate }: TrackingRequest) {
  const fields = { shipmentId, trackingStatus, trackingDate: trackingDate ?? undefined }
  const options = { now: NOW, zone: 'UTC', allowsUnknownStatus: false, allowsFuture: true }
  return checkUpdate(fields, options).timing === 'future'
}

async function post(body: TrackingRequest) {
  const answer = await request('/shipping_trackings', { method: 'POST', body: JSON.stringify(body) })
  return answer.body.statusCode ?? answer.body.errors[0].code
}

async function planned(record: Return, transports: readonly Transportation[]) {
  const { body } = await request(`/returns/${record.id}`)
  return stateOf({ ...body, active: body.activeTransportation }, transports)
}

it('a plan says of each row what the platform then does with it', async () => {
  const counts = new Map<string, number>()
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(update, { maxLength: 6 }),
      fc.array(update, { minLength: 1, maxLength: 8 }),
      async (before, after) => {
        const record = takeOne()
        for (const each of before) await post(requestOf(record, await transportsOf(record), each))
        const transports = await transportsOf(record)
        const rows = after.map((each) => requestOf(record, transports, each))
        let state = await planned(record, transports)
        const verdicts = rows.map((row) => {
          if (isFuture(row)) return 'future'
          const judged = judgeRow(row, state, { transportId: undefined })
          state = judged.after
          return judged.verdict
        })
        for (const [at, row] of rows.entries()) {
          const code = await post(row)
          counts.set(code, (counts.get(code) ?? 0) + 1)
          seen.add(verdicts[at] ?? '')
          expect([code, verdictsOf(code)]).toEqual([code, expect.arrayContaining([verdicts[at]])])
        }
      },
    ),
    { numRuns: 400 },
  )
  expect([...counts.keys()].sort()).toEqual(['DUPLICATE', 'OK', 'SH01', 'STALE', 'TR02', 'VA01'])
  expect([...seen].filter((verdict) => /too early|future/.test(verdict)).sort()).toEqual([
    'future',
    'too early',
  ])
})

it('a row that names a transport which has ended is never called new', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(update, { minLength: 1, maxLength: 8 }), async (updates) => {
      const record = takeOne()
      for (const each of updates) {
        const transports = await transportsOf(record)
        const row = requestOf(record, transports, each)
        const state = await planned(record, transports)
        for (const { id, status } of transports) {
          const { verdict } = judgeRow(row, state, { transportId: String(id) })
          if (/FAILED|CANCELLED|SHIPPING_COMPLETED/.test(String(status))) expect(verdict).not.toBe('new')
        }
        await post(row)
      }
    }),
  )
})
