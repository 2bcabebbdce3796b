import { isDeepStrictEqual } from 'node:util'
import { type LabelSet, labelSetSchema } from '../../wire/labels.ts'
import { at, list, ownValue } from '../../wire/raw.ts'
import { SANDBOX_HEADER } from '../../wire/read.ts'
import type { Return } from '../../wire/returns.ts'
import {
  all,
  answers,
  type CheckedPlatform,
  type CheckRun,
  listAt,
  once,
  type Runs,
  requires,
} from '../check.ts'
import { Departure, each, get, must, mustFit, need, seen, toLabels } from '../expect.ts'
import { carrierOptions, item } from './label-parts.json'
import requiredFields from './required-fields.json'

const NO_SUCH = 'CONFORMANCE-NO-SUCH-SHIPMENT'

const find = (id: string | undefined, shop?: string) => async (platform: CheckedPlatform) => {
  const shopCode = shop ?? platform.options.shop ?? (await platform.any()).shopCode
  return get('/shipping_labels', { client_shipment_id: id, shopCode })
}

export const labelRequest = once(async (platform) => {
  const { shopCode, origin, destination, activeTransportation } = await platform.find(
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
    clientShipmentId: `CONF-${platform.options.runId}`,
    carrierServiceCode: activeTransportation?.carrierServiceCode,
    labelFormat: 'PDF',
    origin: party(origin),
    destination: party(destination),
    parcels: [{ clientParcelId: '1', description: 'Conformance check', weight: 500 }],
  }
})

/** @throws Departure if it is refused, Skipped without labels */
export async function newLabels(platform: CheckedPlatform, request: object): Promise<LabelSet> {
  const { body } = await platform.expect(toLabels(request), '200', 'a label request')
  return need(listAt(labelSetSchema, [body])[0], 'no label was made')
}

export const made = once(async (platform) => newLabels(platform, await labelRequest(platform)))
const labelsMade = async (platform: CheckedPlatform) => (await made(platform)).shippingLabels

const codeOf = ({ shippingLabels }: LabelSet) => shippingLabels[0]?.carrierTrackingCode

async function setsFor(platform: CheckedPlatform, id: string, shopCode: string) {
  const { body } = await platform.expect(await find(id, shopCode)(platform), '200', id)
  return listAt(labelSetSchema, body)
}

export const codesFor = async (platform: CheckedPlatform, id: string, shopCode: string) =>
  (await setsFor(platform, id, shopCode)).map(codeOf)

/** Patterns of whole documents. */
const DOCUMENTS: Readonly<Record<string, RegExp>> = {
  PDF: /^%PDF.*%%EOF/s,
  ZPL: /^\^XA.*\^XZ/s,
  PNG: /^\x89PNG.*IEND/s,
}

const documentOf = (base64: string) => Buffer.from(base64, 'base64').toString('latin1')

/** Fields of a label that rma added to the specification. */
const OUR_FIELDS = /shippingLabels\[\]\.(format|additionalTrackingCodes)/

