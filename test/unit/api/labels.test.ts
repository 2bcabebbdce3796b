import { expect, it } from 'vitest'
import { createLabelsApi } from '../../../src/lib/api/labels.ts'
import { SpecDeviations } from '../../../src/lib/wire/read.ts'
import { label, labelRequest, PDF } from '../../helpers/label-service.ts'
import { expectRejection } from '../../helpers/rejections.ts'
import { type Answer, type Handler, refusal, scriptServer } from '../../helpers/script-server.ts'
import { testHttp } from '../../helpers/test-http.ts'

/*
 * Each script is the whole of what is said: a request more or less than it has fails the test.
 */

async function open(
  script: readonly (Answer | Handler)[],
  { retries = 0, timeoutMs = 1000, isInterrupted = false } = {},
) {
  const server = await scriptServer(script)
  const http = testHttp(server.baseUrl, { timeoutMs, retries })
  const waited: number[] = []
  const sleep = async (ms: number) => {
    if (isInterrupted) throw new DOMException('aborted', 'AbortError')
    waited.push(ms)
  }
  const api = createLabelsApi(http, { deviations: new SpecDeviations(), shop: 'ACME', sleep })
  const request = { ...labelRequest('SHP-1'), shipmentType: 'RETURN' as const, labelFormat: 'PDF' as const }
  const create = (another = false) => api.create(request, another ? { existing: async () => undefined } : {})
  return { api, create, server, waited }
}

const set = (tracking: string, clientShipmentId = 'SHP-1') => ({
  clientShipmentId,
  carrierCode: 'T',
  shippingLabels: [label(PDF, tracking)],
})
const sets = (...tracking: string[]) => ({ body: tracking.map((one) => set(one)) })
const none = refusal('LB03', 'no label', 404)
const refused = refusal('LB02', 'refused')
const post = (answer: Answer): Handler => {
  return ({ method }) => (method === 'POST' ? answer : { status: 500, body: `a ${method} instead of a POST` })
}
const tracking = ({ set: { shippingLabels } }: { set: { shippingLabels: unknown[] } }) => shippingLabels[0]

it('an interruption between two looks leaves open whether the label was made', async () => {
  const { create } = await open([none, post({ status: 504 }), none], { isInterrupted: true })
  const message = 'Interrupted: it is not known whether the label of SHP-1 was made.'
  await expectRejection(create(), 'interrupted', message)
})

it.each([
  ['a label in the answer', [none, post({ body: set('NEW') })], false, 'created', 'NEW', 1],
  ['one is there', [sets('OLD', 'NEWER')], false, 'existing', 'NEWER', 2],
  ['one is there, another is wanted', [sets('OLD'), post({ body: set('NEW') })], true, 'created', 'NEW', 2],
  ['time-out, then it is there', [none, post({ fault: 'hang' }), sets('NEW')], false, 'recovered', 'NEW', 1],
  [
    'reset, and it comes later',
    [none, post({ fault: 'reset' }), none, none, sets('NEW')],
    false,
    'recovered',
    'NEW',
    1,
  ],
  [
    '500, and a look that fails',
    [none, post({ status: 500 }), { status: 503 }, sets('NEW')],
    false,
    'recovered',
    'NEW',
    1,
  ],
  [
    'half an answer',
    [none, post({ body: set('NEW'), fault: 'cut-body' }), sets('NEW')],
    false,
    'recovered',
    'NEW',
    1,
  ],
  [
    'an answer that is not a label set',
    [none, post({ body: { ok: true } }), sets('NEW')],
    false,
    'recovered',
    'NEW',
    1,
  ],
  ['an answer that is not JSON', [none, post({ body: 'thanks' }), sets('NEW')], false, 'recovered', 'NEW', 1],
  [
    'forced, time-out, newest last',
    [sets('OLD'), post({ fault: 'hang' }), sets('OLD', 'NEW')],
    true,
    'recovered',
    'NEW',
    2,
  ],
  [
    'forced, time-out, newest first',
    [sets('OLD'), post({ fault: 'hang' }), sets('NEW', 'OLD')],
    true,
    'recovered',
    'NEW',
    2,
  ],
])('create makes or finds one label: %s', async (_name, script, force, outcome, code, count) => {
  const { create, waited } = await open(script)
  const made = await create(force)
  expect([made.outcome, made.sets, tracking(made)]).toEqual([
    outcome,
    count,
    expect.objectContaining({ carrierTrackingCode: code }),
  ])
  // The looks after the first wait for a carrier that is still at it.
  expect(waited).toEqual([700, 2000].slice(0, Math.max(0, script.length - 3)))
})

