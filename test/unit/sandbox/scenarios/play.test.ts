import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped } from '../../../helpers/command-line.ts'
import { jsonFile } from '../../../helpers/files.ts'
import { clientOf, NOW, testSandbox } from '../../../helpers/sandbox-client.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

const docs = join(import.meta.dirname, '../../../../docs/sandbox/scenarios')
const files = readdirSync(docs).filter((file) => file !== 'schema.json')
const { sandbox } = await testSandbox({ returns: 30 })

const create = { do: 'create', as: 'r', shop: 'LUMBRE-ES', orderName: 'S1' }
const track = (status: string, more = {}) => ({ do: 'track', return: 'r', trackingStatus: status, ...more })
const expected = (more: object) => ({ do: 'expect', return: 'r', ...more })
const toldOf = async (...steps: object[]) =>
  (await sandbox.play({ steps })).map(({ outcome, detail }) => `${outcome}: ${detail}`)

it('there are scenarios', () => expect(files.length).toBeGreaterThanOrEqual(4))

it.each(files)('docs/sandbox/scenarios/%s passes, and passes again on the same data', async (file) => {
  const scenario = jsonFile(join(docs, file))
  expect(scenario).toMatchObject({ $schema: './schema.json', title: expect.any(String) })
  for (const name of [/^R#-[A-Z]+$/, /^R#-[A-Z]+-2$/]) {
    const steps = await sandbox.play(scenario)
    expect(steps.filter(({ outcome }) => outcome !== 'done')).toEqual([])
    expect(valuesOf(steps, 'do')).toEqual(valuesOf(scenario.steps, 'do'))
    expect(steps[0]?.return).toMatch(name)
  }
})

it('a played scenario returns the outcome and the time of each step', async () => {
  const client = await testSandbox({ returns: 5 })
  const played = await client.sandbox.play({
    steps: [
      create,
      { do: 'advance', by: '90m' },
      track('SHIPPING_IN_PROGRESS', { ago: '1h' }),
      { do: 'label', return: 'r' },
    ],
  })
  const about = { return: 'R#-S1', returnId: expect.stringMatching(/^\d+$/), outcome: 'done' }
  const time = '2026-04-15T13:30:00.000Z'
  expect(played).toEqual([
    { step: 1, do: 'create', as: 'r', ...about, time: '2026-04-15T12:00:00.000Z', detail: 'PENDING' },
    {
      step: 2,
      do: 'advance',
      return: null,
      returnId: null,
      outcome: 'done',
      time,
      detail: expect.stringContaining(time),
    },
    {
      step: 3,
      do: 'track',
      ...about,
      time,
      detail: expect.stringMatching(/^SHIPPING_IN_PROGRESS of .* registered$/),
    },
    {
      step: 4,
      do: 'label',
      ...about,
      time,
      detail: expect.stringMatching(/^CORREOS_RETURN [A-Z]{2}\d{9}[A-Z]{2}$/),
    },
  ])
  const { request } = clientOf(client.sandbox)
  const { body } = await request(`/returns/${played[0]?.returnId}/transportations`)
  expect(body.transportations[0].trackingEvents).toMatchObject([
    { date: '2026-04-15 12:30:00Z', receivedAt: '2026-04-15 13:30:00Z' },
  ])
})

it.each([
  [{ status: 'CLOSED' }, 'status: PENDING instead of CLOSED'],
  [{ transport: 'SHIPPING_FAILED' }, 'transport: REQUESTED instead of SHIPPING_FAILED'],
  [{ transports: 2 }, 'transports: 1 instead of 2'],
  [{ labelSets: 1 }, 'labelSets: 0 instead of 1'],
  [{ events: ['SHIPPING_COMPLETED'] }, 'events: 0 instead of 1: none'],
  [{ refunds: [] }, 'refunds: 1 instead of 0: PENDING'],
  [{ refunds: [{ status: 'PENDING', amount: 1 }] }, 'refunds[0].amount: 49.95 instead of 1'],
  [{ record: { currency: 'SEK' } }, 'record.currency: EUR instead of SEK'],
  [{ record: { returnLineItems: [{ quantity: 2 }] } }, 'record.returnLineItems[0].quantity: 1 instead of 2'],
  [{ record: { cancelledAt: null } }, 'record.cancelledAt: none instead of null'],
  [{ record: { name: { first: 1 } } }, 'instead of {"first":1}'],
  [{ status: 'CHECKED', transports: 0 }, 'status: PENDING instead of CHECKED; transports: 1 instead of 0'],
])('the expectation %j is not met', async (wanted, message) => {
  const told = await toldOf(create, expected(wanted), expected({ status: 'PENDING' }))
  expect(told.slice(1)).toEqual([expect.stringContaining(`failed: `), 'skipped: '])
  expect(told[1]).toContain(message)
})

it('unnamed fields may have any value, and an event may be described', async () => {
  const late = track('SHIPPING_IN_PROGRESS', { ago: '2d', trackingStatusDescription: 'Seen' })
  const events = [
    'SHIPPING_COMPLETED',
    { status: 'SHIPPING_IN_PROGRESS', description: 'Seen', applied: false },
  ]
  expect(await toldOf(create, track('SHIPPING_COMPLETED'), late, expected({ events }), expected({}))).toEqual(
    [
      'done: PENDING',
      expect.stringMatching(/registered$/),
      expect.stringMatching(/the state stays$/),
      'done: as expected',
      'done: as expected',
    ],
  )
})

const wrong = track('SHIPPING_FAILED')
it.each([
  ['ends the scenario', [track('SHIPPING_COMPLETED'), wrong], 'failed: SH01 '],
  [
    'is fine if it is to be',
    [track('SHIPPING_COMPLETED'), { ...wrong, refused: 'SH01' }],
    'done: refused: SH01',
  ],
  [
    'has to be for that reason',
    [track('SHIPPING_COMPLETED'), { ...wrong, refused: 'TR01' }],
    'failed: refused, but not for TR01: SH01',
  ],
  ['has to be', [track('SHIPPING_COMPLETED', { refused: 'TR02' })], 'failed: not refused (TR02): '],
  ['by people', [{ do: 'check', return: 'r' }], 'failed: R#-S1'],
  [
    'without refunds',
    [{ do: 'execute-refund', return: 'r', refundMode: 'MANUAL' }],
    'has no open MANUAL refund',
  ],
  [
    'for an item that there is not',
    [{ ...create, as: 'q', lines: [{ sku: 'LUM-1' }] }],
    'failed: lines[0].sku: LUMBRE-ES has no item LUM-1; ',
  ],
  [
    'without a parcel',
    [
      { do: 'discard', return: 'r' },
      { do: 'lose-parcel', return: 'r' },
    ],
    'no parcel that is on its way',
  ],
])('a refused step ends the scenario: %s', async (_, steps, message) => {
  expect((await toldOf(create, ...steps)).at(-1)).toContain(message)
})

it('a step executes manual refunds, those of one mode or all open ones', async () => {
  const lines = ['MANUAL', 'POST_VALIDATION', 'INSTANT'].map((refundMode) => ({ refundMode, price: 10 }))
  const states = asTyped((list) => expected({ refunds: list.map((status) => ({ status })) }))
  expect(
    await toldOf(
      { ...create, lines },
      states`PENDING PENDING EXECUTED`,
      { do: 'execute-refund', return: 'r', refundMode: 'MANUAL' },
      states`EXECUTED PENDING EXECUTED`,
      { do: 'execute-refund', return: 'r' },
      states`EXECUTED EXECUTED EXECUTED`,
    ),
  ).toEqual([
    'done: PENDING',
    'done: as expected',
    'done: ORIGINAL_PAYMENT_METHOD 10 EUR',
    'done: as expected',
    'done: ORIGINAL_PAYMENT_METHOD 10 EUR',
    'done: as expected',
  ])
})

it('parcels stay where they are until the next step, unless they travel', async () => {
  const names = times(20, (i) => `r${i}`)
  const after = async (more: object) => {
    const played = await sandbox.play({
      steps: [
        ...names.map((as) => ({ ...create, as, needsValidation: as === 'r0', ...more })),
        { do: 'approve', return: 'r0', ...more },
        { do: 'advance', by: '12d' },
        ...names.map((name) => ({ do: 'expect', return: name, status: 'PENDING', events: [] })),
      ],
    })
    return played.filter((step) => step.do === 'expect').every(({ outcome }) => outcome === 'done')
  }
  expect(await after({})).toBe(true)
  expect(await after({ travels: true })).toBe(false)
})

it('existing returns can be named by id or RMA name', async () => {
  const [made] = await sandbox.play({ steps: [{ ...create, orderName: 'THERE' }] })
  for (const ref of [made?.returnId, 'R#-THERE']) {
    const [step] = await sandbox.play({
      returns: { old: ref },
      steps: [{ do: 'expect', return: 'old', status: 'PENDING' }],
    })
    expect(step).toMatchObject({ outcome: 'done', return: 'R#-THERE', returnId: made?.returnId })
  }
  await sandbox.play({ steps: [{ ...create, shop: 'FJORD-SE', orderName: 'THERE' }] })
  for (const [ref, message] of Object.entries({
    'R#-THERE': /Several returns/,
    'R#-NONE': /no return R#-NONE/,
    '5': /no return 5/,
  })) {
    const [step] = await sandbox.play({ returns: { old: ref }, steps: [{ do: 'expect', return: 'old' }] })
    expect(step).toMatchObject({ outcome: 'failed', return: null, detail: expect.stringMatching(message) })
  }
})

it('a fault of the sandbox is not reported as a failed scenario', async () => {
  const client = await testSandbox({ returns: 5 })
  client.sandbox.close()
  await expect(client.sandbox.play({ steps: [{ do: 'advance', by: '1d' }] })).rejects.not.toMatchObject({
    kind: 'rejected',
  })
})

it('a file with mistakes changes nothing', async () => {
  const client = await testSandbox({ returns: 5, clock: { now: () => NOW } })
  await expect(
    client.sandbox.play({ steps: [create, { do: 'recieve', return: 'r' }] }),
  ).rejects.toMatchObject({
    kind: 'usage',
    details: [{ path: 'steps[1].do', message: expect.stringContaining('did you mean receive?') }],
  })
  expect(await client.allReturns()).toHaveLength(5)
})
