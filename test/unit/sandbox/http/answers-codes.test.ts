import { expect, test } from 'vitest'
import { labelRequest, SHOP } from '../../../helpers/label-requests.ts'
import { type RequestOptions, testSandbox } from '../../../helpers/sandbox-client.ts'

const { sandbox, request, allReturns } = await testSandbox({ returns: 150 })

const records = await allReturns()
const ofShop = records.filter(({ shopCode }) => shopCode === SHOP)
const [some] = ofShop
const requested = ofShop.find(({ activeTransportation }) => activeTransportation?.status === 'REQUESTED')
const moving = ofShop.find(
  ({ activeTransportation }) => activeTransportation?.status === 'SHIPPING_IN_PROGRESS',
)
const ended = ofShop.find(({ activeTransportation }) => activeTransportation?.status === 'SHIPPING_COMPLETED')
const token = (options: object) => ({ headers: { authorization: `Bearer ${sandbox.issueToken(options)}` } })
const post = (body: object) => ({ method: 'POST', body: JSON.stringify(body) })
const report = (more: object) => post({ shopCode: SHOP, trackingStatus: 'SHIPPING_IN_PROGRESS', ...more })

const CASES: [code: string, status: number, path: string, init: RequestOptions][] = [
  ['AU01', 401, '/returns', { headers: { authorization: '' } }],
  ['AU02', 401, '/returns', { headers: { authorization: 'Bearer a.b.c' } }],
  ['AU03', 401, '/returns', token({ lifetimeSeconds: -1 })],
  ['SC01', 400, '/shipping_labels?client_shipment_id=X', {}],
  ['SC02', 400, '/returns?shop_code=NOWHERE', {}],
  ['VA01', 400, '/returns?limit=501', {}],
  [
    'VA01',
    400,
    '/shipping_trackings',
    report({ shipmentId: requested?.name, trackingDate: '2026-04-16T12:00:01Z' }),
  ],
  ['RT01', 404, '/returns/1', {}],
  ['TP01', 404, `/returns/${some?.id}/transportations/1`, {}],
  ['SH01', 400, '/shipping_trackings', report({ shipmentId: 'R#-0' })],
  ['SH01', 400, '/shipping_trackings', report({ shipmentId: ended?.name })],
  ['TR01', 400, '/shipping_trackings', report({ shipmentId: requested?.name, trackingStatus: 'LOST' })],
  ['TR02', 400, '/shipping_trackings', report({ shipmentId: moving?.name, trackingStatus: 'REQUESTED' })],
  ['LB01', 400, '/shipping_labels', post(labelRequest({ carrierServiceCode: 'NONE' }))],
  ['LB02', 400, '/shipping_labels', post(labelRequest({ carrierServiceCode: 'SBX_REFUSES' }))],
  ['LB03', 404, `/shipping_labels?client_shipment_id=X&shopCode=${SHOP}`, {}],
  ['PU01', 400, '/pudos', post({ shopCode: SHOP, carrierServices: [{ code: 'SBX_STANDARD' }] })],
  ['NF01', 404, '/nowhere', {}],
  ['MA01', 405, '/returns', { method: 'DELETE' }],
]

test.each(CASES)(
  'the error %s has status %i and the documented form: %s',
  async (code, status, path, init) => {
    const answer = await request(path, init)
    expect([answer.status, answer.body.errors[0].code]).toEqual([status, code])
    expect(Object.keys(answer.body).sort()).toEqual(['errors', 'requestId', 'status'])
    expect(answer.body).toMatchObject({ status, requestId: answer.headers.get('x-request-id') })
    expect(answer.headers.get('content-type')).toBe('application/json')
    for (const error of answer.body.errors) {
      expect(error).toEqual({
        code: expect.stringMatching(/^[A-Z]{2}\d\d$/),
        message: expect.stringMatching(/\S/),
        ...(code === 'LB02' ? { carrierErrors: [expect.any(Object)] } : {}),
      })
    }
    expect(answer.headers.has('www-authenticate')).toBe(status === 401)
    expect(answer.headers.get('allow')).toBe(status === 405 ? 'GET, HEAD' : null)
  },
)
