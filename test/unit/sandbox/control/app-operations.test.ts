import { expect, it } from 'vitest'
import { clientOf, testSandbox } from '../../../helpers/sandbox-client.ts'

const { sandbox, listen } = await testSandbox({ returns: 20 })
const listener = await listen()

async function post(path: string, body?: unknown) {
  const answer = await fetch(listener.controlUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${listener.controlToken}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

const wanted = { shop: 'LUMBRE-ES', orderName: 'C1' }
const made = async (more = {}) => (await post('/returns', { ...wanted, ...more })).body
const decide = async (ref: string, ...verbs: string[]) => {
  const told: string[] = []
  for (const verb of verbs) {
    const { body } = await post(`/returns/${encodeURIComponent(ref)}/${verb}`)
    told.push(body.errors?.[0].code ?? body.status)
  }
  return told
}

it('POST /returns makes a return, which is found by id and by name', async () => {
  const record = await made({
    needsValidation: true,
    fee: 2.5,
    lines: [{ price: 20, refundMode: 'PRE_VALIDATION' }],
  })
  expect(record).toMatchObject({ shopCode: 'LUMBRE-ES', status: 'NEEDS_VALIDATION', totalRefund: 17.5 })
  expect(await decide(record.name, 'check', 'approve', 'approve')).toEqual(['CT03', 'PENDING', 'CT03'])
  expect(await decide(record.id, 'discard')).toEqual(['DISCARDED'])
  const { body } = await clientOf(sandbox).request(`/returns/${record.id}/refunds`)
  expect(body.refunds).toMatchObject([{ status: 'EXECUTED', amount: 17.5 }])
})

it('a name that two shops have is refused with the advice to use the id', async () => {
  const own = await made({ orderName: 'SAME1' })
  const others = await made({ orderName: 'SAME1', shop: 'HARROW-UK' })
  expect(await post(`/returns/${encodeURIComponent(own.name)}/discard`)).toMatchObject({
    status: 400,
    body: {
      errors: [{ code: 'CT03', message: `Several returns have the name ${own.name}; name one by its id` }],
    },
  })
  expect(await decide(own.id, 'discard')).toEqual(['DISCARDED'])
  expect(await decide(others.id, 'lose-parcel')).toEqual(['PENDING'])
})

it('decisions receive, check and close a return whose parcel has arrived', async () => {
  const { id, name: shipmentId, shopCode } = await made()
  const body = JSON.stringify({ shopCode, shipmentId, trackingStatus: 'SHIPPING_COMPLETED' })
  expect(await decide(id, 'lose-parcel')).toEqual(['PENDING'])
  await clientOf(sandbox).request('/shipping_trackings', { method: 'POST', body })
  expect(await decide(id, 'receive', 'check', 'close')).toEqual(['RECEIVED', 'CHECKED', 'CLOSED'])
})

it('a refund is executed once', async () => {
  const { id } = await made({ lines: [{ refundMode: 'MANUAL' }] })
  const { body } = await clientOf(sandbox).request(`/returns/${id}/refunds`)
  const path = `/refunds/${body.refunds[0].id}/execute`
  expect(await post(path)).toMatchObject({ status: 200, body: { id } })
  expect(await post(path)).toMatchObject({ status: 400, body: { errors: [{ code: 'CT03' }] } })
})

it('POST /advance moves the clock and returns what changed', async () => {
  const { status, body } = await post('/advance', { seconds: 86_400 })
  expect([status, body.now]).toEqual([200, '2026-04-16T12:00:00.000Z'])
  expect(Object.keys(body)).toEqual(['now', 'returns', 'events', 'refunds', 'expired'])
})

it('POST /play runs a scenario and says whether it passed', async () => {
  const create = { do: 'create', as: 'r', ...wanted }
  const played = await post('/play', { steps: [create, { do: 'expect', return: 'r', status: 'PENDING' }] })
  expect(played.body).toMatchObject({ passed: true, steps: [{ do: 'create', as: 'r' }, { outcome: 'done' }] })
  const failed = await post('/play', { steps: [create, { do: 'close', return: 'r' }] })
  expect(failed).toMatchObject({ status: 200, body: { passed: false, steps: [{}, { outcome: 'failed' }] } })
})

it.each([
  ['/advance', undefined, 400, 'VA01', /^seconds /],
  ['/advance', { seconds: 0 }, 400, 'VA01', /^seconds must be 1 at least/],
  ['/advance', { seconds: -60 }, 400, 'VA01', /^seconds must be 1/],
  ['/advance', { seconds: 1.5 }, 400, 'VA01', /^seconds must be a whole number/],
  ['/advance', { seconds: 4e8 }, 400, 'VA01', /can't be moved by 400000000 seconds; it goes forward only/],
  ['/advance', { seconds: 60, minutes: 1 }, 400, 'VA01', /minutes/],
  ['/returns', { shop: 'LUMBRE-ES' }, 400, 'VA01', /^orderName is missing/],
  ['/returns', undefined, 400, 'VA01', /^The body must be of type object/],
  ['/returns', { ...wanted, line: [] }, 400, 'VA01', /^The body knows no "line"; did you mean lines/],
  ['/returns', { ...wanted, shop: 'LUMBRE-EN' }, 400, 'VA01', /no shop LUMBRE-EN; use LUMBRE-ES/],
  ['/returns', { ...wanted, lines: [{ sku: 'X' }] }, 400, 'VA01', /^lines\[0\].sku: /],
  ['/returns/R%23-NONE/approve', undefined, 404, 'CT02', /no return R#-NONE/],
  ['/returns/17/check', undefined, 404, 'CT02', /no return 17/],
  ['/refunds/17/execute', undefined, 404, 'CT02', /no refund 17/],
  ['/play', undefined, 400, 'VA01', /^The body must be of type object/],
  ['/play', { steps: [{ do: 'check', return: 'r' }] }, 400, 'VA01', /^steps\[0\].return no step before/],
])('%s %j: %d', async (path, body, status, code, message) => {
  const answer = await post(path, body)
  expect(answer).toMatchObject({ status, body: { status, errors: [{ code }] } })
  expect(answer.body.errors[0].message).toMatch(message)
})
