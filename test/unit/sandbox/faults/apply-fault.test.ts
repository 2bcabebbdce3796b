import { afterEach, beforeAll, expect, test } from 'vitest'
import type { FaultInput } from '../../../../src/lib/sandbox/faults/fault.ts'
import { errorBodySchema } from '../../../../src/lib/wire/tracking.ts'
import { labelRequest } from '../../../helpers/label-requests.ts'
import { NOW, testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'
import { send, type WireRequest } from '../../../helpers/wire-client.ts'

const { sandbox, request, listen } = await testSandbox({ returns: 60 })
const shop = sandbox.shops()[0]?.code ?? ''
const listener = await listen()
// Labels are loaded on first use, which may take longer than `writeLabel` waits.
beforeAll(async () => {
  await writeLabel()
})
afterEach(() => sandbox.faults.clear())

const authorization = `Bearer ${sandbox.issueToken({ shops: [shop] })}`
const get = (path: string, more: WireRequest = {}) =>
  send(listener.baseUrl + path, { headers: { authorization }, ...more })
const fail = (fault: Partial<FaultInput> & Pick<FaultInput, 'kind'>) =>
  sandbox.faults.set([{ id: 'f', route: '* *', ...fault }])
const lastLogged = () => sandbox.requests({ last: 1 })[0]

/** A write whose effect can be looked for: a label of a name not used before. */
let shipments = 0
async function writeLabel(limitMs = 20_000) {
  shipments += 1
  const clientShipmentId = `S-${shipments}`
  const outcome = await send(`${listener.baseUrl}/shipping_labels`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(labelRequest({ clientShipmentId, labelFormat: 'ZPL' })),
    signal: AbortSignal.timeout(limitMs),
  }).catch((error: NodeJS.ErrnoException) => error.code ?? error.message)
  const look = () => request(`/shipping_labels?client_shipment_id=${clientShipmentId}&shopCode=${shop}`)
  return { outcome, isDone: async () => (await look()).status === 200 }
}

test('answers without faults are not marked', async () => {
  const answer = await get('/returns')
  expect(answer.headers['x-sandbox-fault']).toBeUndefined()
  expect(lastLogged()?.faultId).toBeNull()
  expect(await (await writeLabel()).isDone()).toBe(true)
})

test.each([
  ['reset', false, 'ECONNRESET'],
  ['never', false, 'ABORT_ERR'],
  ['401', false, 401],
  ['429', false, 429],
  ['500', false, 500],
  ['503', false, 503],
  ['html', false, 502],
  ['reset-after-commit', true, 'ECONNRESET'],
  ['never-after-commit', true, 'ABORT_ERR'],
  ['500-after-commit', true, 500],
  ['cut-body', true, 200],
  ['late', true, 'ABORT_ERR'],
  ['wrong-content-type', true, 200],
  ['schema-drift', true, 200],
] as const)('the fault %s tells whether the write has happened: %s', async (kind, isDone, outcome) => {
  await fail({ kind })
  const written = await writeLabel(outcome === 'ABORT_ERR' ? 250 : undefined)
  // A busy sandbox may save the label after the client has given up.
  await expect.poll(written.isDone).toBe(isDone)
  if (typeof written.outcome === 'string') expect(written.outcome).toBe(outcome)
  else {
    expect(written.outcome.status).toBe(outcome)
    expect(written.outcome.headers['x-sandbox-fault']).toMatch(new RegExp(`^f; kind=${kind}(;|$)`))
  }
  await expect.poll(lastLogged).toMatchObject({
    faultId: 'f',
    method: 'POST',
    path: '/shipping_labels',
    status: typeof outcome === 'number' ? outcome : null,
  })
})

test.each([
  ['401', 401, 'AU02', { 'www-authenticate': 'Bearer error="invalid_token"' }],
  ['429', 429, 'RL01', { 'retry-after': '1', ratelimit: '"sandbox";r=0;t=1' }],
  ['500', 500, 'IE01', {}],
  ['503', 503, 'UN01', {}],
  ['500-after-commit', 500, 'IE01', {}],
] as const)('%s has the documented form', async (kind, status, code, headers) => {
  await fail({ kind })
  const answer = await get('/returns')
  expect(answer).toMatchObject({ status, headers })
  const body = errorBodySchema.parse(JSON.parse(answer.text))
  expect(body).toMatchObject({ status, errors: [{ code }], requestId: answer.headers['x-request-id'] })
  if (kind === '503') expect(answer.headers['retry-after']).toBeUndefined()
  await expect.poll(lastLogged).toMatchObject({ requestId: body.requestId, status })
})

test.each([
  [{ kind: '429', retryAfter: 7 }, '7'],
  [{ kind: '429', retryAfter: 7, retryAfterForm: 'date' }, new Date(NOW + 7000).toUTCString()],
  [{ kind: '503', retryAfter: 0 }, '0'],
] as const)('the fault %o says when to retry', async (fault, header) => {
  fail(fault)
  expect((await get('/returns')).headers['retry-after']).toBe(header)
})

