import { expect, test } from 'vitest'
import { moneySentences, nextStep, whereSentences } from '../../../src/lib/insight/card.ts'
import type { ReturnFacts } from '../../../src/lib/insight/case.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import type { Transportation } from '../../../src/lib/wire/transportations.ts'

const VIEW = { now: Date.parse('2026-11-20T12:00:00Z'), zone: 'Europe/Madrid' }
const NAME = 'R#-1001'

/** A parcel that the customer handed in the day before, to be refunded when it arrives. */
function facts(changes: {
  status?: string
  transport?: Partial<Transportation> | null
  record?: Partial<Return>
  refunds?: ReturnFacts['refunds']
}): ReturnFacts {
  const transport = {
    id: 't1',
    status: 'SHIPPING_IN_PROGRESS',
    createdAt: '2026-11-18 09:00:00Z',
    serviceType: 'drop-off',
    carrierCode: 'SEUR',
    carrierReference: 'TRK1',
    trackingEvents: [
      { status: 'SHIPPING_IN_PROGRESS', description: 'Scanned in Madrid', date: '2026-11-19 08:00:00Z' },
    ],
    ...changes.transport,
  } as Transportation
  const record = {
    id: '1',
    name: NAME,
    status: changes.status ?? 'RECEPTION_IN_PROGRESS',
    updatedAt: '2026-11-19 08:00:00Z',
    totalReturnAmount: 52.5,
    totalReturnFee: 3.5,
    currency: 'EUR',
    returnLineItems: [{ refundType: 'ORIGINAL_PAYMENT_METHOD', refundMode: 'SHIPPING_COMPLETED' }],
    ...changes.record,
  } as Return
  const transportations = changes.transport === null ? [] : [transport]
  return { record, transportations, refunds: changes.refunds ?? [] }
}

const where = (...[changes]: Parameters<typeof facts>) => whereSentences(facts(changes), VIEW)

test('the card tells the last scan and what is expected next', () => {
  expect(where({})).toBe(
    'On its way to the shop, last scan 2026-11-19 09:00 (28 h ago) by SEUR: “Scanned in Madrid”. ' +
      'Waits for the next scan, expected by 2026-11-22 09:00.',
  )
})

test('the card says what should have happened by now', () => {
  const old = [{ status: 'SHIPPING_IN_PROGRESS', date: '2026-11-10 08:00:00Z' }]
  expect(where({ transport: { trackingEvents: old } })).toContain(
    '(10 days ago) by SEUR. Overdue: the next scan, expected by 2026-11-13 09:00.',
  )
  const unused = { status: 'REQUESTED' as const, trackingEvents: [], createdAt: '2026-11-01 09:00:00Z' }
  expect(where({ status: 'PENDING', transport: unused })).toBe(
    'Not handed in yet, no scan yet by SEUR. Overdue: the customer to hand it in, expected by 2026-11-15 10:00.',
  )
  const pickup = { ...unused, pickupDate: '2026-11-21 09:00:00Z' }
  expect(where({ status: 'PENDING', transport: pickup })).toContain(
    'Waits for the pick-up, expected by 2026-11-22',
  )
})

test.each([
  [{ pickupDate: '2026-11-21' }, '2026-11-22 13:00'],
  [{}, '2026-12-02 10:00'],
])('a pick-up at home is not waited for as if the customer handed it in: %j', (dated, by) => {
  const transport = { status: 'REQUESTED' as const, trackingEvents: [], serviceType: 'pick-up', ...dated }
  expect(where({ status: 'PENDING', transport })).toBe(
    `Not picked up yet, no scan yet by SEUR. Waits for the pick-up, expected by ${by}.`,
  )
})

test('the active transport of the record counts where the list of transports lacks it', () => {
  const createdAt = '2026-11-19 09:00:00Z'
  const active = { ...waiting, id: 't2', createdAt, serviceType: 'drop-off' } as unknown as Transportation
  const record = { activeTransportation: active }
  const changes = [{ transport: null }, { transport: { status: 'SHIPPING_FAILED' as const } }]
  for (const change of changes) {
    const known = { ...change, status: 'PENDING', record }
    expect(where(known)).toMatch(/^Not handed in yet.*expected by 2026-12-03/)
    expect(next(known).text).toBe('Wait for the customer to hand it in')
  }
  for (const id of ['t1', undefined]) {
    const known = { status: 'PENDING', record: { activeTransportation: { ...active, id } as Transportation } }
    expect(where(known), `${id} is listed, or may be`).toMatch(/^On its way to the shop/)
  }
})

