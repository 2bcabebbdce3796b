import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { errorBodySchema } from '../../../../src/lib/wire/error-body.ts'
import { labelSetListSchema, labelSetSchema } from '../../../../src/lib/wire/labels.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { barcodesInPdf, barcodesInPng, barcodesInZpl, pdfPages } from '../../../helpers/label-readers.ts'
import { testSandbox } from '../client.ts'
import { LONDON, labelRequest, oldLabelRequest, SHOP } from './requests.ts'

/** Each wait, and what a look at the shipment finds meanwhile. */
const slept: { ms: number; status: number }[] = []
const { sandbox, request, allReturns, transportsOf } = await testSandbox({
  returns: 200,
  sleep: async (ms) => void slept.push({ ms, status: (await lookUp('SLOW')).status }),
})
const folder = mkdtempSync(join(tmpdir(), 'rma-labels-'))
afterAll(() => {
  sandbox.close()
  rmSync(folder, { recursive: true, force: true })
})

const send = (method: string, body: unknown) =>
  request('/shipping_labels', { method, body: typeof body === 'string' ? body : JSON.stringify(body) })
const post = (changes: object = {}) => send('POST', labelRequest(changes))
const lookUp = (id: string, shop = SHOP) =>
  request(`/shipping_labels?client_shipment_id=${encodeURIComponent(id)}&shopCode=${shop}`)
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const codesOf = (answer: { body: { errors: { code: string }[] } }) =>
  answer.body.errors.map(({ code }) => code)