test('a late answer comes after its delay, and a closing server ends it early', async () => {
  await fail({ kind: 'late', delayMs: 120 })
  const started = performance.now()
  const answer = await get('/returns?limit=1')
  expect(performance.now() - started).toBeGreaterThan(115)
  expect(answer).toMatchObject({ status: 200, headers: { 'x-sandbox-fault': 'f; kind=late' } })

  const another = await listen()
  await fail({ kind: 'late', delayMs: 60_000 })
  const late = send(`${another.baseUrl}/returns`, { headers: { authorization } })
  await expect.poll(() => sandbox.faults.list()[0]?.hits).toBe(1)
  await another.close()
  expect((await late).status).toBe(200)
})

test('a "never" fault drops the connection after its time, and when the server closes', async () => {
  await fail({ kind: 'never', delayMs: 50 })
  await expect(get('/returns')).rejects.toThrow('socket hang up')

  const another = await listen()
  await fail({ kind: 'never' })
  const held = send(`${another.baseUrl}/returns`, { headers: { authorization } })
  held.catch(() => {})
  await expect.poll(() => sandbox.faults.list()[0]?.hits).toBe(1)
  expect(lastLogged()).toMatchObject({ faultId: 'f', status: null, requestId: null })
  await another.close()
  await expect(held).rejects.toThrow('socket hang up')
})

test('cut-body announces the full length and sends half', async () => {
  const whole = await get('/returns')
  await fail({ kind: 'cut-body' })
  const answer = await get('/returns')
  expect(answer.cut).toBe('ECONNRESET')
  expect(answer.headers['content-length']).toBe(whole.headers['content-length'])
  expect(answer.text).toBe(whole.text.slice(0, answer.text.length))
  expect(answer.text.length).toBeGreaterThan(0)
  expect(answer.text.length).toBeLessThan(whole.text.length)
  await expect(get('/returns', { method: 'HEAD' })).rejects.toThrow('socket hang up')
})

test.each([200, 502] as const)('an html fault answers with a page and status %d', async (status) => {
  await fail({ kind: 'html', status })
  const answer = await get('/returns')
  expect(answer).toMatchObject({ status, headers: { 'content-type': 'text/html' } })
  expect(answer.text).toMatch(/^<!DOCTYPE html>/)
})

test('wrong-content-type changes only the content type', async () => {
  const whole = await get('/returns')
  await fail({ kind: 'wrong-content-type' })
  expect(await get('/returns')).toMatchObject({ text: whole.text, headers: { 'content-type': 'text/plain' } })
})

const drifted = async (drift: 'renamed' | 'missing' | 'extra' | 'retyped', field: string) => {
  await fail({ kind: 'schema-drift', drift, field })
  const answer = await get('/returns')
  expect(answer.headers['x-sandbox-fault']).toBe(`f; kind=schema-drift; drift=${drift}; field=${field}`)
  return JSON.parse(answer.text)
}

test('drift changes a field in all records, and the list itself', async () => {
  const { returns } = JSON.parse((await get('/returns')).text)
  const emails = returns.map((one: { customer: { email: string } }) => one.customer.email)
  expect(emails.length).toBeGreaterThan(1)
  for (const [drift, customerOf] of [
    ['missing', () => expect.not.objectContaining({ email: expect.anything() })],
    ['renamed', (email: string) => expect.objectContaining({ new_email: email })],
    ['retyped', (email: string) => expect.objectContaining({ email: { value: email } })],
    ['extra', (email: string) => expect.objectContaining({ email, emailV2: email })],
  ] as const) {
    const { returns: bent } = await drifted(drift, 'returns.customer.email')
    expect(valuesOf(bent as { customer: object }[], 'customer'), drift).toEqual(emails.map(customerOf))
  }
  expect(await drifted('retyped', 'returns')).toMatchObject({ returns: { items: returns } })
  expect(await drifted('retyped', 'pageInfo.totalPages')).toMatchObject({ pageInfo: { totalPages: '1' } })
  expect(await drifted('missing', 'returns')).not.toHaveProperty('returns')
})

test('drift by seed repeats for the same seed, and is named in a header', async () => {
  const run = async (seed: number) => {
    await fail({ kind: 'schema-drift', seed })
    const marks = []
    for (let i = 0; i < 6; i++) marks.push((await get('/returns')).headers['x-sandbox-fault'])
    return marks
  }
  const first = await run(3)
  expect(await run(3)).toEqual(first)
  expect(new Set(first).size).toBeGreaterThan(3)
  expect(await run(4)).not.toEqual(first)
})

test('drift of a missing field changes nothing, and is reported', async () => {
  const whole = await get('/returns')
  await fail({ kind: 'schema-drift', drift: 'missing', field: 'nothing.here' })
  const answer = await get('/returns')
  expect(answer.text).toBe(whole.text)
  expect(answer.headers['x-sandbox-fault']).toBe('f; kind=schema-drift; drift=none')
})