function mustHold(
  set: LabelSet,
  { clientShipmentId, carrierServiceCode }: Pick<LabelSet, 'clientShipmentId' | 'carrierServiceCode'>,
) {
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

type Request = Awaited<ReturnType<typeof labelRequest>>

const accepted =
  (change: (request: Request) => object, look?: (set: LabelSet) => string): CheckRun =>
  async (platform) => {
    await made(platform)
    const request = await labelRequest(platform)
    const sent = { ...request, clientShipmentId: `${request.clientShipmentId}-3` }
    const set = await newLabels(platform, { ...sent, ...change(sent) })
    return look?.(set) ?? mustHold(set, sent)
  }

const added = (more: object) => accepted(() => more)

const withItems = ({ parcels }: Request) => ({
  parcels: parcels.map((parcel) => ({ ...parcel, items: [item] })),
})

const optional = ({ origin, destination, parcels }: Request) => ({
  clientShipmentName: 'Conformance',
  shipper: origin,
  origin: { ...origin, code: '1' },
  destination: { ...destination, code: '2' },
  parcels: parcels.map((parcel) => ({ ...parcel, height: 10, length: 10, width: 10 })),
})

/** Errors of a label request with an impossible postal code. */
const carrierErrors = once(async (platform) => {
  const { destination, ...request } = await labelRequest(platform)
  const address = { ...destination.address, postalCode: '?' }
  const sent = toLabels({ ...request, destination: { ...destination, address } })
  const { body } = await platform.expect(sent, '400', 'an impossible postal code')
  return list(at(body, 'errors')).flatMap((error) => {
    const inner = at(error, 'carrierErrors') ?? []
    must(Array.isArray(inner), 'carrierErrors that are no list')
    return list(inner)
  })
})

const CARRIER_ERROR_FIELDS = ['carrierName', 'carrierService', 'code', 'message']

export const LABEL_CHECKS: Runs = {
  'labels.no-id': answers(find(undefined), '400'),
  'labels.unknown-id': answers(find(NO_SUCH), '404 LB03'),
  'labels.answer': async (platform) => {
    const answer = await platform.send(await find(NO_SUCH)(platform))
    return must(answer.status < 500, seen(answer))
  },
  'labels.shop-foreign': answers(find(NO_SUCH, 'CONFORMANCE-NO-SUCH-SHOP'), '4xx'),
  'labels.create': async (platform) => mustHold(await made(platform), await labelRequest(platform)),
  'labels.get': async (platform) => {
    const set = await made(platform)
    const request = await labelRequest(platform)
    const sets = await setsFor(platform, request.clientShipmentId, request.shopCode)
    const found = sets.find((other) => codeOf(other) === codeOf(set))
    if (!found) throw new Departure(`${sets.map(codeOf).join(', ')} for ${codeOf(set)}`)
    const documents = [found, set].map(({ shippingLabels }) => shippingLabels.map(({ base64 }) => !!base64))
    must(isDeepStrictEqual(documents[0], documents[1]), `another base64 for ${codeOf(set)}`)
    return mustHold(found, request)
  },
  'labels.pdf': all(
    async (platform) => (await labelsMade(platform)).flatMap(({ base64 }) => base64 ?? []),
    'documents',
    (base64) => {
      const isWhole = Object.values(DOCUMENTS).some((pattern) => pattern.test(documentOf(base64)))
      return !isWhole && `${base64.length} characters of base64 that begin with ${base64.slice(0, 8)}`
    },
  ),
  'labels.format': all(labelsMade, 'labels', ({ format, base64 }) => {
    const fits = base64 ? ownValue(DOCUMENTS, format)?.test(documentOf(base64)) : format
    return !fits && `${format} for base64 that begins with ${base64?.slice(0, 8)}`
  }),
  'labels.twice': async (platform) => {
    const code = codeOf(await made(platform))
    const request = await labelRequest(platform)
    await newLabels(platform, request)
    const codes = await codesFor(platform, request.clientShipmentId, request.shopCode)
    return must(new Set(codes).size >= 2 && codes[0] === code, `${codes.join(', ')} for ${code}`)
  },
  'labels.zpl': accepted(
    () => ({ labelFormat: 'ZPL' }),
    ({ shippingLabels }) =>
      each(shippingLabels, 'labels', ({ format, base64 }) => {
        const isOther = format === 'ZPL' && base64 && !DOCUMENTS.ZPL?.test(documentOf(base64))
        return isOther && `ZPL in base64 that begins with ${base64.slice(0, 8)}`
      }),
  ),
  'labels.delivery': added({ shipmentType: 'DELIVERY' }),
  'labels.optional': accepted(optional),
  'labels.no-parcels': added({ parcels: undefined }),
  'labels.tags': added({ tags: ['source:conformance'] }),
  'labels.carrier-options': added({ carrierOptions }),
  'labels.items': accepted(withItems),
  'labels.old-revision': added({ customsInfo: [item] }),
  'labels.customs-info': added({ customsInfo: [item] }),
  'labels.refusal': async (platform) => {
    await made(platform)
    const isOld = platform.options.revision === '1.2.10'
    const fields = requiredFields.labels.filter((field) => !isOld || !field.includes('.items'))
    const request = await labelRequest(platform)
    const find = () => toLabels({ ...request, ...(!isOld && withItems(request)) })
    return requires(fields, find)(platform)
  },
  'labels.carrier-errors': async (platform) => {
    const { length } = await carrierErrors(platform)
    return must(length > 0, `carrierErrors: ${length}`)
  },
  'labels.carrier-errors-form': all(carrierErrors, 'carrierErrors', (error) => {
    const wrong = CARRIER_ERROR_FIELDS.find((name) => typeof at(error, name) !== 'string')
    return wrong && `${wrong} is ${JSON.stringify(at(error, wrong))}`
  }),
  'labels.label-free': async (platform) => {
    const isSandbox = (await platform.returns()).headers[SANDBOX_HEADER] !== undefined
    const request = { ...(await labelRequest(platform)), carrierServiceCode: 'SBX_LABEL_FREE' }
    const { shippingLabels } = await (isSandbox ? newLabels(platform, request) : made(platform))
    const free = shippingLabels.filter(({ isLabelFree }) => isSandbox || isLabelFree === true)
    return each(free, 'label-free shipments', ({ isLabelFree, labelFreeCode }) => {
      const { format, base64, url } = labelFreeCode ?? {}
      const isSo = isLabelFree === true && ownValue(DOCUMENTS, format) && (base64 || url)
      return !isSo && `isLabelFree ${isLabelFree}, format ${format}`
    })
  },
  'labels.parcels': accepted(
    ({ parcels: [parcel] }) => ({ parcels: [parcel, { ...parcel, clientParcelId: '2' }] }),
    ({ shippingLabels }) => {
      const codes = new Set(shippingLabels.map(({ carrierTrackingCode }) => carrierTrackingCode))
      return must(codes.size === 2, `labels ${[...codes].join(', ')} for 2 parcels`)
    },
  ),
}