it.each<[string, Answer, boolean]>([
  ['a time-out', { fault: 'hang' }, false],
  ['a reset', { fault: 'reset' }, false],
  ['a 500', { status: 500 }, false],
  ['a 504', { status: 504 }, false],
  ['a 408', { status: 408 }, false],
  ['a 200 without a label', { body: { ...set('NEW'), shippingLabels: [] } }, false],
  ["another shipment's label", { body: { ...set('NEW'), clientShipmentId: 'SHP-2' } }, false],
  ['a time-out after which only the old one is there', { fault: 'hang' }, true],
])('create after %s that no look settles is unknown, and not sent again', async (_name, answer, force) => {
  const look = force ? sets('OLD') : none
  const { create, server } = await open([look, post(answer), look, look, look], { retries: 3 })
  await expect(create(force)).rejects.toMatchObject({
    kind: 'unknown',
    exitCode: 10,
    message: expect.stringContaining('It is not known whether the label of SHP-1 was made'),
    hints: [expect.stringContaining('rma labels get SHP-1'), expect.stringContaining('not made twice')],
  })
  expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

it.each([
  refused,
  {
    body: {
      errors: [{ code: 'LB02', message: 'no' }],
      message: 'no',
      carrierCode: 'C',
      shippingLabels: [],
    },
  },
])('the refusal %j is final and needs no look', async (answer) => {
  const { create } = await open([none, post(answer)])
  await expect(create()).rejects.toMatchObject({ kind: 'rejected', details: [{ code: 'LB02' }] })
})

it('429 is sent again', async () => {
  const { create } = await open([none, post({ status: 429 }), post({ body: set('NEW') })], { retries: 1 })
  expect((await create()).outcome).toBe('created')
})

it('503 is sent again when looks find no trace of it', async () => {
  const script = [none, post({ status: 503 }), none, none, none, post({ body: set('NEW') })]
  const { create } = await open(script, { retries: 3 })
  expect((await create()).outcome).toBe('created')
})

it('503 without a usable look is unknown, and not sent again', async () => {
  const broken = { status: 500 }
  const { create } = await open([none, post({ status: 503 }), none, none, broken])
  await expectRejection(create(), 'unknown')
})

it('503 on every attempt, without a trace of the label, did not happen', async () => {
  const round = [post({ status: 503 }), none, none, none]
  const { create } = await open([none, ...round, ...round], { retries: 1 })
  await expect(create()).rejects.toMatchObject({ kind: 'unavailable', status: 503 })
})

it.each([
  ['another 404 than the service has', { status: 404, body: 'no such path' }],
  ['no such path', refusal('NF01', 'x', 404)],
  ['500', { status: 500 }],
  ['not a list', { body: { labels: [] } }],
])('nothing is sent if the first look says nothing about labels (%s)', async (_name, answer) => {
  const { create } = await open([answer])
  await expect(create()).rejects.toThrow()
})

it('nothing is sent if the caller has no place for the label', async () => {
  const { api } = await open([none])
  const beforeSend = () => Promise.reject(new Error('taken'))
  const request = { ...labelRequest('SHP-1'), shipmentType: 'RETURN' as const, labelFormat: 'PDF' as const }
  await expect(api.create(request, { beforeSend })).rejects.toThrow('taken')
})

it('get asks for a shipment of the shop, and leaves out others', async () => {
  const { api, server } = await open([{ body: [set('MINE'), set('OTHER', 'SHP-10')] }])
  expect(await api.get('SHP-1')).toMatchObject([{ clientShipmentId: 'SHP-1' }])
  expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
    client_shipment_id: 'SHP-1',
    shopCode: 'ACME',
  })
})

it.each([
  ['404', none],
  ['an empty list', { body: [] }],
  ["only another's", { body: [set('OTHER', 'SHP-10')] }],
])('the label client finds no label where the answer is %s', async (_name, answer) => {
  const { api } = await open([answer])
  await expectRejection(api.get('SHP-1'), 'not-found')
})