test('the card tells arrived, received and checked returns apart', () => {
  const transport = { status: 'SHIPPING_COMPLETED' } as const
  expect(where({ status: 'RECEPTION_COMPLETED', transport })).toMatch(
    /^Arrived at the shop,.* its reception,/,
  )
  expect(where({ status: 'RECEIVED', transport })).toMatch(
    /^At the shop, received, not checked,.* the check,/,
  )
  expect(where({ status: 'CHECKED', transport })).toMatch(/^At the shop, checked, last scan [^.]*\.$/)
})

test('a parcel that the shop has, and no carrier ever scanned, is not waited for', () => {
  const transport = { status: 'REQUESTED' as const, trackingEvents: [] }
  expect(where({ status: 'RECEPTION_COMPLETED', transport })).toBe(
    'Arrived at the shop, no scan yet by SEUR.',
  )
  expect(where({ status: 'RECEIVED', transport })).toMatch(
    /^At the shop, received, not checked\. .* the check,/,
  )
  expect(where({ status: 'CHECKED', transport })).toBe('At the shop, checked.')
  expect(where({ status: 'NEEDS_VALIDATION', transport })).toBe('Not handed in yet, no scan yet by SEUR.')
  expect(nextStep(facts({ status: 'RECEPTION_COMPLETED', transport }), VIEW).text).toBe(
    'Receive the parcel and check the items',
  )
})

test('the card tells of a missing parcel, and of one although the return has ended', () => {
  expect(where({ status: 'NEEDS_VALIDATION', transport: null })).toBe(
    'No parcel is on its way: the return is waiting for approval.',
  )
  expect(where({ status: 'PENDING', transport: null })).toBe('No transport is arranged yet.')
  expect(where({ status: 'EXPIRED' })).toMatch(/^On its way to the shop,.* The return itself is expired\.$/)
})

test('an incomplete record still gets all sentences', () => {
  expect(whereSentences({ record: {} as Return }, VIEW)).toBe('No transport is arranged yet.')
  expect(moneySentences({ record: {} as Return }, VIEW)).toBe('An unknown amount, nobody knows when.')
  expect(nextStep({ record: {} as Return }, VIEW).text).not.toBe('')
})

const money = (...[changes]: Parameters<typeof facts>) => moneySentences(facts(changes), VIEW)
const refund = { amount: 49, fee: 3.5, currency: 'EUR', refundType: 'STORE_CREDIT' } as const

test('the card does not call money due if refunds were not read', () => {
  const unread = (changes: Parameters<typeof facts>[0]) =>
    moneySentences({ ...facts(changes), refunds: undefined }, VIEW)
  const unknown = /; whether it was refunded is not known here\.$/
  expect(unread({ status: 'CLOSED' })).toMatch(unknown)
  expect(unread({ status: 'CHECKED' })).toMatch(unknown)
  expect(unread({ status: 'PENDING', transport: null })).not.toMatch(unknown)
})

test('an executed refund has its amount after the fee, its way and its time', () => {
  expect(money({ refunds: [{ ...refund, status: 'EXECUTED', executedAt: '2026-11-19 10:00:00Z' }] })).toBe(
    '49.00 EUR as store credit, executed 2026-11-19 11:00 (26 h ago).',
  )
})

test.each([
  [{ executedAt: '2026-11-19 10:00:00Z' }, /, executed/],
  [{ status: 'executed' }, /, executed/],
  [{ status: 'COMPLETED', executedAt: '2026-11-19 10:00:00Z' }, /, executed/],
  [{ status: 'COMPLETED' }, /not executed yet/],
  [{ status: 'Pending', executedAt: '2026-11-19 10:00:00Z' }, /not executed yet/],
  [{ status: 'FAILED', executedAt: '2026-11-19 10:00:00Z' }, /has failed/],
])('the card tells by status, else by date, if a refund with %j was executed', (changes, told) => {
  const refunds = [{ ...refund, refundMode: 'SHIPPING_IN_PROGRESS', ...changes }] as ReturnFacts['refunds']
  expect(money({ refunds })).toMatch(told)
})

