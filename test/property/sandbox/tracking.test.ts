import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TRANSPORTATION_STATUSES } from '../../../src/lib/wire/enumerations.ts'
import type { Refund } from '../../../src/lib/wire/refunds.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { NOW, testSandbox } from '../../helpers/sandbox-client.ts'
import { valuesOf } from '../../helpers/values-of.ts'

let now = NOW
const { request, allReturns, refundsOf, transportsOf } = await testSandbox({
  returns: 7_000,
  clock: { now: () => now },
})
const fresh = (await allReturns('status=PENDING')).filter(
  ({ activeTransportation: t }) => t?.status === 'REQUESTED' && t.id?.endsWith('01'),
)

interface Report {
  /** Which of the shipments. */
  shipment: number
  status: string
  number: string | undefined
  url: string | undefined
  carrier: string | undefined
  /** Quarters of a second after the day began. */
  date: number
}
const report: fc.Arbitrary<Report> = fc.record({
  shipment: fc.nat(1),
  status: fc.constantFrom(...TRANSPORTATION_STATUSES, 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED'),
  number: fc.constantFrom(undefined, 'A', 'B'),
  url: fc.constantFrom(undefined, undefined, 'https://a.example/', 'https://b.example/'),
  carrier: fc.constantFrom(undefined, undefined, 'SEUR', 'Nobody'),
  date: fc.nat(8),
})

/*
 * The decisions once more, in other words: the path that parcels go, a list of events, and one pass over it.
 */
const PATH = [
  'REQUESTED',
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'SHIPPING_COMPLETED',
]
/** Refunds that were due before the parcel set out. */
const BEFORE = ['INSTANT', 'PRE_VALIDATION']
const isEnd = (status: string) => /FAILED|CANCELLED|SHIPPING_COMPLETED/.test(status)

function isAllowed(from: string, to: string) {
  if (isEnd(from)) return false
  // The driver's visit can only go wrong before it is over.
  if (to === 'PICK_UP_FAILED' || to === 'PICK_UP_CANCELLED') return PATH.indexOf(from) <= 1
  if (isEnd(to) && to !== 'SHIPPING_COMPLETED') return true
  return PATH.indexOf(to) >= PATH.indexOf(from)
}

function isBackward(from: string, to: string) {
  return from !== to && isAllowed(to, from)
}

interface ModelEvent extends Omit<Report, 'shipment'> {
  transport: number
  applied: boolean
}

class Model {
  readonly events: ModelEvent[] = []
  transports: { status: string; code: string | undefined }[]
  furthest = 0
  readonly isDropOff: boolean

  constructor({ activeTransportation: active }: Return) {
    this.transports = [{ status: 'REQUESTED', code: active?.carrierReference ?? undefined }]
    this.isDropOff = String(active?.serviceType).startsWith('drop-off')
  }

  /** The statusCode of the answer, or the code of its error. */
  post({ shipment: _, ...report }: Report): string {
    const { status, number, date } = report
    const own = this.ownerOf(number)
    if (this.isKnown(report, own)) return 'DUPLICATE'
    const at = own < 0 ? this.activeAt(report) : own
    const transport = this.transports[at]
    if (transport === undefined) return 'SH01'
    if (this.isDropOff && status.startsWith('PICK_UP')) return 'TR02'
    const last = this.lastOf(at)
    const isFirstAgain =
      number === undefined && transport.status === 'REQUESTED' && this.transports[at - 1]?.status === status
    const isPossible = !isFirstAgain && isAllowed(transport.status, status)
    const isStale = date < last || (!isPossible && date === last && isBackward(transport.status, status))
    if (!isStale && !isPossible) {
      return own < 0 && this.transports.every((_one, t) => this.hasEnded(t)) ? 'SH01' : 'TR02'
    }
    this.events.push({ ...report, transport: at, applied: !isStale })
    if (isStale) return 'STALE'
    transport.code = number ?? transport.code
    transport.status = status
    this.furthest = Math.max(this.furthest, PATH.indexOf(status))
    if (isEnd(status) && status !== 'SHIPPING_COMPLETED')
      this.transports.push({ status: 'REQUESTED', code: undefined })
    return 'OK'
  }

  hasEnded(t: number): boolean {
    return isEnd(this.transports[t]?.status ?? '')
  }

  lastOf(t: number): number {
    return Math.max(
      -1,
      ...valuesOf(
        this.events.filter((e) => e.applied && e.transport === t),
        'date',
      ),
    )
  }

  activeAt({ date, number }: Omit<Report, 'shipment'>): number {
    const isLaterKnown = (t: number) => this.lastOf(t) > date || (this.lastOf(t) === date && this.hasEnded(t))
    const then = this.transports.findIndex((_, t) => number === undefined && isLaterKnown(t))
    return then < 0 ? this.transports.findLastIndex((_, t) => !this.hasEnded(t)) : then
  }

  ownerOf(number: string | undefined): number {
    if (number === undefined) return -1
    return this.transports.findLastIndex(
      ({ code }, t) =>
        code === number || this.events.some((e) => e.transport === t && e.applied && e.number === number),
    )
  }

  isKnown({ status, date, ...said }: Omit<Report, 'shipment'>, own: number): boolean {
    const fields = ['number', 'url', 'carrier'] as const
    return this.events.some((e) => {
      if (e.status !== status || e.date !== date) return false
      if (fields.every((field) => e[field] === said[field])) return true
      const isAboutEnded = this.hasEnded(e.transport) && (own < 0 || own === e.transport)
      return isAboutEnded && fields.every((f) => [e[f], undefined].includes(said[f]) || e[f] === undefined)
    })
  }

  get returnStatus(): string {
    if (this.furthest === 4) return 'RECEPTION_COMPLETED'
    return this.furthest === 3 ? 'RECEPTION_IN_PROGRESS' : 'PENDING'
  }

  isPaid(mode: string): boolean {
    const needed: Record<string, number> = {
      DROP_OFF: 2,
      SHIPPING_IN_PROGRESS: 3,
      SHIPPING_COMPLETED: 4,
    }
    return this.furthest >= (needed[mode] ?? 9)
  }
}

const dayStart = Date.parse('2026-04-15T00:00:00Z')
const post = ({ name, shopCode }: Return, { status, number, url, carrier, date }: Omit<Report, 'shipment'>) =>
  request('/shipping_trackings', {
    method: 'POST',
    body: {
      shopCode,
      shipmentId: name,
      trackingStatus: status,
      trackingNumber: number,
      trackingUrl: url,
      carrierName: carrier,
      trackingDate: new Date(dayStart + date * 250).toISOString(),
    },
  })

async function seen(record: Return) {
  const transports = await transportsOf(record)
  return {
    status: (await request(`/returns/${record.id}`)).body.status,
    transports: transports.map(({ status, carrierReference }) => ({ status, code: carrierReference })),
    events: transports.map(({ trackingEvents }) =>
      trackingEvents?.map(({ status, date, applied }) => ({ status, date, applied })),
    ),
  }
}

function expected({ transports, events, returnStatus }: Model) {
  const date = (quarters: number) =>
    new Date(dayStart + quarters * 250).toISOString().replace('T', ' ').replace('.000', '')
  return {
    status: returnStatus,
    transports: transports.map(({ status, code }) => ({ status, code })),
    events: transports.map((_, t) =>
      events
        .filter(({ transport }) => transport === t)
        .map((event) => ({ status: event.status, date: date(event.date), applied: event.applied })),
    ),
  }
}

/** A return that no run has had. */
function takeOne() {
  const record = fresh.pop()
  if (record === undefined) throw new Error('Too many runs for the data')
  touched.push(record)
  return record
}
const touched: Return[] = []

async function expectAsDecided(record: Return, model: Model) {
  expect(await seen(record)).toEqual(expected(model))
  for (const refund of await refundsOf(record)) {
    const mode = String(refund.refundMode)
    if (BEFORE.includes(mode)) continue
    expect([mode, refund.status]).toEqual([mode, model.isPaid(mode) ? 'EXECUTED' : 'PENDING'])
  }
}

test('any updates in any order lead to the decided states', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(report, { minLength: 1, maxLength: 6 }), { maxLength: 6 }),
      async (groups) => {
        const shipments = [takeOne(), takeOne()].map((record) => ({
          record,
          model: new Model(record),
        }))
        const of = ({ shipment }: Report) => shipments[shipment] ?? expect.unreachable()
        for (const group of groups) {
          now += 1000
          // Updates of a group come at once and share a transaction.
          const answers = await Promise.all(group.map((each) => post(of(each).record, each)))
          const codes = answers.map(({ body }) => body.statusCode ?? body.errors?.[0]?.code)
          expect(codes).toEqual(group.map((each) => of(each).model.post(each)))
        }
        for (const { record, model } of shipments) {
          await expectAsDecided(record, model)
          // All that was taken, once more: it is known.
          await Promise.all(model.events.map((event) => post(record, event)))
          expect(await seen(record)).toEqual(expected(model))
        }
      },
    ),
    { numRuns: 50 },
  )
})

test('filters agree with the records after all updates', async () => {
  const records = await allReturns()
  const refunds = new Map<string, Refund[]>()
  for (const record of touched) refunds.set(record.id ?? '', await refundsOf(record))
  const total = async (query: string): Promise<number> =>
    (await request(`/returns?limit=1&${query}`)).body.pageInfo.totalRecords
  const start = '2026-04-15T12:00:00'
  for (const status of ['PENDING', 'RECEPTION_IN_PROGRESS', 'RECEPTION_COMPLETED']) {
    const matching = records.filter((record) => record.status === status)
    expect(await total(`status=${status}`)).toBe(matching.length)
    const updated = matching.filter(({ updatedAt }) => String(updatedAt) >= start.replace('T', ' '))
    expect(updated.length).toBeGreaterThan(0)
    expect(await total(`status=${status}&updated_from=${start}`)).toBe(updated.length)
  }
  const paid = [...refunds.values()].filter((list) =>
    list.some(({ executedAt }) => String(executedAt ?? '') >= start.replace('T', ' ')),
  )
  expect(paid.length).toBeGreaterThan(0)
  expect(await total(`refunded_from=${start}`)).toBe(paid.length)
})
