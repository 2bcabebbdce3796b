import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type LabelSet, labelSetListSchema, labelSetSchema } from '../../../../src/lib/wire/labels.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { errorBodySchema } from '../../../../src/lib/wire/tracking.ts'
import { newFolder } from '../../../helpers/files.ts'
import { barcodesInPdf, barcodesInPng, barcodesInZpl, pdfPages } from '../../../helpers/label-readers.ts'
import { LONDON, labelRequest, oldLabelRequest, SHOP } from '../../../helpers/label-requests.ts'
import { received, testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

/** Each wait, and what a look at the shipment finds meanwhile. */
const slept: { ms: number; status: number }[] = []
const { sandbox, request, allReturns, transportsOf, listen } = await testSandbox({
  returns: 3000,
  sleep: async (ms) => void slept.push({ ms, status: (await lookUp('SLOW')).status }),
})
const folder = newFolder()

const send = (method: string, body: unknown) => request('/shipping_labels', { method, body })
const post = (changes: object = {}) => send('POST', labelRequest(changes))
const lookUp = (id: string, shop = SHOP) =>
  request(`/shipping_labels?client_shipment_id=${encodeURIComponent(id)}&shopCode=${shop}`)
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
const codesOf = (answer: { body: { errors: { code: string }[] } }) => valuesOf(answer.body.errors, 'code')

test.each([
  ['PDF', barcodesInPdf],
  ['ZPL', barcodesInZpl],
])(
  'POST /shipping_labels makes a label in %s whose barcodes are its tracking code',
  async (labelFormat, read) => {
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
      format: labelFormat,
    })
    const found = await read(bytesOf(base64))
    expect(valuesOf(found, 'format').sort()).toEqual(['Code128', 'DataMatrix'])
    for (const { text } of found) expect(text).toBe(carrierTrackingCode)
  },
)

