import { expect, it } from 'vitest'
import type { ReturnFacts } from '../../../src/lib/insight/case.ts'
import { StuckFinder, scanGapsOf } from '../../../src/lib/insight/stuck.ts'
import { factsIn, type Story, tell } from '../../helpers/return-facts.ts'
import { NOW, testSandbox } from '../../helpers/sandbox-client.ts'
import { valuesOf } from '../../helpers/values-of.ts'

const DAY = 24
/** All stories end here. */
const LONG = 32 * DAY
const [SLOW, QUICK, RARE] = ['CORREOS_RETURN', 'MRW_DIRECT', 'SEUR_PICKUP_24']
const PAID_BY_HAND = { lines: [{ refundMode: 'MANUAL' }] }

const scan = (trackingStatus: string, ago?: string) => ({ do: 'track', trackingStatus, ago })
const by = (carrierServiceCode: string) => ({ carrierServiceCode })

/** One more gap of so many hours is known of the service; nothing is wrong with the return. */
const finished = (hours: number, service: string): Story => [
  [2, by(service)],
  [2, scan('SHIPPING_IN_PROGRESS', `${hours}h`)],
  [2, scan('SHIPPING_COMPLETED')],
]
const underWay = (since: number, service: string): Story => [
  [since + 10, by(service)],
  [since, scan('SHIPPING_IN_PROGRESS')],
]
const labelled = (at: number): Story => [
  [at, {}],
  [at, { do: 'label' }],
]
const arrived = (at: number, more: object = {}): Story => [
  [at + 9, { ...by('STORE_DROPOFF'), ...more }],
  [at + 9, scan('SHIPPING_IN_PROGRESS')],
  [at, scan('SHIPPING_COMPLETED')],
]
const received = (at: number, more?: object): Story => [...arrived(at + 20, more), [at, { do: 'receive' }]]
const checked = (at: number, more?: object): Story => [...received(at + 5, more), [at, { do: 'check' }]]
const closed = (at: number, more?: object): Story => [...checked(at + 5, more), [at, { do: 'close' }]]

/** Makes returns of a kind, each an hour older than the one before. */
function several(kind: string, count: number, story: (later: number) => Story) {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${kind}${i}`, story(i)]))
}

const STUCK = {
  'label-unused': several('Unused', 12, (i) => labelled(14 * DAY + 1 + i)),
  'no-scan': {
    ...several('Rare', 5, (i) => underWay(7 * DAY + 1 + i, RARE)),
    ...several('Slow', 4, (i) => underWay(81 + i, SLOW)),
    ...several('Quick', 3, (i) => underWay(73 + i, QUICK)),
  },
  'not-checked': {
    ...several('Received', 6, (i) => received(73 + i)),
    ...several('Arrived', 6, (i) => arrived(73 + i)),
  },
  'not-refunded': {
    ...several('Checked', 6, (i) => checked(73 + i, PAID_BY_HAND)),
    ...several('Closed', 6, (i) => closed(73 + i, PAID_BY_HAND)),
  },
  'over-with-parcel': several('Over', 12, (i) => underWay(1 + i, SLOW)),
}
const NOT_STUCK = {
  ...several('FreshLabel', 4, (i) => labelled(14 * DAY - i)),
  ...several('NoLabel', 4, (i) => [[20 * DAY + i, {}]]),
  ...several('Expired', 4, (i) => [[31 * DAY + i, {}]]),
  ...several('RareYet', 3, (i) => underWay(7 * DAY - i, RARE)),
  ...several('SlowYet', 3, (i) => underWay(80 - i, SLOW)),
  ...several('QuickYet', 3, (i) => underWay(72 - i, QUICK)),
  ...several('ReceivedYet', 3, (i) => received(72 - i)),
  ...several('ArrivedYet', 3, (i) => arrived(72 - i)),
  ...several('CheckedYet', 3, (i) => checked(72 - i, PAID_BY_HAND)),
  ...several('Paid', 3, (i) => closed(200 + i)),
  ...several('PaidByHand', 3, (i) => [...closed(200 + i, PAID_BY_HAND), [100, { do: 'execute-refund' }]]),
  SlowKnown: finished(40, SLOW),
  SlowOnce: finished(400, SLOW),
  QuickKnown: finished(5, QUICK),
  RareKnown: finished(5, RARE),
}
/** How often each of these counts. Two gaps of 55 are longer than the one that the limit is taken from. */
const KNOWN = new Map(Object.entries({ SlowKnown: 53, SlowOnce: 2, QuickKnown: 50, RareKnown: 49 }))

async function factsOfAll() {
  const { sandbox } = await testSandbox({ returns: 0, clock: { now: () => NOW - LONG * 3_600_000 } })
  await tell(sandbox, 'LUMBRE-ES', LONG, Object.assign({}, NOT_STUCK, ...Object.values(STUCK)))
  return (await factsIn(sandbox)).flatMap((facts) => {
    const name = facts.record.name.slice('R#-'.length)
    const times = KNOWN.get(name) ?? 1
    // The sandbox itself calls a transport off when its return ends.
    const status = /^Over.*[02468]$/.test(name)
      ? 'CLOSED'
      : /^Over/.test(name)
        ? 'EXPIRED'
        : facts.record.status
    return Array.from({ length: times }, () => ({ ...facts, record: { ...facts.record, status } }))
  })
}

it('a checked return with a dated refund of no status is not stuck', () => {
  const finder = new StuckFinder(NOW)
  const record = { name: 'R#-1', status: 'CHECKED', updatedAt: '2026-01-01 10:00:00Z' }
  for (const more of [{ executedAt: '2026-01-01 10:00:00Z' }, {}]) {
    finder.add({ record, refunds: [{ amount: 5, ...more }] } as unknown as ReturnFacts)
  }
  expect([...finder.found()].map(({ rule }) => rule)).toEqual(['not-refunded'])
})

it('finds each of 60 returns that are stuck, by its rule, and no others', async () => {
  const finder = new StuckFinder(NOW)
  const all = await factsOfAll()
  for (const transport of all.flatMap(({ transportations }) => transportations ?? [])) {
    finder.learn(transport.carrierCode, transport.carrierServiceCode, scanGapsOf(transport))
  }
  for (const facts of all) finder.add(facts)
  const found = [...finder.found()]
  const expected = Object.entries(STUCK).flatMap(([rule, stories]) =>
    Object.keys(stories).map((name) => `${rule} R#-${name}`),
  )
  expect(expected).toHaveLength(60)
  expect(found.map(({ rule, name }) => `${rule} ${name}`).sort()).toEqual(expected.sort())

  const one = (name: string) => found.find((row) => row.name === `R#-${name}`)
  expect(one('Slow3')).toMatchObject({
    since: '2026-04-12 00:00:00Z',
    hours: 84,
    samples: 55,
    why:
      'no scan for 84 h; the limit is 80 h (95 % of 55 gaps between scans of CORREOS CORREOS_RETURN are within ' +
      '40 h; the limit is twice that, at least 72 h)',
    next: ['returns', 'explain', 'R#-Slow3'],
  })
  expect(one('Rare0')?.why).toBe(
    'no scan for 7 days; the limit is 168 h (49 gaps between scans of SEUR SEUR_PICKUP_24 are too few to tell, 50 would do)',
  )
  expect(one('Unused0')?.next).toEqual(['returns', 'explain', 'R#-Unused0', '--reply'])
  expect(valuesOf(found, 'hours')).toEqual(valuesOf(found, 'hours').sort((a, b) => b - a))
})