describe('POST', () => {
  test.each([
    ['PDF', barcodesInPdf],
    ['ZPL', barcodesInZpl],
  ])('a label in %s whose barcodes are its tracking code', async (labelFormat, read) => {
    const { status, body } = await post({ clientShipmentId: `FORMAT-${labelFormat}`, labelFormat })
    expect(status).toBe(200)
    labelSetSchema.parse(body)
    const [label, ...others] = body.shippingLabels
    expect(others).toEqual([])
    expect({ ...body, shippingLabels: [] }).toEqual({
      carrierCode: 'SBX',
      carrierExternalCode: 'SBX-STANDARD',
      carrierServiceCode: 'SBX_STANDARD',
      clientShipmentId: `FORMAT-${labelFormat}`,
      shippingLabels: [],
    })
    const { carrierTrackingCode, base64, ...rest } = label
    expect(carrierTrackingCode).toMatch(/^SX\d{9}ES$/)
    expect(rest).toEqual({
      carrierTrackingUrl: `https://track.example.com/sbx/${carrierTrackingCode}`,
      isLabelFree: false,
    })
    const found = await read(bytesOf(base64))
    expect(found.map(({ format }) => format).sort()).toEqual(['Code128', 'DataMatrix'])
    for (const { text } of found) expect(text).toBe(carrierTrackingCode)
  })

  test('both revisions, with one label for each parcel', async () => {
    const parcel = { clientParcelId: '1', description: 'Shoes', weight: 1200 }
    const parcels = [parcel, { ...parcel, clientParcelId: '2' }, { ...parcel, clientParcelId: '3' }]
    const { body } = await send('POST', oldLabelRequest({ clientShipmentId: 'OLD', parcels }))
    expect(body.shippingLabels).toHaveLength(3)
    for (const [i, label] of body.shippingLabels.entries()) {
      expect((await pdfPages(bytesOf(label.base64)))[0]?.text).toContain(`${i + 1} of 3`)
    }
    const none = await post({ clientShipmentId: 'NONE', parcels: undefined })
    expect(none.body.shippingLabels).toHaveLength(1)
  })

  test('the least that is allowed', async () => {
    const { fullName, email, phone } = LONDON
    const party = { fullName, email, phone }
    const { status, body } = await post({
      clientShipmentId: 'LEAST',
      origin: party,
      destination: party,
      shipper: undefined,
      parcels: undefined,
      carrierOptions: undefined,
      tags: undefined,
    })
    expect(status).toBe(200)
    expect(await pdfPages(bytesOf(body.shippingLabels[0].base64))).toHaveLength(1)
  })

  test('twice makes two sets with tracking codes of their own', async () => {
    const first = (await post({ clientShipmentId: 'TWICE' })).body
    const second = (await post({ clientShipmentId: 'TWICE', labelFormat: 'ZPL' })).body
    expect(first.shippingLabels[0].carrierTrackingCode).not.toBe(second.shippingLabels[0].carrierTrackingCode)
    const { status, body } = await lookUp('TWICE')
    expect(status).toBe(200)
    labelSetListSchema.parse(body)
    expect(body).toEqual([first, second])
  })

  test('the format is what is made, not what is asked', async () => {
    const { body } = await post({ carrierServiceCode: 'SBX_PDF_ONLY', labelFormat: 'ZPL' })
    expect(await pdfPages(bytesOf(body.shippingLabels[0].base64))).toHaveLength(1)
  })

  test('a label-free shipment has a QR code instead', async () => {
    const { body } = await post({ carrierServiceCode: 'SBX_LABEL_FREE' })
    const { carrierTrackingCode, isLabelFree, labelFreeCode, base64, url } = body.shippingLabels[0]
    expect([isLabelFree, labelFreeCode.format, base64, url]).toEqual([true, 'PNG', undefined, undefined])
    expect(await barcodesInPng(bytesOf(labelFreeCode.base64))).toEqual([
      { text: carrierTrackingCode, format: 'QRCode' },
    ])
  })

  test('a label behind an address on the origin that was asked, without a token', async () => {
    const { body } = await post({ clientShipmentId: 'URL', carrierServiceCode: 'SBX_URL_ONLY' })
    const { url, base64, carrierTrackingCode } = body.shippingLabels[0]
    expect(base64).toBeUndefined()
    expect(url).toMatch(/^http:\/\/sandbox\.test\/labels\/[\w-]{32}\.pdf$/)
    const answer = await sandbox.fetch(new Request(url))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect((await barcodesInPdf(bytes)).map(({ text }) => text)).toContain(carrierTrackingCode)

    const other = url.slice(0, -5)
    for (const [method, address, status] of [
      ['HEAD', url, 200],
      ['POST', url, 405],
      ['GET', `${other}.pdf`, 404],
      ['GET', url.replace('.pdf', '.zpl'), 404],
      ['GET', url.replace('.pdf', ''), 404],
    ]) {
      expect((await sandbox.fetch(new Request(address, { method }))).status, `${method} ${address}`).toBe(
        status,
      )
    }
  })

  test('through a server, the address is that of the server', async () => {
    const listener = await sandbox.listen({ host: '127.0.0.1', port: 0 })
    try {
      const made = await fetch(`${listener.baseUrl}/shipping_labels`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.issueToken()}` },
        body: JSON.stringify(labelRequest({ carrierServiceCode: 'SBX_URL_ONLY', labelFormat: 'ZPL' })),
      })
      const { shippingLabels } = labelSetSchema.parse(await made.json())
      const url = shippingLabels[0]?.url ?? ''
      expect(new URL(url).origin).toBe(new URL(listener.baseUrl).origin)
      expect(await (await fetch(url)).text()).toMatch(/^\^XA/)
    } finally {
      await listener.close()
    }
  })

  test('a slow carrier has made the label before it waits', async () => {
    slept.length = 0
    await post({ clientShipmentId: 'SLOW', carrierServiceCode: 'SBX_SLOW' })
    expect(slept).toEqual([{ ms: 3000, status: 200 }])
    await post({ clientShipmentId: 'FAST' })
    expect(slept).toEqual([{ ms: 3000, status: 200 }])
  })

  test('the services of the demo shops are connections of their own shop', async () => {
    const { body } = await post({ carrierServiceCode: 'CORREOS_RETURN' })
    expect([body.carrierCode, body.carrierServiceCode]).toEqual(['CORREOS', 'CORREOS_RETURN'])
    expect(body.shippingLabels[0].carrierTrackingUrl).toMatch(/\/correos\/CS\d{9}ES$/)
    const elsewhere = await post({ carrierServiceCode: 'CORREOS_RETURN', shopCode: 'HARROW-UK' })
    expect(codesOf(elsewhere)).toEqual(['LB01'])
  })

  test('equal requests make equal documents, but for the tracking code', async () => {
    const make = async () => {
      const { sandbox: fresh, request: ask } = await testSandbox({ returns: 1 })
      const { body } = await ask('/shipping_labels', { method: 'POST', body: JSON.stringify(labelRequest()) })
      fresh.close()
      return body
    }
    expect(await make()).toEqual(await make())
  })
})

describe('refusals', () => {
  const address = labelRequest().destination.address
  test.each([
    ['not JSON', '{', ['VA01'], 'body: not JSON'],
    ['no object', '[]', ['VA01'], 'body'],
    [
      'every problem at once',
      labelRequest({ shipmentType: 'GIFT', clientShipmentId: ' ', labelFormat: undefined, parcels: [{}] }),
      ['VA01', 'VA01', 'VA01', 'VA01', 'VA01'],
      'shipmentType|clientShipmentId|labelFormat: is missing|parcels[0].clientParcelId: is missing|parcels[0].description',
    ],
    [
      'what only sense can tell',
      labelRequest({
        tags: ['a:b', 'colour'],
        parcels: [{ clientParcelId: '1', description: 'x', weight: 0 }],
        destination: { ...LONDON, address: { ...address, countryCode: 'XX' } },
      }),
      ['VA01', 'VA01', 'VA01'],
      'destination.address.countryCode: XX|tags[1]|parcels[0].weight',
    ],
    ['both revisions in one', labelRequest({ customsInfo: [] }), ['VA01'], 'customsInfo'],
    ['an unknown connection', labelRequest({ carrierServiceCode: 'NONE' }), ['LB01'], 'SBX_STANDARD'],
    ['a shop needed', labelRequest({ shopCode: undefined }), ['SC01'], 'shopCode'],
    ['a foreign shop', labelRequest({ shopCode: 'NOWHERE' }), ['SC02'], 'NOWHERE'],
    ['a carrier that refuses', labelRequest({ carrierServiceCode: 'SBX_REFUSES' }), ['LB02'], 'suspended'],
    [
      'a wrong postal code',
      labelRequest({ destination: { ...LONDON, address: { ...address, postalCode: '99999' } } }),
      ['LB02'],
      'destination.address.postalCode: 99999',
    ],
    [
      'customs without items',
      labelRequest({ origin: LONDON, parcels: [{ clientParcelId: '1', description: 'x' }] }),
      ['LB02'],
      'parcels[0].items: customs needs',
    ],
    [
      'customs without an HS code, in the old revision',
      oldLabelRequest({ origin: LONDON, customsInfo: [{ description: 'x', quantity: 1, unitPrice: 1 }] }),
      ['LB02'],
      'customsInfo[0].hsCode',
    ],
  ])('%s', async (_, body, codes, texts) => {
    const answer = await send('POST', body)
    expect(answer.status).toBe(400)
    expect(codesOf(answer)).toEqual(codes)
    const { errors } = errorBodySchema.parse(answer.body)
    for (const [i, text] of texts.split('|').entries()) expect(errors?.[i]?.message).toContain(text)
    const carrier = errors?.[0]?.carrierErrors?.[0]
    expect(carrier?.carrierName).toBe(codes[0] === 'LB02' ? 'SBX' : undefined)
  })

  test('none of them leaves a label', async () => {
    await post({ clientShipmentId: 'REFUSED', carrierServiceCode: 'SBX_REFUSES' })
    const answer = await lookUp('REFUSED')
    expect([answer.status, ...codesOf(answer)]).toEqual([404, 'LB03'])
  })

  test('methods and tokens', async () => {
    const answer = await request('/shipping_labels', { method: 'DELETE' })
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT'])
    for (const method of ['GET', 'POST', 'PUT']) {
      const headers = { authorization: '' }
      expect((await request('/shipping_labels', { method, headers })).status).toBe(401)
    }
  })
})

describe('GET', () => {
  test('sees its own shop only, and asks for what it needs', async () => {
    await post({ clientShipmentId: 'MINE' })
    expect((await lookUp('MINE')).status).toBe(200)
    expect(codesOf(await lookUp('MINE', 'HARROW-UK'))).toEqual(['LB03'])
    expect(codesOf(await lookUp('MINE', 'NOWHERE'))).toEqual(['SC02'])
    expect(codesOf(await lookUp(''))).toEqual(['VA01'])
    expect(codesOf(await request('/shipping_labels?client_shipment_id=MINE'))).toEqual(['SC01'])
    const headers = { authorization: `Bearer ${sandbox.issueToken({ shops: [SHOP] })}` }
    expect((await request('/shipping_labels?client_shipment_id=MINE', { headers })).status).toBe(200)
  })

  test('sees what another connection made of the same file, after a restart too', async () => {
    const file = join(folder, 'shared.db')
    const one = await testSandbox({ file, returns: 5 })
    const two = await testSandbox({ file })
    const make = (by: typeof one, i: number) =>
      by.request('/shipping_labels', {
        method: 'POST',
        body: JSON.stringify(labelRequest({ clientShipmentId: `S${i}`, labelFormat: 'ZPL' })),
      })
    await Promise.all([one, two, one, two, one, two].map(make))
    one.sandbox.close()
    two.sandbox.close()
    const later = await testSandbox({ file })
    const codes = new Set<string>()
    for (let i = 0; i < 6; i++) {
      const { body } = await later.request(`/shipping_labels?client_shipment_id=S${i}&shopCode=${SHOP}`)
      codes.add(body[0].shippingLabels[0].carrierTrackingCode)
    }
    expect(codes.size).toBe(6)
    await later.sandbox.reset({ returns: 5 })
    const gone = await later.request(`/shipping_labels?client_shipment_id=S0&shopCode=${SHOP}`)
    expect(codesOf(gone)).toEqual(['LB03'])
    later.sandbox.close()
  })
})

describe('PUT', async () => {
  const returns = (await allReturns()).filter(({ shopCode }) => shopCode === SHOP)
  const withTransport = returns.filter(({ activeTransportation }) => activeTransportation?.carrierReference)
  const put = (shipmentId: string, label: object, more: object = {}) =>
    send('PUT', { shopCode: SHOP, shipmentId, shippingLabels: [label], ...more })
  const again = async ({ id }: Return): Promise<Return> => (await request(`/returns/${id}`)).body

  test.each([
    ['RETURN_NAME', ({ name }: Return) => name],
    ['CLIENT_REFERENCE', (record: Return) => record.activeTransportation?.clientReference ?? ''],
    ['MERCHANT_RETURN_NAME', (record: Return) => `${record.ecommerceOrder.name}-R1`],
  ])('by %s, told by its name or by its form', async (shipmentIdType, idOf) => {
    const record = withTransport.find(({ name }) => !name.endsWith('-2')) as Return
    for (const [i, more] of [{ shipmentIdType }, {}].entries()) {
      const carrierTrackingCode = `${shipmentIdType}-${i}`
      const { status, body } = await put(idOf(record), { carrierTrackingCode }, more)
      expect(status).toBe(200)
      expect(body).toEqual({ statusCode: 'OK', description: expect.stringContaining(record.name) })
      expect((await again(record)).activeTransportation?.carrierReference).toBe(carrierTrackingCode)
    }
  })

  test('replaces what is given, keeps the rest, and remembers what was', async () => {
    const record = withTransport[1] as Return
    const before = record.activeTransportation
    const label = {
      carrierTrackingCode: 'NEW-1',
      additionalTrackingCodes: ['NEW-2'],
      format: 'PDF',
      url: 'https://labels.example.com/new.pdf',
    }
    await put(record.name, label)
    const prefix = before?.carrierTrackingUrl?.replace(before.carrierReference ?? '', '')
    expect((await again(record)).activeTransportation).toEqual({
      ...before,
      carrierReference: 'NEW-1',
      carrierTrackingUrl: `${prefix}NEW-1`,
      carrierLabel: label.url,
    })
    await put(record.name, { carrierTrackingUrl: 'https://track.example.com/mine' })
    const transport = (await transportsOf(record)).at(-1)
    expect(transport?.carrierReference).toBe('NEW-1')
    expect(transport?.shippingLabels).toEqual([
      { ...label, carrierTrackingUrl: 'https://track.example.com/mine' },
    ])
    const former = transport?.formerShippingLabels as { replacedAt: string; shippingLabels: object[] }[]
    expect(former.map(({ replacedAt }) => replacedAt)).toEqual([
      '2026-04-15 12:00:00Z',
      '2026-04-15 12:00:00Z',
    ])
    expect(former[0]?.shippingLabels[0]).toMatchObject({
      carrierTrackingCode: before?.carrierReference,
      carrierTrackingUrl: before?.carrierTrackingUrl,
    })
    expect(former[1]?.shippingLabels).toEqual([{ ...label, carrierTrackingUrl: `${prefix}NEW-1` }])
    expect(transport?.updatedAt).toBe('2026-04-15 12:00:00Z')
  })

  test('refuses an unknown shipment, one without a transport, and nothing to do', async () => {
    const without = returns.find(({ activeTransportation }) => !activeTransportation) as Return
    const name = withTransport[0]?.name ?? ''
    const label = { carrierTrackingCode: 'X' }
    for (const [id, more, code] of [
      ['R#-NOTHING', {}, 'SH01'],
      ['P#R#HRW1', {}, 'SH01'],
      ['NOTHING', {}, 'SH01'],
      [without.name, {}, 'SH01'],
      [name, { shipmentIdType: 'CLIENT_REFERENCE' }, 'SH01'],
      [name, { shopCode: 'HARROW-UK' }, 'SH01'],
      [name, { shopCode: undefined }, 'SC01'],
      [name, { shippingLabels: [] }, 'VA01'],
      [name, { shippingLabels: [{}] }, 'VA01'],
      [name, { shipmentIdType: 'GUESS' }, 'VA01'],
    ] as const) {
      const answer = await put(id, label, more)
      expect([answer.status, ...codesOf(answer)], `${id} ${JSON.stringify(more)}`).toEqual([400, code])
    }
  })
})