test('money that is not due yet has its time by the refund mode', () => {
  expect(money({})).toBe('49.00 EUR to the original payment method, due when the parcel arrives.')
  const pending = { ...refund, refundType: 'EXCHANGE', status: 'PENDING' } as const
  expect(money({ refunds: [{ ...pending, refundMode: 'SHIPPING_IN_PROGRESS' }] })).toBe(
    '49.00 EUR as an exchange, due now (when the parcel is on its way), not executed yet.',
  )
  expect(money({ refunds: [{ ...pending, refundMode: 'MANUAL' }] })).toContain('to be refunded by hand.')
})

test('failed and cancelled refunds are named, and amounts are exact', () => {
  expect(money({ refunds: [{ ...refund, status: 'FAILED' }] })).toContain('but that has failed.')
  expect(money({ status: 'EXPIRED' })).toBe('No money went back: the return is expired.')
  const open = { ...refund, status: 'PENDING', refundMode: 'SHIPPING_COMPLETED' } as const
  expect(money({ status: 'DISCARDED', refunds: [open] })).toBe(
    '49.00 EUR as store credit, not executed: the return is discarded.',
  )
  expect(money({ refunds: [{ ...refund, amount: 0.2, fee: 0.1, status: 'FAILED' }] })).toContain('0.20 EUR')
  expect(money({ record: { totalReturnAmount: 0.3, totalReturnFee: 0.1 } })).toMatch(/^0\.20 EUR/)
  expect(money({ refunds: [{ amount: 650, fee: 50, currency: 'JPY', status: 'FAILED' }] })).toContain(
    '650 JPY',
  )
})

const next = (...[changes]: Parameters<typeof facts>) => nextStep(facts(changes), VIEW)
const arrived = { status: 'SHIPPING_COMPLETED' } as const
const waiting = { status: 'REQUESTED' as const, trackingEvents: [] }

test.each([
  [{ status: 'NEEDS_VALIDATION', transport: null }, 'Approve the return, or discard it'],
  [{}, 'Wait for SEUR'],
  [{ transport: { trackingEvents: [{ date: '2026-11-01 08:00:00Z' }] } }, 'Ask SEUR where it is (TRK1)'],
  [{ status: 'PENDING', transport: waiting }, 'Wait for the customer to hand it in'],
  [{ status: 'PENDING', transport: { ...waiting, serviceType: 'pick-up' } }, 'Wait for the pick-up'],
  [
    { transport: { status: 'SHIPPING_FAILED' } },
    "Offer another way to send it, with the customer's own --tier",
  ],
  [{ status: 'RECEPTION_COMPLETED', transport: arrived }, 'Receive the parcel and check the items'],
  [{ status: 'RECEIVED', transport: arrived }, 'Check the items'],
  [{ status: 'CHECKED', transport: arrived }, 'See to the refund'],
  [{ status: 'CHECKED', transport: arrived, refunds: [{ status: 'EXECUTED' }] }, 'Close the return'],
  [{ status: 'CLOSED', refunds: [{ status: 'FAILED' }] }, 'Look into the refund that failed'],
  [
    { status: 'CLOSED', transport: arrived, refunds: [{ status: 'PENDING' }] },
    'See to the refund that is open',
  ],
  [{ status: 'CHECKED', refunds: [{ executedAt: '2026-11-19 10:00:00Z' }] }, 'Close the return'],
  [{ status: 'CHECKED', refunds: [{ refundMode: 'INSTANT' }] }, 'See to the refund'],
  [{ status: 'EXPIRED' }, 'Decide what becomes of the parcel when it arrives'],
  [{ status: 'DISCARDED', transport: null }, 'Nothing is left to do'],
] as [Parameters<typeof facts>[0], string][])('the next step for %j is %s', (changes, text) => {
  expect(next(changes).text).toBe(text)
})

test('the next step names the command for it', () => {
  expect(next({ status: 'PENDING', transport: waiting }).command).toEqual(['pudos', 'search', NAME])
  expect(next({ transport: { status: 'SHIPPING_FAILED' } }).command).toEqual([
    'methods',
    'calculate',
    '--for',
    NAME,
    '--tier',
    'STANDARD',
  ])
})
