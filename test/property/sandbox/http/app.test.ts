import { expect, test } from 'vitest'
import { expectDocumented } from '../../../helpers/fuzz/documented.ts'
import { fuzzedSandbox, send } from '../../../helpers/fuzz/fuzz.ts'
import { example, labelExample, PROBE_GROUPS } from '../../../helpers/fuzz/probes.ts'

/** A taste of it: the system tests send sixty times as many. */
const RUNS = 100

const fuzzed = await fuzzedSandbox()
const watched = await fuzzedSandbox({ returns: 12 })

test.each(PROBE_GROUPS)('every answer is a documented one: %s', async (group) => {
  await fuzzed.fuzz(group, RUNS)
})

test.each(['make labels', 'update labels', 'report tracking', 'anything'] as const)(
  'a refused request changes nothing: %s',
  async (group) => {
    expect(await watched.fuzzRefused(group, RUNS / 4)).toBeGreaterThan(RUNS / 40)
  },
)

const { sandbox } = fuzzed
const shopCode = 'LUMBRE-ES'
const label = (changes: object) => JSON.stringify(labelExample(shopCode, 'HEAVY', changes))
const full = example('label-request.full.json')
const withItems = (count: number) => ({
  parcels: [{ ...full.parcels[0], items: Array(count).fill(full.parcels[0].items[0]) }],
  origin: { ...full.origin, address: { ...full.origin.address, countryCode: 'GB', postalCode: 'SW7 5QJ' } },
})
const methods = JSON.stringify({ ...example('methods-request.full.json'), shopCode })
const pudos = { ...example('pudos-request.full.json'), shopCode, latitude: undefined, longitude: undefined }
const nothings = (count: number) => `[${'0,'.repeat(count)}0]`
const long = 'x'.repeat(3_000_000)
test.each([
  [
    'an amount with a million million digits',
    'return_methods',
    methods.replace('129.85', '1e999999999999'),
    200,
  ],
  ['one smaller than all', 'return_methods', methods.replace('129.85', '1e-999999999999'), 200],
  ['a name of 3 MB on ZPL', 'shipping_labels', label({ origin: { ...full.origin, fullName: long } }), 200],
  [
    'a name of 3 MB on PDF',
    'shipping_labels',
    label({ labelFormat: 'PDF', destination: { ...full.destination, fullName: long } }),
    200,
  ],
  ['nothing but marks', 'shipping_labels', label({ clientShipmentName: '\u0301'.repeat(500_000) }), 200],
  ['2,000 items for customs', 'shipping_labels', label(withItems(2000)), 200],
  ['more items than are taken', 'shipping_labels', label(withItems(2001)), 400],
  ['a million wrong items', 'return_methods', `{"returnLineItems":${nothings(1_000_000)}}`, 400],
  ['a million wrong parcels', 'shipping_labels', `{"parcels":${nothings(1_000_000)}}`, 400],
  ['a million wrong services', 'pudos', `{"carrierServices":${nothings(1_000_000)}}`, 400],
  ['as many wrong values as are looked at', 'pudos', `{"carrierServices":${nothings(249_990)}}`, 400],
  ['a city of 3 MB', 'pudos', JSON.stringify({ ...pudos, city: long }), 200],
  ['a status of 3 MB', 'shipping_trackings', JSON.stringify({ shipmentId: 'x', trackingStatus: long }), 400],
  ['nesting without an end', 'shipping_trackings', '['.repeat(3_000_000), 400],
  ['nesting with an end', 'shipping_trackings', `${'['.repeat(1_500_000)}${']'.repeat(1_500_000)}`, 400],
  ['nesting with a number', 'shipping_trackings', `{"x":1e999,"y":${'['.repeat(3_000_000)}`, 400],
])('the sandbox answers what could take for ever, or all memory: %s', async (_, path, body, status) => {
  const probe = {
    method: 'POST',
    target: `/integration/v1/${path}`,
    headers: [['Authorization', `Bearer ${sandbox.issueToken()}`] as [string, string]],
    body,
    isAuthentic: true,
    isPlain: true,
  }
  // A second is the most that any takes; without the limits it would be hours.
  const answer = await send(sandbox, probe, 10_000)
  expectDocumented(probe, answer)
  expect(answer.status).toBe(status)
  if (status === 400) expect(JSON.parse(answer.text).errors.length).toBeLessThanOrEqual(51)
})
