import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TRANSPORTATION_STATUSES } from '../../../../src/lib/wire/enumerations.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { acknowledgementSchema } from '../../../../src/lib/wire/tracking.ts'
import { transportationSchema } from '../../../../src/lib/wire/transportations.ts'
import { newFolder } from '../../../helpers/files.ts'
import { NOW, testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

let now = NOW
const { sandbox, request, allReturns, transportsOf, refundsOf } = await testSandbox({
  returns: 8000,
  clock: { now: () => now },
})
const folder = newFolder()
/** A transport that somebody may pick up. */
const isNoDropOff = ({ activeTransportation }: Return) =>
  !String(activeTransportation?.serviceType).startsWith('drop-off')
const returns = (await allReturns()).sort(
  (one, other) => Number(isNoDropOff(one)) - Number(isNoDropOff(other)),
)
const fresh = returns.filter(
  ({ status, activeTransportation }) =>
    status === 'PENDING' &&
    activeTransportation?.status === 'REQUESTED' &&
    activeTransportation.carrierReference &&
    activeTransportation.id?.endsWith('01'),
)
const isUsed = new Set<string>()

/** A return that no other test has: waiting for its parcel, unless another one is asked for. */
function take(fits: (record: Return) => boolean = () => true, among = fresh) {
  const record = among.find((each) => !isUsed.has(each.name) && fits(each))
  if (record === undefined) throw new Error('No such return is left')
  isUsed.add(record.name)
  return record
}
const post = (body: unknown) =>
  request('/shipping_trackings', {
    method: 'POST',
    body,
  })
/** Sends an update; a text is its tracking number. */
const report = (record: Return, trackingStatus: string, hour: number, more: object | string = {}) =>
  post({
    shopCode: record.shopCode,
    shipmentId: record.name,
    trackingStatus,
    trackingDate: `2026-04-15T${String(hour).padStart(2, '0')}:00:00Z`,
    ...(typeof more === 'string' ? { trackingNumber: more } : more),
  })
const register = ({ shopCode, name: shipmentId }: Return, label: object) =>
  request('/shipping_labels', { method: 'PUT', body: { shopCode, shipmentId, shippingLabels: [label] } })
const again = async ({ id }: Return): Promise<Return> => (await request(`/returns/${id}`)).body
const active = async (record: Return) => (await again(record)).activeTransportation
const codesOf = (answer: { body: { errors?: { code: string }[] } }) =>
  answer.body.errors?.map(({ code }) => code)
/** Status code of the acknowledgement, or the first error. */
async function codeFor(...update: Parameters<typeof report>) {
  const { body } = await report(...update)
  return body.statusCode ?? body.errors?.[0]?.code
}
const historyOf = async (record: Return) => (await transportsOf(record))[0]?.trackingEvents
const eventsOf = async (record: Return) =>
  (await transportsOf(record)).map(({ status, trackingEvents }) => ({
    status,
    events: trackingEvents?.map(({ status: reported, applied }) => (applied ? reported : `(${reported})`)),
  }))

test('a history has a maximum length, and late updates are dropped first', async () => {
  const record = take()
  const scan = (minute: number, status = 'SHIPPING_IN_PROGRESS') =>
    post({
      ...{ shopCode: record.shopCode, shipmentId: record.name, trackingStatus: status },
      trackingDate: new Date(NOW - 86_400_000 + minute * 60_000).toISOString(),
      trackingNumber: `N${minute}`,
    })
  await scan(500)
  for (let minute = 0; minute < 60; minute++) await scan(minute)
  for (let minute = 501; minute < 700; minute++) await scan(minute)
  const { trackingEvents, formerTrackingNumbers } = (await transportsOf(record)).at(-1) ?? {}
  const events = trackingEvents ?? []
  expect([events.length, formerTrackingNumbers?.length]).toEqual([200, 100])
  expect(events.filter(({ applied }) => applied)).toHaveLength(200)
  expect((await scan(699)).body.statusCode).toBe('DUPLICATE')
  expect((await scan(5)).body.statusCode).toBe('STALE')
})

test('a tracking update is stored with all its fields, and answered', async () => {
  const record = take()
  now = NOW + 90_500
  const answer = await report(record, 'SHIPPING_IN_PROGRESS', 10, {
    shipmentIdType: 'RETURN_NAME',
    carrierName: 'seur',
    trackingNumber: 'SEUR-1',
    trackingUrl: 'https://seur.example/SEUR-1',
    trackingStatusDescription: 'Left the depot',
  })
  now = NOW
  expect(answer.status).toBe(200)
  expect(acknowledgementSchema.parse(answer.body).statusCode).toBe('OK')
  const later = await again(record)
  expect(later).toEqual({
    ...record,
    status: 'RECEPTION_IN_PROGRESS',
    updatedAt: '2026-04-15 12:01:30Z',
    activeTransportation: {
      ...record.activeTransportation,
      status: 'SHIPPING_IN_PROGRESS',
      carrierCode: 'SEUR',
      carrierReference: 'SEUR-1',
      carrierTrackingUrl: 'https://seur.example/SEUR-1',
    },
  })
  const [transport, ...others] = await transportsOf(record)
  expect(others).toEqual([])
  transportationSchema.parse(transport)
  expect(transport?.updatedAt).toBe('2026-04-15 12:01:30Z')
  expect(transport?.trackingEvents).toEqual([
    {
      status: 'SHIPPING_IN_PROGRESS',
      description: 'Left the depot',
      date: '2026-04-15 10:00:00Z',
      receivedAt: '2026-04-15 12:01:30Z',
      applied: true,
      trackingNumber: 'SEUR-1',
      trackingUrl: 'https://seur.example/SEUR-1',
      carrierName: 'seur',
    },
  ])
})

test('an update without a date gets the current time and its own description', async () => {
  const record = take()
  now = NOW + 1999
  await report(record, 'SHIPPING_IN_PROGRESS', 0, { trackingDate: undefined })
  now = NOW
  expect(await historyOf(record)).toEqual([
    {
      status: 'SHIPPING_IN_PROGRESS',
      description: 'Parcel in transit',
      date: '2026-04-15 12:00:01.999Z',
      receivedAt: '2026-04-15 12:00:01Z',
      applied: true,
      trackingNumber: null,
      trackingUrl: null,
      carrierName: null,
    },
  ])
})

test.each([
  ['2026-04-15T10:00:00.999Z', '2026-04-15 10:00:00.999Z'],
  ['2026-04-15T10:00:00.000Z', '2026-04-15 10:00:00Z'],
  ['2026-04-15T12:00:00+02:00', '2026-04-15 10:00:00Z'],
  [' ', '2026-04-15 12:00:00Z'],
  [null, '2026-04-15 12:00:00Z'],
])('an update dated %j is stored with the date %s', async (trackingDate, date) => {
  const record = take()
  expect((await report(record, 'SHIPPING_IN_PROGRESS', 0, { trackingDate })).status).toBe(200)
  expect((await historyOf(record))?.[0]?.date).toBe(date)
})

test('a number without a URL gets that of its carrier, and one of another carrier gets none', async () => {
  const record = take(({ activeTransportation }) => Boolean(activeTransportation?.carrierTrackingUrl))
  const { carrierReference = '', carrierTrackingUrl = '' } = record.activeTransportation ?? {}
  await report(record, 'SHIPPING_IN_PROGRESS', 0, { trackingUrl: 'https://elsewhere.example/' })
  await report(record, 'SHIPPING_IN_PROGRESS', 1, 'OTHER')
  expect(await active(record)).toMatchObject({
    carrierReference: 'OTHER',
    carrierTrackingUrl: String(carrierTrackingUrl).replace(String(carrierReference), 'OTHER'),
  })
  await report(record, 'SHIPPING_IN_PROGRESS', 2, { trackingNumber: 'THIRD', carrierName: 'Somebody' })
  const shown = await active(record)
  const { carrierCode } = record.activeTransportation ?? {}
  expect(shown).toMatchObject({ carrierReference: 'THIRD', carrierCode })
  expect(shown?.carrierTrackingUrl).toBeUndefined()
})

test('an update replaces the number that PUT /shipping_labels registered, and the reverse', async () => {
  const record = take()
  const put = (carrierTrackingCode: string) =>
    register(record, { carrierTrackingCode, url: 'https://labels.example/1' })
  const reference = async () => (await active(record))?.carrierReference
  now = NOW + 60_000
  expect((await put('LABEL-1')).status).toBe(200)
  now = NOW
  expect((await again(record)).updatedAt).toBe('2026-04-15 12:01:00Z')
  await report(record, 'SHIPPING_IN_PROGRESS', 1, { trackingNumber: 'T-2' })
  expect(await reference()).toBe('T-2')
  expect((await active(record))?.carrierLabel).toBe('https://labels.example/1')
  await put('LABEL-3')
  expect(await reference()).toBe('LABEL-3')
})

test('a repeated update changes nothing, even after others', async () => {
  const record = take()
  const first = { trackingNumber: 'N' }
  await report(record, 'SHIPPING_IN_PROGRESS', 1, first)
  await report(record, 'SHIPPING_COMPLETED', 2, first)
  const before = [await again(record), await transportsOf(record)]
  now = NOW + 3_600_000
  const answer = await report(record, 'SHIPPING_IN_PROGRESS', 1, first)
  await report(record, 'SHIPPING_COMPLETED', 2, { ...first, trackingStatusDescription: 'Once more' })
  now = NOW
  expect(answer.status).toBe(200)
  expect([await again(record), await transportsOf(record)]).toEqual(before)
})

test('an update with another number, or without one, is a new one', async () => {
  const record = take()
  await report(record, 'SHIPPING_IN_PROGRESS', 1, 'A')
  await report(record, 'SHIPPING_IN_PROGRESS', 1, 'B')
  await report(record, 'SHIPPING_IN_PROGRESS', 1)
  await report(record, 'SHIPPING_IN_PROGRESS', 1)
  expect(await historyOf(record)).toHaveLength(3)
})

test('an update of the demo data sent again is known too', async () => {
  const record = take(
    ({ status, activeTransportation: t }) => status === 'CLOSED' && !!t?.carrierReference,
    returns,
  )
  const before = await transportsOf(record)
  const event = before.at(-1)?.trackingEvents?.[0]
  for (const trackingNumber of [undefined, record.activeTransportation?.carrierReference]) {
    const trackingDate = String(event?.date)
    await report(record, String(event?.status), 0, { trackingDate, trackingNumber })
  }
  expect(await transportsOf(record)).toEqual(before)
})

test('an update older than the last one is kept and changes no state', async () => {
  const record = take()
  await report(record, 'SHIPPING_COMPLETED', 5, 'NEW')
  now = NOW + 60_000
  const late = [
    await report(record, 'SHIPPING_IN_PROGRESS', 4, 'NEW'),
    await report(record, 'SHIPPING_FAILED', 3),
  ]
  now = NOW
  expect(late.map(({ body }) => body.statusCode)).toEqual(['STALE', 'STALE'])
  expect(await eventsOf(record)).toEqual([
    {
      status: 'SHIPPING_COMPLETED',
      events: ['SHIPPING_COMPLETED', '(SHIPPING_IN_PROGRESS)', '(SHIPPING_FAILED)'],
    },
  ])
  const later = await again(record)
  expect(later.status).toBe('RECEPTION_COMPLETED')
  expect(later.activeTransportation?.carrierReference).toBe('NEW')
  expect(later.updatedAt).toBe('2026-04-15 12:01:00Z')
  expect(codesOf(await report(record, 'SHIPPING_COMPLETED', 4, 'X'))).toEqual(['SH01'])
})

test('an update without a date follows a scan of the same second', async () => {
  const record = take()
  now = NOW + 500
  await report(record, 'SHIPPING_IN_PROGRESS', 12, { trackingDate: new Date(NOW + 300).toISOString() })
  const delivery = await report(record, 'SHIPPING_COMPLETED', 12, { trackingDate: undefined })
  now = NOW
  expect(delivery.body.statusCode).toBe('OK')
  expect((await active(record))?.status).toBe('SHIPPING_COMPLETED')
})

test('an older update changes neither number nor URL nor carrier', async () => {
  const record = take()
  await report(record, 'SHIPPING_IN_PROGRESS', 5, { trackingUrl: 'https://new.example/' })
  const known = await active(record)
  const older = { trackingUrl: 'https://old.example/', trackingNumber: 'OLD', carrierName: 'SEUR' }
  expect(await codeFor(record, 'SHIPPING_IN_PROGRESS', 4, older)).toBe('STALE')
  expect(await active(record)).toEqual(known)
})

test('an update with the time of the last one moves the transport forward, but not back', async () => {
  const record = take(isNoDropOff)
  await report(record, 'SHIPPING_IN_PROGRESS', 5)
  expect(await codeFor(record, 'PICK_UP_COMPLETED', 5)).toBe('STALE')
  expect(await codeFor(record, 'SHIPPING_COMPLETED', 5)).toBe('OK')
  expect(await codeFor(record, 'PICK_UP_IN_PROGRESS', 5)).toBe('STALE')
  expect((await active(record))?.status).toBe('SHIPPING_COMPLETED')
})

test.each([{ trackingNumber: 'B' }, { trackingUrl: 'https://b.example/' }, { carrierName: 'MRW' }])(
  'an update with %j corrects the same event; sent again it is a duplicate',
  async (correction) => {
    const record = take()
    const first = { trackingNumber: 'A', trackingUrl: 'https://a.example/', carrierName: 'SEUR' }
    const send = (more: object) => codeFor(record, 'SHIPPING_IN_PROGRESS', 5, { ...first, ...more })
    expect([await send({}), await send({}), await send(correction), await send(correction)]).toEqual([
      'OK',
      'DUPLICATE',
      'OK',
      'DUPLICATE',
    ])
    const { trackingNumber, trackingUrl, carrierName } = { ...first, ...correction }
    const shown = await active(record)
    expect(shown).toMatchObject({ carrierReference: trackingNumber, carrierTrackingUrl: trackingUrl })
    expect(shown?.carrierCode).toBe(carrierName)
    const events = await historyOf(record)
    expect(events?.at(-1)).toMatchObject({ trackingNumber, trackingUrl, carrierName })
  },
)

test('more than 30 days before the return is refused', async () => {
  const record = take()
  const made = Date.parse(String(record.createdAt))
  const at = (days: number) =>
    report(record, 'SHIPPING_IN_PROGRESS', 0, {
      trackingDate: new Date(made - days * 86_400_000).toISOString(),
    })
  expect(codesOf(await at(30.01))).toEqual(['VA01'])
  expect(await again(record)).toEqual(record)
  expect((await at(29.99)).body.statusCode).toBe('OK')
})

test('an update of a pick-up is refused for a drop-off transport', async () => {
  const record = take((one) => !isNoDropOff(one))
  for (const status of TRANSPORTATION_STATUSES.filter((one) => one.startsWith('PICK_UP_')))
    expect(codesOf(await report(record, status, 5))).toEqual(['TR02'])
  expect(await again(record)).toEqual(record)
})

const ON_THE_WAY = ['SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED', 'SHIPPING_FAILED', 'SHIPPING_CANCELLED']
test.each([
  ['REQUESTED', [...TRANSPORTATION_STATUSES]],
  [
    'PICK_UP_IN_PROGRESS',
    ['PICK_UP_IN_PROGRESS', 'PICK_UP_COMPLETED', 'PICK_UP_FAILED', 'PICK_UP_CANCELLED', ...ON_THE_WAY],
  ],
  ['PICK_UP_COMPLETED', ['PICK_UP_COMPLETED', ...ON_THE_WAY]],
  ['SHIPPING_IN_PROGRESS', ON_THE_WAY],
  ['SHIPPING_COMPLETED', []],
])('a transport in %s takes only the allowed transitions', async (from, allowed) => {
  for (const to of TRANSPORTATION_STATUSES) {
    const record = take(isNoDropOff)
    if (from !== 'REQUESTED') await report(record, from, 0)
    const before = await again(record)
    const answer = await report(record, to, 9)
    const refusal = from === 'SHIPPING_COMPLETED' ? 'SH01' : 'TR02'
    const expected = allowed.includes(to) ? undefined : [refusal]
    expect([to, codesOf(answer)]).toEqual([to, expected])
    if (expected) expect(await again(record)).toEqual(before)
  }
})

test.each(['PICK_UP_FAILED', 'PICK_UP_CANCELLED', 'SHIPPING_FAILED', 'SHIPPING_CANCELLED'])(
  '%s makes a new transport the active one',
  async (failure) => {
    const record = take(isNoDropOff)
    await report(record, failure, 5, 'FIRST')
    const { activeTransportation, status } = await again(record)
    expect(status).toBe('PENDING')
    expect(activeTransportation).toMatchObject({
      status: 'REQUESTED',
      createdAt: '2026-04-15 12:00:00Z',
      carrierServiceCode: record.activeTransportation?.carrierServiceCode,
      clientReference: expect.stringMatching(/-[23]$/),
    })
    expect(activeTransportation?.carrierReference).toBeUndefined()
    // The answer got lost: the failure reported again must not hit the second one.
    await report(record, failure, 5, 'FIRST')
    // Scans from before the failure, with and without the number of the parcel that failed.
    await report(record, 'SHIPPING_IN_PROGRESS', 3, 'FIRST')
    await report(record, 'SHIPPING_IN_PROGRESS', 4)
    expect(codesOf(await report(record, 'SHIPPING_COMPLETED', 6, 'FIRST'))).toEqual(['TR02'])
    await report(record, 'SHIPPING_COMPLETED', 7, 'SECOND')
    expect(await eventsOf(record)).toEqual([
      { status: failure, events: [failure, '(SHIPPING_IN_PROGRESS)', '(SHIPPING_IN_PROGRESS)'] },
      { status: 'SHIPPING_COMPLETED', events: ['SHIPPING_COMPLETED'] },
    ])
    expect((await again(record)).status).toBe('RECEPTION_COMPLETED')
  },
)

test('a failed pick-up is followed by another appointment', async () => {
  const record = take(({ activeTransportation: t }) => !!t?.pickupDate)
  await report(record, 'PICK_UP_FAILED', 5)
  const shown = await active(record)
  expect(shown?.pickupDate).toBe('2026-04-16')
  expect(shown?.carrierPickupReference).toMatch(/^PU\d{8}$/)
  expect(shown?.carrierPickupReference).not.toBe(record.activeTransportation?.carrierPickupReference)
})

test('a return gets at most a hundred transports', async () => {
  const record = take()
  let failures = 0
  for (; failures < 120; failures++) {
    const trackingDate = new Date(NOW + failures * 1000).toISOString()
    const of = { trackingDate, trackingNumber: `N${failures}` }
    if ((await report(record, 'SHIPPING_FAILED', 0, of)).status !== 200) break
  }
  expect(failures).toBe(99)
  expect(await transportsOf(record)).toHaveLength(99)
})

test('an update about an ended transport never moves its replacement', async () => {
  const record = take()
  await report(record, 'SHIPPING_IN_PROGRESS', 3, 'FIRST')
  await report(record, 'SHIPPING_FAILED', 5, 'FIRST')
  const about = (status: string, hour: number, more?: string) => codeFor(record, status, hour, more)
  expect([
    await about('SHIPPING_FAILED', 5),
    await about('SHIPPING_FAILED', 5, 'FIRST'),
    await about('SHIPPING_IN_PROGRESS', 5),
    await about('SHIPPING_IN_PROGRESS', 4),
    await about('SHIPPING_CANCELLED', 5),
    await about('SHIPPING_COMPLETED', 6, 'FIRST'),
    await about('SHIPPING_FAILED', 6),
    await about('SHIPPING_FAILED', 6, 'FIRST'),
  ]).toEqual(['DUPLICATE', 'DUPLICATE', 'STALE', 'STALE', 'TR02', 'TR02', 'TR02', 'TR02'])
  const [ended, replacement] = await transportsOf(record)
  expect([ended?.status, replacement?.status]).toEqual(['SHIPPING_FAILED', 'REQUESTED'])
  expect(replacement?.trackingEvents).toEqual([])
})

test('an ended transport is recognized by every number of its labels', async () => {
  const record = take()
  await register(record, { carrierTrackingCode: 'OLD', additionalTrackingCodes: ['SECOND-PARCEL'] })
  await register(record, { carrierTrackingCode: 'NEW' })
  await report(record, 'SHIPPING_FAILED', 5)
  for (const trackingNumber of ['OLD', 'SECOND-PARCEL', 'NEW', 'new', ' Second-Parcel'])
    expect(codesOf(await report(record, 'SHIPPING_COMPLETED', 6, trackingNumber))).toEqual(['TR02'])
  expect((await active(record))?.status).toBe('REQUESTED')
})

test('the replacement accepts updates by its own number, even with an earlier date', async () => {
  const record = take()
  await report(record, 'SHIPPING_FAILED', 5, 'FIRST')
  await register(record, { carrierTrackingCode: 'SECOND' })
  expect(await codeFor(record, 'SHIPPING_IN_PROGRESS', 4, 'SECOND')).toBe('OK')
  expect(await codeFor(record, 'SHIPPING_FAILED', 6, 'SECOND')).toBe('OK')
})

test('an unknown number belongs to the replacement, even with an earlier date', async () => {
  const record = take()
  await report(record, 'SHIPPING_IN_PROGRESS', 3, 'FIRST')
  // Kept in the history alone: the number does not become one of the first transport.
  expect(await codeFor(record, 'SHIPPING_IN_PROGRESS', 2, 'SECOND')).toBe('STALE')
  await report(record, 'SHIPPING_FAILED', 6, 'FIRST')
  const second = (status: string, hour: number) => codeFor(record, status, hour, 'SECOND')
  expect(await second('SHIPPING_IN_PROGRESS', 5)).toBe('OK')
  expect(await second('SHIPPING_COMPLETED', 6)).toBe('OK')
  expect((await again(record)).status).toBe('RECEPTION_COMPLETED')
  expect(await codeFor(record, 'SHIPPING_COMPLETED', 5, 'THIRD')).toBe('SH01')
})

const withMode = (mode: string) =>
  take(({ returnLineItems }) => returnLineItems.every((l) => l.refundMode === mode))
test.each([
  ['DROP_OFF', [false, false, true, true]],
  ['SHIPPING_IN_PROGRESS', [false, false, true, true]],
  ['SHIPPING_COMPLETED', [false, false, false, true]],
  ['POST_VALIDATION', [false, false, false, false]],
  ['MANUAL', [false, false, false, false]],
])('refunds of mode %s are executed once, when they are due', async (mode, executed) => {
  const record = withMode(mode)
  const steps = ['PICK_UP_IN_PROGRESS', 'PICK_UP_COMPLETED', 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED']
  const dates: unknown[] = []
  for (const [i, step] of steps.entries()) {
    now = NOW + i * 60_000
    await report(record, step, i)
    const [refund] = await refundsOf(record)
    expect(refund?.status).toBe(executed[i] ? 'EXECUTED' : 'PENDING')
    expect(refund?.externalReference !== undefined).toBe(executed[i])
    dates.push(refund?.executedAt)
  }
  now = NOW
  // Executed once, when it was due.
  const first = executed.indexOf(true)
  const date = first < 0 ? undefined : `2026-04-15 12:0${first}:00Z`
  expect(dates).toEqual(executed.map((isExecuted) => (isExecuted ? date : undefined)))
})

test('refunds of a parcel that skips every state are all executed', async () => {
  for (const mode of ['DROP_OFF', 'SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED']) {
    const record = withMode(mode)
    await report(record, 'SHIPPING_COMPLETED', 1)
    expect(new Set(valuesOf(await refundsOf(record), 'status'))).toEqual(new Set(['EXECUTED']))
  }
})

test('refunds are found by date at once, and the return by its new state and time', async () => {
  const record = withMode('DROP_OFF')
  const find = async (query: string) => {
    const { body } = await request(`/returns?shop_code=${record.shopCode}&limit=500&${query}`)
    return body.returns.some(({ id }: Return) => id === record.id)
  }
  const queries = [
    'status=RECEPTION_IN_PROGRESS',
    'updated_from=2026-04-15T13:00:00',
    'refunded_from=2026-04-15T13:00:00',
  ]
  for (const query of queries) expect([query, await find(query)]).toEqual([query, false])
  now = NOW + 3_600_000
  await report(record, 'SHIPPING_IN_PROGRESS', 1)
  now = NOW
  for (const query of queries) expect([query, await find(query)]).toEqual([query, true])
  expect(await find('status=PENDING')).toBe(false)
})

const sample = take()
const good = { shopCode: sample.shopCode, shipmentId: sample.name, trackingStatus: 'SHIPPING_IN_PROGRESS' }
const other = sandbox.shops().find(({ code }) => code !== sample.shopCode)?.code
const without = returns.find(({ activeTransportation }) => !activeTransportation)
test.each([
  ['not JSON', '{', ['VA01'], 'body: not JSON'],
  ['no object', '[]', ['VA01'], 'body'],
  ['nothing', {}, ['VA01', 'VA01'], 'shipmentId: is missing|trackingStatus: is missing'],
  ['blanks', { ...good, shipmentId: ' ' }, ['VA01'], 'shipmentId: must not be blank'],
  [
    'everything at once',
    { ...good, trackingStatus: 'LOST', trackingDate: 'yesterday', trackingUrl: 'ftp://x' },
    ['TR01', 'VA01', 'VA01'],
    'trackingStatus: LOST|trackingDate: yesterday|trackingUrl',
  ],
  ['a date without an offset', { ...good, trackingDate: '2026-04-15T10:00:00' }, ['VA01'], 'trackingDate'],
  ['a day that there is not', { ...good, trackingDate: '2026-02-30T10:00:00Z' }, ['VA01'], 'trackingDate'],
  ['a type for labels only', { ...good, shipmentIdType: 'CLIENT_REFERENCE' }, ['VA01'], 'shipmentIdType'],
  ['a status in small letters', { ...good, trackingStatus: 'requested' }, ['TR01'], 'trackingStatus'],
  ['no shop', { ...good, shopCode: undefined }, ['SC01'], 'shopCode'],
  ['a foreign shop', { ...good, shopCode: 'NOWHERE' }, ['SC02'], 'NOWHERE'],
  ["another shop's return", { ...good, shopCode: other }, ['SH01'], sample.name],
  ['an unknown return', { ...good, shipmentId: 'R#-0' }, ['SH01'], 'R#-0'],
  [
    'a return without a transport',
    { ...good, shopCode: without?.shopCode, shipmentId: without?.name },
    ['SH01'],
    'no shipment',
  ],
])('a tracking update is refused: %s', async (_, body, codes, texts) => {
  const answer = await post(body)
  expect(answer.status).toBe(400)
  expect(codesOf(answer)).toEqual(codes)
  for (const [i, text] of texts.split('|').entries()) expect(answer.body.errors[i].message).toContain(text)
  expect(await again(sample)).toEqual(sample)
})

test('a refused update undoes no simultaneous update', async () => {
  const [one, two, three] = [take(), take(), take()]
  await report(two, 'SHIPPING_COMPLETED', 1)
  const answers = await Promise.all([
    report(one, 'SHIPPING_IN_PROGRESS', 2),
    report(two, 'SHIPPING_IN_PROGRESS', 2),
    report(three, 'SHIPPING_IN_PROGRESS', 2),
    report(three, 'SHIPPING_COMPLETED', 3),
    report(three, 'SHIPPING_COMPLETED', 3),
  ])
  expect(valuesOf(answers, 'status')).toEqual([200, 400, 200, 200, 200])
  expect(await eventsOf(one)).toEqual([{ status: 'SHIPPING_IN_PROGRESS', events: ['SHIPPING_IN_PROGRESS'] }])
  expect((await again(three)).status).toBe('RECEPTION_COMPLETED')
})

test('a token for one shop needs no shopCode', async () => {
  const record = take()
  const headers = { authorization: `Bearer ${sandbox.issueToken({ shops: [record.shopCode] })}` }
  const body = JSON.stringify({ shipmentId: record.name, trackingStatus: 'SHIPPING_IN_PROGRESS' })
  expect((await request('/shipping_trackings', { method: 'POST', body, headers })).status).toBe(200)
})

test('a late update does not move a return back', async () => {
  const record = take(
    ({ status, activeTransportation: t }) => status === 'CHECKED' && t?.status === 'SHIPPING_COMPLETED',
    returns,
  )
  expect(codesOf(await report(record, 'SHIPPING_IN_PROGRESS', 23))).toEqual(['SH01'])
  expect((await report(record, 'SHIPPING_IN_PROGRESS', 0, { trackingDate: record.createdAt })).status).toBe(
    200,
  )
  expect((await again(record)).status).toBe('CHECKED')
})

test('other processes see an update at once', async () => {
  const file = join(folder, 'shared.db')
  const one = await testSandbox({ file, returns: 400 })
  const two = await testSandbox({ file })
  const count = async (of: typeof one) =>
    (await of.request('/returns?status=RECEPTION_IN_PROGRESS')).body.pageInfo.totalRecords
  const before = [await count(one), await count(two)]
  const record = (await two.allReturns()).find(
    ({ status, activeTransportation: t }) => status === 'PENDING' && t?.status === 'REQUESTED',
  )
  const listed = async (of: typeof one) =>
    (await of.request(`/returns?name=${encodeURIComponent(record?.name ?? '')}`)).body.returns
  for (const each of [one, two]) expect(await listed(each)).toEqual([record])
  const body = JSON.stringify({
    shopCode: record?.shopCode,
    shipmentId: record?.name,
    trackingStatus: 'SHIPPING_IN_PROGRESS',
  })
  expect((await one.request('/shipping_trackings', { method: 'POST', body })).status).toBe(200)
  expect([await count(one), await count(two)]).toEqual(before.map((n) => n + 1))
  const after = (await two.request(`/returns/${record?.id}`)).body
  expect(after.status).toBe('RECEPTION_IN_PROGRESS')
  for (const each of [one, two]) expect(await listed(each)).toEqual([after])
  const three = await testSandbox({ file })
  expect(await count(three)).toBe(before[0] + 1)
  for (const { sandbox: each } of [one, two, three]) each.close()
})
