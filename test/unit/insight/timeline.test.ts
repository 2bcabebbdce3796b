import { expect, it } from 'vitest'
import { timelineOf } from '../../../src/lib/insight/timeline.ts'
import { factsIn, tell } from '../../helpers/return-facts.ts'
import { clientOf, NOW, testSandbox } from '../../helpers/sandbox-client.ts'

const DAY = 24
const LINES = [
  { price: 30, refundMode: 'SHIPPING_IN_PROGRESS' },
  { price: 20, refundMode: 'MANUAL' },
]

it('the timeline tells events in order, with gaps and problems', async () => {
  const { sandbox } = await testSandbox({ returns: 0, clock: { now: () => NOW - 20 * DAY * 3_600_000 } })
  await tell(sandbox, 'LUMBRE-ES', 20 * DAY, {
    T1: [
      [20 * DAY, { fee: 2.95, lines: LINES }],
      [19 * DAY, { do: 'label' }],
      [12 * DAY, { do: 'track', trackingStatus: 'SHIPPING_IN_PROGRESS', ago: '2d' }],
    ],
  })
  const [facts] = await factsIn(sandbox)
  const reference = facts?.record.activeTransportation?.clientReference ?? ''
  const { body } = await clientOf(sandbox).request(
    `/shipping_labels?client_shipment_id=${encodeURIComponent(reference)}&shopCode=LUMBRE-ES`,
  )
  if (!facts) throw new Error('no return')
  const { entries, problems } = timelineOf(facts, new Map([[reference, body]]), NOW)
  expect(
    entries.map(({ date = '-', of, what, detail }) => `${date.slice(0, 10)} ${of} ${what}: ${detail}`),
  ).toEqual([
    '2026-03-26 return requested: 2 items, 47.05 EUR to come back after a fee of 2.95 EUR',
    '2026-03-26 transport requested: CORREOS, Entrega en oficina de Correos, P#R#LUMT1',
    expect.stringMatching(/^- label made: CORREOS_RETURN, \w+$/),
    '2026-03-26 refund planned: 27.05 EUR, original payment method, when the parcel is on its way',
    '2026-03-26 refund planned: 20.00 EUR, original payment method, by hand',
    '- gap nothing for 144 h: until then',
    '2026-04-01 scan on its way to the shop: Parcel in transit, told 48 h later',
    '2026-04-03 return on its way to the shop: its latest change',
    '2026-04-03 refund executed: 27.05 EUR, original payment method',
    '- gap nothing for 12 days: until now',
  ])
  expect(problems).toEqual([
    'no scan for 14 days; the limit is 168 h (0 gaps between scans of CORREOS CORREOS_RETURN are too few to tell, 50 would do)',
  ])
})

it('the timeline names problems with money, and nothing about a finished return', async () => {
  const { sandbox } = await testSandbox({ returns: 60 })
  const closed = (await factsIn(sandbox)).find(
    ({ record, refunds }) => record.status === 'CLOSED' && refunds?.[0]?.status === 'EXECUTED',
  )
  const [refund] = closed?.refunds ?? []
  if (!closed || !refund) throw new Error('no closed return')
  const facts = { ...closed, refunds: [{ ...refund, amount: 1, fee: 0 }] }
  expect(timelineOf(closed, new Map(), NOW + 1e10).entries.at(-1)?.of).not.toBe('gap')
  const unstated = { ...closed, refunds: [{ ...refund, status: undefined }] }
  expect(timelineOf(unstated, new Map(), NOW)).toEqual(
    timelineOf({ ...closed, refunds: [refund] }, new Map(), NOW),
  )
  expect(timelineOf(facts, new Map(), NOW).problems.join('\n')).toMatch(
    /^refund: [\d.]+ \w{3} expected, 1\.00 \w{3} found \(amount: its lines less its fee\)$/m,
  )
})