test('POST /shipping_labels accepts both revisions, and makes one label for each parcel', async () => {
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

test('POST /shipping_labels accepts the smallest allowed request', async () => {
  const { fullName, email, address } = LONDON
  const party = { fullName, email, phone: '12345' }
  const { status, body } = await post({
    clientShipmentId: 'LEAST',
    origin: { ...party, address },
    destination: { ...party, address },
    shipper: undefined,
    parcels: undefined,
    carrierOptions: undefined,
    tags: undefined,
  })
  expect(status).toBe(200)
  expect(await pdfPages(bytesOf(body.shippingLabels[0].base64))).toHaveLength(1)
})

test('two equal requests make two sets with different tracking codes', async () => {
  const first = (await post({ clientShipmentId: 'TWICE' })).body
  const second = (await post({ clientShipmentId: 'TWICE', labelFormat: 'ZPL' })).body
  expect(first.shippingLabels[0].carrierTrackingCode).not.toBe(second.shippingLabels[0].carrierTrackingCode)
  const { status, body } = await lookUp('TWICE')
  expect(status).toBe(200)
  labelSetListSchema.parse(body)
  expect(body).toEqual([first, second])
})

test('the format names what was made, not what was requested', async () => {
  const { body } = await post({ carrierServiceCode: 'SBX_PDF_ONLY', labelFormat: 'ZPL' })
  expect(body.shippingLabels[0].format).toBe('PDF')
  expect(await pdfPages(bytesOf(body.shippingLabels[0].base64))).toHaveLength(1)
})

test('a label-free shipment has a QR code instead', async () => {
  const { body } = await post({ carrierServiceCode: 'SBX_LABEL_FREE' })
  const { carrierTrackingCode, format, isLabelFree, labelFreeCode, base64, url } = body.shippingLabels[0]
  expect([isLabelFree, format, labelFreeCode.format]).toEqual([true, 'PNG', 'PNG'])
  expect([base64, url]).toEqual([undefined, undefined])
  expect(await barcodesInPng(bytesOf(labelFreeCode.base64))).toEqual([
    { text: carrierTrackingCode, format: 'QRCode' },
  ])
})

test('a label URL has the requested origin, and needs no token', async () => {
  const { body } = await post({ clientShipmentId: 'URL', carrierServiceCode: 'SBX_URL_ONLY' })
  const { url, base64, carrierTrackingCode } = body.shippingLabels[0]
  expect(base64).toBeUndefined()
  expect(url).toMatch(/^http:\/\/sandbox\.test\/labels\/[\w-]{32}\.pdf$/)
  const answer = await sandbox.fetch(received(url))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  const bytes = new Uint8Array(answer.bytes)
  expect(valuesOf(await barcodesInPdf(bytes), 'text')).toContain(carrierTrackingCode)

  const other = url.slice(0, -5)
  for (const [method, address, status] of [
    ['HEAD', url, 200],
    ['POST', url, 405],
    ['GET', `${other}.pdf`, 404],
    ['GET', url.replace('.pdf', '.zpl'), 404],
    ['GET', url.replace('.pdf', ''), 404],
  ]) {
    expect((await sandbox.fetch(received(address, { method }))).status, `${method} ${address}`).toBe(status)
  }
})

test('through a server, the address is that of the server', async () => {
  const listener = await listen()
  const made = await fetch(`${listener.baseUrl}/shipping_labels`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${sandbox.issueToken()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(labelRequest({ carrierServiceCode: 'SBX_URL_ONLY', labelFormat: 'ZPL' })),
  })
  const { shippingLabels } = labelSetSchema.parse(await made.json())
  const url = shippingLabels[0]?.url ?? ''
  expect(new URL(url).origin).toBe(new URL(listener.baseUrl).origin)
  expect(await (await fetch(url)).text()).toMatch(/^\^XA/)
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
    const { request: ask } = await testSandbox({ returns: 1 })
    const { body } = await ask('/shipping_labels', { method: 'POST', body: labelRequest() })
    return body
  }
  expect(await make()).toEqual(await make())
})

const address = labelRequest().destination.address
test.each([
  ['not JSON', '{', 'VA01', 'body: not JSON'],
  ['no object', '[]', 'VA01', 'body'],
  [
    'every problem at once',
    labelRequest({ shipmentType: 'GIFT', clientShipmentId: ' ', labelFormat: undefined, parcels: [{}] }),
    'VA01',
    'shipmentType|clientShipmentId|labelFormat: is missing|parcels[0].clientParcelId: is missing|parcels[0].description',
  ],
  [
    'what only sense can tell',
    labelRequest({
      tags: ['a:b', 'colour'],
      parcels: [{ clientParcelId: '1', description: 'x', weight: 0 }],
      destination: { ...LONDON, address: { ...address, countryCode: 'XX' } },
    }),
    'VA01',
    'destination.address.countryCode: XX|tags[1]|parcels[0].weight',
  ],
  [
    'nothing is sent from nowhere',
    labelRequest({
      origin: { ...LONDON, address: undefined },
      destination: { ...LONDON, address: undefined },
    }),
    'VA01',
    'origin.address: is missing|destination.address: is missing',
  ],
  [
    'e-mail, phone, quantity and parcel ids',
    labelRequest({
      origin: { ...LONDON, email: 'nobody' },
      destination: { ...LONDON, phone: 'unknown' },
      shipper: { ...LONDON, phone: '1234' },
      parcels: [
        { clientParcelId: '1', description: 'x' },
        {
          clientParcelId: '1',
          description: 'y',
          items: [{ description: 'z', hsCode: '6205', quantity: 0.5, unitPrice: 1 }],
        },
      ],
    }),
    'VA01',
    'origin.email: nobody|destination.phone: unknown|shipper.phone: 1234|parcels[1].clientParcelId: 1|parcels[1].items[0].quantity',
  ],
  [
    'a quantity in the old revision',
    oldLabelRequest({ customsInfo: [{ description: 'x', hsCode: '6205', quantity: 0, unitPrice: 1 }] }),
    'VA01',
    'customsInfo[0].quantity',
  ],
  [
    'blank names and addresses',
    labelRequest({
      origin: { ...LONDON, fullName: ' ' },
      destination: { ...LONDON, address: { ...address, line1: '', city: ' ' } },
    }),
    'VA01',
    'origin.fullName: is missing|destination.address.line1: is missing|destination.address.city: is missing',
  ],
  [
    'impossible items and weights',
    labelRequest({
      parcels: [
        {
          clientParcelId: '1',
          description: 'x',
          weight: 1e12,
          items: [
            {
              description: 'z',
              hsCode: '620520',
              weight: -2,
              quantity: 1.5,
              unitPrice: -1,
              currencyCode: '??',
              originCountryCode: 'ZZZ',
            },
          ],
        },
      ],
    }),
    'VA01',
    'parcels[0].weight: must be at most 1000 kg|parcels[0].items[0].quantity: must be a whole number|parcels[0].items[0].weight|parcels[0].items[0].unitPrice|parcels[0].items[0].currencyCode: ??|parcels[0].items[0].originCountryCode: ZZZ',
  ],
  ['both revisions in one', labelRequest({ customsInfo: [] }), 'VA01', 'customsInfo'],
  ['an unknown connection', labelRequest({ carrierServiceCode: 'NONE' }), 'LB01', 'SBX_STANDARD'],
  ['a shop needed', labelRequest({ shopCode: undefined }), 'SC01', 'shopCode'],
  ['a foreign shop', labelRequest({ shopCode: 'NOWHERE' }), 'SC02', 'NOWHERE'],
  ['a carrier that refuses', labelRequest({ carrierServiceCode: 'SBX_REFUSES' }), 'LB02', 'suspended'],
  [
    'a wrong postal code',
    labelRequest({ destination: { ...LONDON, address: { ...address, postalCode: '99999' } } }),
    'LB02',
    'destination.address.postalCode: 99999',
  ],
  [
    'customs without items',
    labelRequest({ origin: LONDON, parcels: [{ clientParcelId: '1', description: 'x' }] }),
    'LB02',
    'parcels[0].items: customs needs',
  ],
  [
    'customs without an HS code, in the old revision',
    oldLabelRequest({ origin: LONDON, customsInfo: [{ description: 'x', quantity: 1, unitPrice: 1 }] }),
    'LB02',
    'customsInfo[0].hsCode',
  ],
])('POST /shipping_labels refuses %s', async (_, body, code, said) => {
  const texts = said.split('|')
  const answer = await send('POST', body)
  expect(answer.status).toBe(400)
  expect(codesOf(answer)).toEqual(texts.map(() => code))
  const { errors } = errorBodySchema.parse(answer.body)
  for (const [i, text] of texts.entries()) expect(errors?.[i]?.message).toContain(text)
  const carrier = errors?.[0]?.carrierErrors?.[0]
  expect(carrier?.carrierName).toBe(code === 'LB02' ? 'SBX' : undefined)
})

test('no refused request leaves a label', async () => {
  await post({ clientShipmentId: 'REFUSED', carrierServiceCode: 'SBX_REFUSES' })
  const answer = await lookUp('REFUSED')
  expect([answer.status, ...codesOf(answer)]).toEqual([404, 'LB03'])
})

test('GET /shipping_labels sees its own shop only, and names missing parameters', async () => {
  await post({ clientShipmentId: 'MINE' })
  expect((await lookUp('MINE')).status).toBe(200)
  expect(codesOf(await lookUp('MINE', 'HARROW-UK'))).toEqual(['LB03'])
  expect(codesOf(await lookUp('MINE', 'NOWHERE'))).toEqual(['SC02'])
  expect(codesOf(await lookUp(''))).toEqual(['VA01'])
  expect(codesOf(await request('/shipping_labels?client_shipment_id=MINE'))).toEqual(['SC01'])
  const headers = { authorization: `Bearer ${sandbox.issueToken({ shops: [SHOP] })}` }
  expect((await request('/shipping_labels?client_shipment_id=MINE', { headers })).status).toBe(200)
})

test('GET /shipping_labels refuses a parameter that is given twice', async () => {
  const { status, body } = await request(
    `/shipping_labels?client_shipment_id=A&client_shipment_id=B&shopCode=${SHOP}&shopCode=HARROW-UK`,
  )
  expect([status, valuesOf(body.errors, 'message')]).toEqual([
    400,
    ['client_shipment_id: given more than once', 'shopCode: given more than once'],
  ])
})

test('GET /shipping_labels sees labels that another connection made in the same file, after a restart too', async () => {
  const file = join(folder, 'shared.db')
  const one = await testSandbox({ file, returns: 5 })
  const two = await testSandbox({ file })
  const make = (by: typeof one, i: number) =>
    by.request('/shipping_labels', {
      method: 'POST',
      body: labelRequest({ clientShipmentId: `S${i}`, labelFormat: 'ZPL' }),
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

const returns = (await allReturns()).filter(({ shopCode }) => shopCode === SHOP)
/** The only returns of their orders, with their first transports on the way and labels that the carriers have made. */
const labelled = returns.filter(
  ({ ecommerceOrder, activeTransportation: t }) =>
    returns.filter((each) => each.ecommerceOrder.id === ecommerceOrder.id).length === 1 &&
    t?.id?.endsWith('01') &&
    t.carrierReference &&
    t.carrierLabel &&
    !/COMPLETED|FAILED|CANCELLED/.test(`${t.status}`),
)
/** One that no test has had. */
const take = () => labelled.pop() ?? expect.unreachable()
const again = async ({ id }: Return): Promise<Return> => (await request(`/returns/${id}`)).body
const active = async (record: Return) => (await again(record)).activeTransportation
const idOf = ({ name, activeTransportation }: Return) => `${name}-T${activeTransportation?.id}`
const setsOf = async (of: Return | string) =>
  valuesOf((await lookUp(typeof of === 'string' ? of : idOf(of))).body, 'shippingLabels')
const buyFor = (record: Return, more: object = {}) => post({ clientShipmentId: idOf(record), ...more })
const put = (shipmentId: string, shippingLabels: object[], more: object = {}) =>
  send('PUT', { shopCode: SHOP, shipmentId, shippingLabels, ...more })
const track = (record: Return, trackingStatus: string, more: object = {}) => {
  const body = { shopCode: SHOP, shipmentId: record.name, trackingStatus, ...more }
  return request('/shipping_trackings', { method: 'POST', body })
}

test('the original label of a demo transport is listed', async () => {
  const record = take()
  const { carrierReference, carrierTrackingUrl, carrierLabel } = record.activeTransportation ?? {}
  const own = {
    carrierTrackingCode: carrierReference,
    carrierTrackingUrl,
    format: 'PDF',
    url: carrierLabel,
  }
  expect(await transportsOf(record)).toMatchObject([{ shippingLabels: [own], formerShippingLabels: [] }])
  await put(record.name, [{ ...own, carrierTrackingCode: 'OTHER' }])
  await put(record.name, [own])
  expect(await transportsOf(record)).toMatchObject([{ shippingLabels: [own] }])
})

test.each([
  ['the id of the transport', idOf],
  ['its client reference', ({ activeTransportation }: Return) => `${activeTransportation?.clientReference}`],
])('a transport shows the label made under %s', async (_, clientShipmentIdOf) => {
  const record = take()
  const { body } = await post({ clientShipmentId: clientShipmentIdOf(record) })
  const [label] = body.shippingLabels
  const after = await again(record)
  expect(after.activeTransportation).toEqual({
    ...record.activeTransportation,
    carrierCode: body.carrierCode,
    carrierReference: label.carrierTrackingCode,
    carrierTrackingUrl: label.carrierTrackingUrl,
    carrierLabel: label.url,
  })
  expect(after.updatedAt).toBe('2026-04-15 12:00:00Z')
  const served = await sandbox.fetch(received(label.url))
  expect(served.bytes.toString('base64')).toBe(label.base64)
  for (const id of [idOf(record), `${record.activeTransportation?.clientReference}`]) {
    const answer = await lookUp(id)
    labelSetListSchema.parse(answer.body)
    expect(valuesOf(answer.body, 'clientShipmentId')).toEqual([id, id])
    expect(answer.body[1]).toEqual({ ...body, clientShipmentId: id })
    const [[own]] = await setsOf(id)
    expect(own.carrierTrackingCode).toBe(record.activeTransportation?.carrierReference)
  }
  const [transport] = await transportsOf(record)
  expect(transport?.formerShippingLabels?.map(({ shippingLabels }) => shippingLabels?.[0]?.url)).toEqual([
    record.activeTransportation?.carrierLabel,
  ])
})

test('only the newest 100 former labels are kept', async () => {
  const record = take()
  for (let i = 0; i < 120; i++) await put(record.name, [{ carrierTrackingCode: `C-${i}` }])
  const [transport] = await transportsOf(record)
  const codes = transport?.formerShippingLabels?.map((each) => each.shippingLabels?.[0]?.carrierTrackingCode)
  expect([codes?.length, codes?.[0], codes?.at(-1)]).toEqual([100, 'C-19', 'C-118'])
})

test('a bought label stays under both ids after many updates', async () => {
  const record = take()
  const { body } = await buyFor(record)
  for (let i = 0; i < 120; i++) await put(record.name, [{ carrierTrackingCode: `C-${i}` }])
  for (const id of [idOf(record), `${record.activeTransportation?.clientReference}`]) {
    const codes = (await setsOf(id)).map(
      (labels: LabelSet['shippingLabels']) => labels[0]?.carrierTrackingCode,
    )
    expect(codes).toContain(body.shippingLabels[0].carrierTrackingCode)
    expect(codes.at(-1)).toBe('C-119')
  }
})

test('a label bought under an ended transport is kept, and the transport stays as it is', async () => {
  const record = take()
  await track(record, 'SHIPPING_COMPLETED')
  const ended = await active(record)
  const [id, reference] = [idOf(record), `${record.activeTransportation?.clientReference}`]
  const bought: unknown[] = []
  for (const clientShipmentId of [id, reference, id])
    bought.push((await post({ clientShipmentId })).body.shippingLabels)
  expect(await active(record)).toEqual(ended)
  for (const either of [id, reference]) expect((await setsOf(either)).slice(-3)).toEqual(bought)
})

test("a number of a label bought under an ended transport's id never moves its replacement", async () => {
  const record = take()
  await track(record, 'SHIPPING_FAILED', { trackingDate: '2026-04-15T10:00:00Z' })
  const { body: bought } = await buyFor(record)
  const before = await again(record)
  const trackingNumber = bought.shippingLabels[0].carrierTrackingCode
  const { status, body } = await track(record, 'SHIPPING_COMPLETED', { trackingNumber })
  expect([status, valuesOf(body.errors, 'code')]).toEqual([400, ['TR02']])
  expect(await again(record)).toEqual(before)
})

test('label sets stay in order of purchase, after the end of the transport too', async () => {
  const record = take()
  const later = `${record.activeTransportation?.clientReference}-2`
  const codes: unknown[] = []
  const buy = async (clientShipmentId: string) =>
    codes.push((await post({ clientShipmentId })).body.shippingLabels[0].carrierTrackingCode)
  await buy(later)
  await track(record, 'SHIPPING_FAILED', { trackingDate: '2026-04-15T10:00:00Z' })
  const id = idOf(await again(record))
  await buy(id)
  const listed = async () =>
    (await setsOf(later)).map(([label]: LabelSet['shippingLabels']) => label?.carrierTrackingCode)
  expect(await listed()).toEqual(codes)
  await track(record, 'SHIPPING_COMPLETED')
  await buy(id)
  expect(await listed()).toEqual(codes)
})

test.each(['javascript:alert(1)', 'labels/1.pdf', 'ftp://labels.example.com/1.pdf'])(
  'an update refuses %s as the address of a label or of its tracking',
  async (address) => {
    const record = take()
    const { status, body } = await put(record.name, [{ url: address, carrierTrackingUrl: address }])
    expect(status).toBe(400)
    expect(valuesOf(body.errors, 'message').sort()).toEqual([
      'shippingLabels[0].carrierTrackingUrl: is not a web address',
      'shippingLabels[0].url: is not a web address',
    ])
  },
)

test("the label of a demo transport is a document with the transport's code", async () => {
  const record = take()
  const { carrierReference, carrierTrackingUrl, carrierLabel } = record.activeTransportation ?? {}
  const sets = await setsOf(record)
  expect(sets).toEqual([
    [
      {
        carrierTrackingCode: carrierReference,
        carrierTrackingUrl,
        isLabelFree: false,
        format: 'PDF',
        url: carrierLabel,
        base64: expect.any(String),
      },
    ],
  ])
  const found = await barcodesInPdf(bytesOf(sets[0][0].base64))
  expect(valuesOf(found, 'text')).toContain(carrierReference)
  expect(await setsOf(`${record.activeTransportation?.clientReference}`)).toEqual(sets)
})

test('a transport shows the label of each parcel, or the code of a label-free one', async () => {
  const record = take()
  const parcel = { clientParcelId: '1', description: 'Shoes' }
  const parcels = [parcel, { ...parcel, clientParcelId: '2' }]
  const changes = { carrierServiceCode: 'SBX_LABEL_FREE', parcels }
  const { shippingLabels } = (await buyFor(record, changes)).body
  expect((await active(record))?.carrierReference).toBe(shippingLabels[0].carrierTrackingCode)
  const [first, second] = (await setsOf(record)).at(-1)
  expect([first, second]).toEqual(shippingLabels)
  expect([second.format, second.url, second.base64]).toEqual(['PNG', undefined, undefined])
  const served = await sandbox.fetch(received(second.labelFreeCode.url))
  expect(served.headers.get('content-type')).toBe('image/png')
})

test('a PDF registered after a label-free purchase has to be printed', async () => {
  const record = take()
  await buyFor(record, { carrierServiceCode: 'SBX_LABEL_FREE' })
  const label = { carrierTrackingCode: 'NEW1', format: 'PDF', url: 'https://labels.example.com/x.pdf' }
  await put(record.name, [label])
  expect((await setsOf(record)).at(-1)).toEqual([{ ...label, isLabelFree: false }])
})

test('a transport does not show the label of another return or of its predecessor', async () => {
  const record = take()
  await track(record, 'SHIPPING_FAILED', { trackingNumber: 'LOST' })
  const after = await again(record)
  expect(after.activeTransportation?.carrierLabel).toBeUndefined()
  expect(after.activeTransportation?.clientReference).toBe(
    `${record.activeTransportation?.clientReference}-2`,
  )
  expect((await lookUp(idOf(after))).status).toBe(404)
  const { body } = await buyFor(after)
  const [former, transport] = await transportsOf(record)
  expect(former?.carrierReference).toBe('LOST')
  expect(transport?.carrierReference).toBe(body.shippingLabels[0].carrierTrackingCode)
  expect(await setsOf(`${after.activeTransportation?.clientReference}`)).toEqual([body.shippingLabels])
})

test.each([
  ['another name', (record: Return) => `R#-0-T${record.activeTransportation?.id}`],
  ['another transport', (record: Return) => `${record.name}-T${record.activeTransportation?.id}1`],
  ['the name of the return', ({ name }: Return) => name],
])('a transport does not show a label made under %s', async (_, clientShipmentIdOf) => {
  const record = take()
  const { body } = await post({ clientShipmentId: clientShipmentIdOf(record) })
  expect(body.shippingLabels[0].url).toBeUndefined()
  expect(await again(record)).toEqual(record)
})

test('a transport does not show a label of another shop', async () => {
  const record = take()
  const shopCode = 'HARROW-UK'
  expect((await buyFor(record, { shopCode })).status).toBe(200)
  expect(await again(record)).toEqual(record)
})

test.each([
  ['RETURN_NAME', ({ name }: Return) => name],
  ['CLIENT_REFERENCE', (record: Return) => record.activeTransportation?.clientReference ?? ''],
  ['MERCHANT_RETURN_NAME', (record: Return) => record.merchantReturnName ?? ''],
])('PUT /shipping_labels accepts %s, by its name or by its form', async (shipmentIdType, shipmentIdOf) => {
  const record = take()
  for (const [i, more] of [{ shipmentIdType }, {}].entries()) {
    const carrierTrackingCode = `${shipmentIdType}-${i}`
    const { status, body } = await put(shipmentIdOf(record), [{ carrierTrackingCode }], more)
    expect(status).toBe(200)
    expect(body).toEqual({ statusCode: 'OK', description: expect.stringContaining(record.name) })
    const { activeTransportation, updatedAt } = await again(record)
    expect(activeTransportation?.carrierReference).toBe(carrierTrackingCode)
    expect(updatedAt).toBe('2026-04-15 12:00:00Z')
  }
})

test('PUT /shipping_labels with an empty field clears it; PUT with no field set leaves no label', async () => {
  const record = take()
  const label = { carrierTrackingCode: 'NEW', format: 'ZPL', url: 'https://labels.example.com/new.zpl' }
  const registered = async () => (await transportsOf(record)).at(-1)?.shippingLabels
  await put(record.name, [{ ...label, additionalTrackingCodes: ['MORE'] }])
  await put(record.name, [{ ...label, additionalTrackingCodes: [], format: '' }])
  expect(await registered()).toEqual([{ carrierTrackingCode: label.carrierTrackingCode, url: label.url }])
  await put(record.name, [{ carrierTrackingCode: '', url: '' }])
  expect(await registered()).toEqual([])
  expect(await active(record)).not.toHaveProperty('carrierReference')
  expect((await put(record.name, [{ carrierTrackingCode: null }])).status).toBe(400)
})

test('PUT /shipping_labels takes a blank code for an absent one', async () => {
  const record = take()
  await put(record.name, [{ carrierTrackingCode: 'NEW' }])
  const blank = { carrierTrackingCode: ' ', additionalTrackingCodes: ['', ' '], carrierTrackingUrl: null }
  await put(record.name, [{ ...blank, url: 'https://labels.example.com/new.pdf' }])
  expect((await transportsOf(record)).at(-1)?.shippingLabels).toEqual([
    { format: 'PDF', url: 'https://labels.example.com/new.pdf' },
  ])
  expect(await active(record)).not.toHaveProperty('carrierReference')
})

test('PUT /shipping_labels replaces all labels, keeps the former ones, and makes the newest set', async () => {
  const record = take()
  const before = record.activeTransportation
  const label = {
    carrierTrackingCode: 'NEW-1',
    additionalTrackingCodes: ['NEW-2'],
    format: 'ZPL',
    url: 'https://labels.example.com/new.zpl',
  }
  const other = {
    carrierTrackingCode: 'NEW-3',
    carrierTrackingUrl: 'https://track.example.com/3',
    format: 'PDF',
  }
  await put(record.name, [label, other])
  const { carrierTrackingUrl: _, ...kept } = { ...before }
  expect(await active(record)).toEqual({
    ...kept,
    carrierReference: 'NEW-1',
    carrierLabel: label.url,
  })
  await put(record.name, [
    { carrierTrackingUrl: 'https://track.example.com/mine', url: 'https://x.example/1.png' },
  ])
  const [transport] = await transportsOf(record)
  expect([transport?.carrierReference, transport?.carrierTrackingUrl]).toEqual([
    undefined,
    'https://track.example.com/mine',
  ])
  const last = {
    carrierTrackingUrl: 'https://track.example.com/mine',
    format: 'PNG',
    url: 'https://x.example/1.png',
  }
  expect(transport?.shippingLabels).toEqual([last])
  expect(transport?.formerShippingLabels).toEqual([
    {
      replacedAt: '2026-04-15 12:00:00Z',
      shippingLabels: [
        {
          carrierTrackingCode: before?.carrierReference,
          carrierTrackingUrl: before?.carrierTrackingUrl,
          format: 'PDF',
          url: before?.carrierLabel,
        },
      ],
    },
    { replacedAt: '2026-04-15 12:00:00Z', shippingLabels: [label, other] },
  ])
  const [own, ...registered] = await setsOf(record)
  expect(own[0].base64).toEqual(expect.any(String))
  expect(registered).toEqual([
    [
      { ...label, isLabelFree: false },
      { ...other, isLabelFree: false },
    ],
    [{ ...last, isLabelFree: false }],
  ])
})

test('the carrier’s own label is sent with other codes, too, as long as its address stays', async () => {
  const record = take()
  const [[before]] = await setsOf(record)
  const { url } = before
  await put(record.name, [{ carrierTrackingCode: 'OTHER', url }])
  await put(record.name, [{ carrierTrackingCode: 'ANOTHER', url: 'https://x.example/1.pdf' }])
  await put(record.name, [{ carrierTrackingCode: 'LAST', url }])
  const sent = (await setsOf(record)).map((labels: { carrierTrackingCode: string; base64?: string }[]) => [
    labels[0]?.carrierTrackingCode,
    labels[0]?.base64,
  ])
  expect(sent.slice(1)).toEqual([
    ['OTHER', before.base64],
    ['ANOTHER', undefined],
    ['LAST', before.base64],
  ])
})

test('PUT /shipping_labels of the present labels changes nothing; PUT of former ones makes them the newest set again', async () => {
  const record = take()
  const made = (await buyFor(record)).body.shippingLabels
  const values = made.map(
    ({ base64: _, isLabelFree: __, ...label }: { base64: string; isLabelFree: boolean }) => label,
  )
  const before = [await again(record), await transportsOf(record), await setsOf(record)]
  const same = await put(
    record.name,
    values.map((label: object) => ({ ...label, additionalTrackingCodes: [] })),
  )
  expect([same.status, same.body.statusCode]).toEqual([200, 'DUPLICATE'])
  expect([await again(record), await transportsOf(record), await setsOf(record)]).toEqual(before)
  await put(record.name, [{ ...values[0], carrierTrackingCode: 'OTHER' }])
  expect((await put(record.name, values)).body.statusCode).toBe('OK')
  const sets = await setsOf(record)
  expect(sets).toHaveLength(4)
  expect(sets.at(-1)).toEqual([{ ...values[0], isLabelFree: false }])
  expect(await active(record)).toEqual((before[0] as Return).activeTransportation)
})

test('a list that was emptied or has no format is the newest set', async () => {
  const record = take()
  await put(record.name, [{ carrierTrackingCode: 'WRONG', url: 'https://x.example/1.pdf' }])
  await put(record.name, [{ carrierTrackingCode: '' }])
  expect((await setsOf(record)).at(-1)).toEqual([])
  await put(record.name, [{ carrierTrackingCode: 'P8', format: '', url: 'https://x.example/a.zpl' }])
  expect((await setsOf(record)).slice(2)).toMatchObject([[{ carrierTrackingCode: 'P8' }]])
})

test('a scan leaves the labels that were bought as they are', async () => {
  const record = take()
  const parcels = ['1', '2'].map((clientParcelId) => ({ clientParcelId, description: 'Shoes' }))
  const { shippingLabels } = (await buyFor(record, { parcels })).body
  const [one, other] = shippingLabels
  const bought = { sets: await setsOf(record), shown: (await transportsOf(record)).at(-1) }
  await track(record, 'SHIPPING_IN_PROGRESS', { trackingNumber: other.carrierTrackingCode })
  expect(await active(record)).toMatchObject({
    carrierReference: other.carrierTrackingCode,
    carrierTrackingUrl: other.carrierTrackingUrl,
  })
  await track(record, 'SHIPPING_IN_PROGRESS', {
    trackingNumber: one.carrierTrackingCode,
    trackingUrl: 'https://t.example/1',
  })
  expect(await active(record)).toMatchObject({
    carrierReference: one.carrierTrackingCode,
    carrierTrackingUrl: 'https://t.example/1',
  })
  expect(await setsOf(record)).toEqual(bought.sets)
  const { shippingLabels: shown, formerShippingLabels: former } = bought.shown ?? {}
  expect(await transportsOf(record)).toMatchObject([{ shippingLabels: shown, formerShippingLabels: former }])
  // An update of the label alone leaves what the scan said.
  await put(record.name, [{ ...shown?.[0], url: 'https://x.example/1.pdf' }, { ...shown?.[1] }])
  expect(await active(record)).toMatchObject({ carrierTrackingUrl: 'https://t.example/1' })
})

test('a scan of a number that no label has registers a further set', async () => {
  const record = take()
  await buyFor(record)
  const before = await setsOf(record)
  await track(record, 'SHIPPING_IN_PROGRESS', { trackingNumber: 'OTHER9' })
  expect((await active(record))?.carrierReference).toBe('OTHER9')
  const after = await setsOf(record)
  expect(after.slice(0, -1)).toEqual(before)
  expect(after.at(-1)).toMatchObject([{ carrierTrackingCode: 'OTHER9', url: before.at(-1)[0].url }])
})

test('a scan of an additional code becomes the number of the transport and leaves the labels', async () => {
  const record = take()
  const labels = [
    { carrierTrackingCode: 'Z1', additionalTrackingCodes: ['Z1-B'] },
    { carrierTrackingCode: 'Z2' },
  ]
  await put(record.name, labels)
  for (const trackingNumber of ['Z2', 'Z1-B']) {
    await track(record, 'SHIPPING_IN_PROGRESS', { trackingNumber })
    expect(await transportsOf(record)).toMatchObject([
      { carrierReference: trackingNumber, shippingLabels: labels },
    ])
  }
})

test('PUT /shipping_labels after a scan makes the first label set; the scan does not count', async () => {
  const record = take()
  await track(record, 'SHIPPING_FAILED', { trackingDate: '2026-04-15T10:00:00Z' })
  await track(record, 'SHIPPING_IN_PROGRESS', { trackingNumber: 'SCANNED' })
  await put(record.name, [{ carrierTrackingCode: 'NEW', format: 'ZPL' }])
  const sets = await setsOf(await again(record))
  expect(sets).toMatchObject([[{ carrierTrackingCode: 'NEW' }]])
})

test('PUT /shipping_labels never changes a transport that has ended', async () => {
  const record = take()
  await track(record, 'SHIPPING_FAILED', { trackingNumber: 'LOST' })
  const reference = `${record.activeTransportation?.clientReference}`
  const label = [{ carrierTrackingCode: 'MINE' }]
  const refused = await put(reference, label)
  expect([refused.status, ...codesOf(refused)]).toEqual([400, 'SH01'])
  expect(refused.body.errors[0].message).toContain(`${record.activeTransportation?.id} ended SHIPPING_FAILED`)
  expect((await put(record.name, label)).status).toBe(200)
  const [former, active] = await transportsOf(record)
  expect([former?.carrierReference, active?.carrierReference]).toEqual(['LOST', 'MINE'])
  await track(record, 'SHIPPING_COMPLETED', { trackingNumber: 'MINE' })
  const ended = await put(record.name, [{ carrierTrackingCode: 'LATE' }])
  expect([ended.status, ...codesOf(ended)]).toEqual([400, 'SH01'])
  expect(ended.body.errors[0].message).toContain(`${active?.id} ended SHIPPING_COMPLETED`)
  expect((await transportsOf(record))[1]?.carrierReference).toBe('MINE')
})

test('PUT /shipping_labels refuses an unknown shipment, one without a transport, and an empty label', async () => {
  const without = returns.find(({ activeTransportation }) => !activeTransportation) as Return
  const { name } = take()
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
    [name, { shippingLabels: [{ ...label, format: 'EPL' }] }, 'VA01'],
    [name, { shipmentIdType: 'GUESS' }, 'VA01'],
  ] as const) {
    const answer = await put(id, [label], more)
    expect([answer.status, ...codesOf(answer)], `${id} ${JSON.stringify(more)}`).toEqual([400, code])
  }
})
