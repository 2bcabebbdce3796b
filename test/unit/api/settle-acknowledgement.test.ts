import { expect, it } from 'vitest'
import { createLabelsApi } from '../../../src/lib/api/labels.ts'
import { ownerInText } from '../../../src/lib/api/settle.ts'
import { SpecDeviations } from '../../../src/lib/wire/read.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import { testHttp } from '../../helpers/test-http.ts'

/** Outcome of a label update with this answer. */
async function updated(body: unknown) {
  const server = await scriptServer([{ body }])
  const deviations = new SpecDeviations()
  const api = createLabelsApi(testHttp(server.baseUrl), { deviations, sleep: async () => {} })
  const ending = await api
    .update(
      { shipmentId: 'R#-1', shipmentIdType: 'RETURN_NAME', shippingLabels: [{}] },
      async () => 'open',
      async () => {},
    )
    .catch((error) => ({ error }))
  return { ...ending, deviations: deviations.entries() }
}

it.each([
  [{ statusCode: 'OK', description: 'ok' }, { applied: true }],
  [{ statusCode: 'DUPLICATE' }, { applied: false, reason: 'duplicate' }],
  [
    { statusCode: 'STALE', more: 1 },
    { applied: false, reason: 'stale' },
  ],
])('a label update with the answer %j was taken', async (body, ending) => {
  expect(await updated(body)).toEqual({
    acknowledgement: body,
    ...ending,
    outcome: 'accepted',
    deviations: [],
  })
})

it.each([
  [{}, { path: 'answers[].statusCode', problem: 'missing', records: 1 }],
  [{ statusCode: null }, { path: 'answers[].statusCode', problem: 'missing', records: 1 }],
  [
    { statusCode: 'DONE' },
    { path: 'answers[].statusCode', problem: 'unknown-value', values: ['DONE'], records: 1 },
  ],
])('a label update with the answer %j was taken, and the answer is noted', async (body, deviation) => {
  expect(await updated(body)).toEqual({
    acknowledgement: body,
    applied: null,
    outcome: 'accepted',
    deviations: [deviation],
  })
})

it.each([
  [{ success: false, message: 'no such return' }, 'FAILED', 'no such return'],
  [{ statusCode: null, error: 'no such return' }, 'FAILED', 'no such return'],
  [{ errors: [{ code: 'TR02', message: 'not now' }], message: 'Rejected', timestamp: 1 }, 'TR02', 'not now'],
  [{ errors: [{ code: 'TR02', message: 'not now' }], statusCode: null, meta: { a: 1 } }, 'TR02', 'not now'],
])('a label update with the answer %j was rejected', async (body, code, message) => {
  expect(await updated(body)).toMatchObject({ error: { kind: 'rejected', details: [{ code, message }] } })
})

it.each([[[]], ['OK'], [null]])(
  'a label update whose answer %j can not be read may have happened',
  async (body) => {
    expect(await updated(JSON.parse(JSON.stringify(body)))).toMatchObject({ error: { kind: 'unknown' } })
  },
)

it.each([
  ['the label of R#-7 is updated', 'R#-7-T5', 'own'],
  ['the label of R#-7-T5 is updated', 'R#-7', 'own'],
  ['the label of R#-7 is updated', 'r#-7', 'own'],
  ['the label of R#-8 is updated', 'R#-7-T5', 'other'],
  ['updated', 'R#-7', 'nothing'],
  ['the label of R#-8 is updated', 'P#R#LU7', 'nothing'],
  ['the label of R#-8, P#R#LU7, is updated', 'P#R#LU7', 'own'],
  ['the label of R#-8 is updated', 'RET-7', 'nothing'],
])('an answer "%s" to an update of %s is taken for: %s', (text, id, owner) => {
  expect(ownerInText(text, id)).toBe(owner)
})
