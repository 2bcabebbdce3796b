import { isDeepStrictEqual } from 'node:util'
import { type LabelSet, labelSetSchema } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import { all, answers, listAt, once, type Runs, type World } from '../check.ts'
import { Departure, each, get, must, mustFit, need, seen, toLabels } from '../expect.ts'

const NO_SUCH = 'CONFORMANCE-NO-SUCH-SHIPMENT'

const find = (id: string | undefined, shop?: string) => async (world: World) => {
  const shopCode = shop ?? world.options.shop ?? (await world.any()).shopCode
  return get('/shipping_labels', { client_shipment_id: id, shopCode })
}

export const labelRequest = once(async (world) => {
  const { shopCode, origin, destination, activeTransportation } = await world.find(
    'that a carrier transports from address to address',
    (record) =>
      record.activeTransportation?.carrierServiceCode &&
      record.origin?.address &&
      record.destination?.address,
  )
  const party = ({ fullName, email, phone, address }: Return['origin']) => ({
    fullName: fullName ?? 'Conformance',
    email: email ?? 'conformance@example.com',
    phone: phone ?? '+34600000000',
    address,
  })
  return {
    shopCode,
    shipmentType: 'RETURN',
    clientShipmentId: `CONF-${world.options.runId}`,
    carrierServiceCode: activeTransportation?.carrierServiceCode,
    labelFormat: 'PDF',
    origin: party(origin),
    destination: party(destination),
    parcels: [{ clientParcelId: '1', description: 'Conformance check', weight: 500 }],
  }
})

/** @throws Departure if it is refused, Skipped without labels */
export async function newLabels(world: World, request: object): Promise<LabelSet> {
  const { body } = await world.expect(toLabels(request), '200', 'a label request')
  return need(listAt(labelSetSchema, [body])[0], 'no label was made')
}

export const made = once(async (world) => newLabels(world, await labelRequest(world)))
const labelsMade = async (world: World) => (await made(world)).shippingLabels

const codeOf = ({ shippingLabels }: LabelSet) => shippingLabels[0]?.carrierTrackingCode

async function setsFor(world: World, id: string, shopCode: string) {
  const { body } = await world.expect(await find(id, shopCode)(world), '200', id)
  return listAt(labelSetSchema, body)
}

export const codesFor = async (world: World, id: string, shopCode: string) =>
  (await setsFor(world, id, shopCode)).map(codeOf)

/** Documents from their first characters to their last. */
export const DOCUMENTS: Readonly<Record<string, RegExp>> = {
  PDF: /^%PDF.*%%EOF/s,
  ZPL: /^\^XA.*\^XZ/s,
  PNG: /^\x89PNG.*IEND/s,
}

export const documentOf = (base64: string) => Buffer.from(base64, 'base64').toString('latin1')

/** Fields of a label that rma added to the specification. */
const OUR_FIELDS = /shippingLabels\[\]\.(format|additionalTrackingCodes)/

export function mustHold(
  set: LabelSet,
  { clientShipmentId, carrierServiceCode }: Pick<LabelSet, 'clientShipmentId' | 'carrierServiceCode'>,
): string {
  mustFit(labelSetSchema.required(), [set], 'label sets', { open: OUR_FIELDS })
  must(set.clientShipmentId === clientShipmentId, `clientShipmentId ${set.clientShipmentId}`)
  must(set.carrierServiceCode === carrierServiceCode, `carrierServiceCode ${set.carrierServiceCode}`)
  return each(set.shippingLabels, 'labels', (label) => {
    const { carrierTrackingCode: code, carrierTrackingUrl, base64, url, labelFreeCode } = label
    const isWhole = code && (base64 || url || labelFreeCode)
    const wrong = [carrierTrackingUrl, url].find((text) => text && !/^https?:\/\/\S/i.test(text))
    return isWhole ? wrong : `a label with carrierTrackingCode ${code} and no document`
  })
}

export const LABEL_CHECKS: Runs = {
  'labels.no-id': answers(find(undefined), '400'),
  'labels.unknown-id': answers(find(NO_SUCH), '404 LB03'),
  'labels.answer': async (world) => {
    const answer = await world.send(await find(NO_SUCH)(world))
    return must(answer.status < 500, seen(answer))
  },
  'labels.shop-foreign': answers(find(NO_SUCH, 'CONFORMANCE-NO-SUCH-SHOP'), '4xx'),
  'labels.create': async (world) => mustHold(await made(world), await labelRequest(world)),
  'labels.get': async (world) => {
    const set = await made(world)
    const request = await labelRequest(world)
    const sets = await setsFor(world, request.clientShipmentId, request.shopCode)
    const found = sets.find((other) => codeOf(other) === codeOf(set))
    if (!found) throw new Departure(`${sets.map(codeOf).join(', ')} for ${codeOf(set)}`)
    const documents = [found, set].map(({ shippingLabels }) => shippingLabels.map(({ base64 }) => !!base64))
    must(isDeepStrictEqual(documents[0], documents[1]), `another base64 for ${codeOf(set)}`)
    return mustHold(found, request)
  },
  'labels.pdf': all(
    async (world) => (await labelsMade(world)).flatMap(({ base64 }) => base64 ?? []),
    'documents',
    (base64) => {
      const isWhole = Object.values(DOCUMENTS).some((pattern) => pattern.test(documentOf(base64)))
      return !isWhole && `${base64.length} characters of base64 that begin with ${base64.slice(0, 8)}`
    },
  ),
  'labels.format': all(labelsMade, 'labels', ({ format, base64 }) => {
    const fits = base64 ? DOCUMENTS[format ?? '']?.test(documentOf(base64)) : format
    return !fits && `${format} for base64 that begins with ${base64?.slice(0, 8)}`
  }),
  'labels.twice': async (world) => {
    const code = codeOf(await made(world))
    const request = await labelRequest(world)
    await newLabels(world, request)
    const codes = await codesFor(world, request.clientShipmentId, request.shopCode)
    return must(new Set(codes).size >= 2 && codes[0] === code, `${codes.join(', ')} for ${code}`)
  },
  'labels.patch': answers({ ...toLabels({}), method: 'PATCH' }, '405'),
}
