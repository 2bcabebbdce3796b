import { type LabelSet, labelSetSchema } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, spec, WRITES } from '../check.ts'
import { each, must, Skipped } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, mustRefuse, type ProbeAnswer, seen } from '../probe.ts'

const PATH = '/shipping_labels'
const NO_SUCH = 'CONFORMANCE-NO-SUCH-SHIPMENT'

async function shopOf(world: World): Promise<string | undefined> {
  return world.shop ?? (await world.sample())[0]?.shopCode
}

async function labelsOf(world: World, id: string | undefined, shopCode?: string): Promise<ProbeAnswer> {
  const query = { client_shipment_id: id, shopCode: shopCode ?? (await shopOf(world)) }
  return world.send({ method: 'GET', path: PATH, query })
}

export const labelRequest = once(async (world: World) => {
  const record = await world.find(
    'that a carrier transports from address to address',
    ({ activeTransportation, origin, destination }) =>
      !!activeTransportation?.carrierServiceCode && !!origin?.address && !!destination?.address,
  )
  const party = ({ fullName, email, phone, address }: Return['origin']) => ({
    fullName: fullName ?? 'Conformance',
    email: email ?? 'conformance@example.com',
    phone: phone ?? '+34600000000',
    address,
  })
  return {
    shopCode: record.shopCode,
    shipmentType: 'RETURN',
    clientShipmentId: `CONF-${world.runId}`,
    carrierServiceCode: record.activeTransportation?.carrierServiceCode,
    labelFormat: 'PDF',
    origin: party(record.origin),
    destination: party(record.destination),
    parcels: [{ clientParcelId: '1', description: 'Conformance check', weight: 500 }],
  }
})

export const requestLabels = (world: World, body: object) => world.send({ method: 'POST', path: PATH, body })

export const made = once(async (world: World): Promise<{ answer: ProbeAnswer; set: LabelSet }> => {
  const answer = await requestLabels(world, await labelRequest(world))
  mustAnswer(answer, 200, 'a label request')
  const [set] = listAt(labelSetSchema, [answer.body], undefined)
  if (set === undefined) throw new Skipped('no label was made')
  return { answer, set }
})

async function found(world: World): Promise<LabelSet[]> {
  const { clientShipmentId, shopCode } = await labelRequest(world)
  await made(world)
  const answer = await labelsOf(world, clientShipmentId, shopCode)
  mustAnswer(answer, 200, clientShipmentId)
  return listAt(labelSetSchema, answer.body, undefined)
}

const STARTS = new Map([
  ['PDF', /^%PDF/],
  ['ZPL', /^\^XA/],
  ['PNG', /^\x89PNG/],
])

/** First characters of a document. */
export const startOf = (base64: string) => Buffer.from(base64, 'base64').subarray(0, 5).toString('latin1')

/** Fields of a label that are our additions to the specification. */
const OUR_FIELDS = /shippingLabels\[\]\.(format|additionalTrackingCodes)/

/** @throws Departure unless the answer has the carrier and the labels of the shipment asked for (spec §2.6, §4.2) */
export function mustHold(
  set: LabelSet,
  asked: { clientShipmentId: string; carrierServiceCode?: unknown },
): string {
  mustFit(labelSetSchema, [set], 'label sets', { open: OUR_FIELDS })
  for (const name of ['clientShipmentId', 'carrierServiceCode'] as const)
    must(set[name] === asked[name], `${name} ${set[name]}`)
  must(!!set.carrierCode && !!set.carrierExternalCode, 'no carrierCode or carrierExternalCode')
  return each(set.shippingLabels, 'labels', ({ carrierTrackingCode, base64, url, labelFreeCode }) =>
    carrierTrackingCode && (base64 || url || labelFreeCode)
      ? undefined
      : `a label with carrierTrackingCode ${carrierTrackingCode} and no document`,
  )
}

/** Spec §4.2-4.4; making and updating only with `--write`. */
export const LABEL_CHECKS: readonly Check[] = [
  {
    id: 'labels.no-id',
    specified: 'GET /shipping_labels without client_shipment_id is refused with 400',
    ...assumed('§4.3'),
    run: async (world) => mustAnswer(await labelsOf(world, undefined), 400),
  },
  {
    id: 'labels.unknown-id',
    specified: 'A shipment without labels is answered with 404 LB03',
    ...assumed('§4.3'),
    run: async (world) => mustAnswerCode(await labelsOf(world, NO_SUCH), 404, 'LB03'),
  },
  {
    id: 'labels.answer',
    specified: 'GET /shipping_labels answers, whether there are labels or not',
    ...spec('§4.3'),
    run: async (world) => {
      const answer = await labelsOf(world, NO_SUCH)
      return answer.status < 300 ? seen(answer) : mustRefuse(answer)
    },
  },
  {
    id: 'labels.shop-foreign',
    specified: 'A shop that the token is not for is refused',
    ...spec('§4.3, §5'),
    run: async (world) => mustRefuse(await labelsOf(world, NO_SUCH, 'CONFORMANCE-NO-SUCH-SHOP')),
  },
  {
    id: 'labels.create',
    specified: 'POST /shipping_labels answers with the carrier and the labels of the shipment',
    ...spec('§4.2', { ...WRITES, shows: 'POST /shipping_labels' }),
    run: async (world) => mustHold((await made(world)).set, await labelRequest(world)),
  },
  {
    id: 'labels.get',
    specified: 'GET /shipping_labels then finds the same labels',
    ...spec('§4.3', { ...WRITES, shows: 'GET /shipping_labels' }),
    run: async (world) => {
      const [sets, { set }] = [await found(world), await made(world)]
      const code = set.shippingLabels[0]?.carrierTrackingCode
      must(
        sets.some(({ shippingLabels }) => shippingLabels[0]?.carrierTrackingCode === code),
        `${code} is not in the ${sets.length} sets`,
      )
      return `${sets.length} set with ${code}`
    },
  },
  {
    id: 'labels.pdf',
    specified: 'The base64 of a label asked for as PDF is a PDF, or what the carrier can',
    ...spec('§2.6, §4.2', WRITES),
    run: async (world) => {
      const documents = (await made(world)).set.shippingLabels.flatMap(({ base64 }) => base64 ?? [])
      return each(documents, 'documents', (base64) =>
        [...STARTS.values()].some((start) => start.test(startOf(base64)))
          ? undefined
          : `begins with ${JSON.stringify(startOf(base64))}`,
      )
    },
  },
  {
    id: 'labels.format',
    specified: 'Every label says its final format, which is that of its document',
    ...assumed('§4.2', WRITES),
    run: async (world) =>
      each((await made(world)).set.shippingLabels, 'labels', ({ format, base64 }) => {
        const start = startOf(base64 ?? '')
        const fits = start === '' ? !!format : STARTS.get(format ?? '')?.test(start)
        return fits ? undefined : `${format ?? 'no format'} for ${JSON.stringify(start)}`
      }),
  },
  {
    id: 'labels.parcels',
    specified: 'Each parcel has a label with a code of its own',
    ...assumed('§4.2', WRITES),
    run: async (world) => {
      const request = await labelRequest(world)
      const [parcel] = request.parcels
      const parcels = [parcel, { ...parcel, clientParcelId: '2' }]
      const answer = await requestLabels(world, {
        ...request,
        clientShipmentId: `${request.clientShipmentId}-2`,
        parcels,
      })
      mustAnswer(answer, 200, 'two parcels')
      const [set] = listAt(labelSetSchema, [answer.body], undefined)
      const codes = new Set(set?.shippingLabels.map(({ carrierTrackingCode }) => carrierTrackingCode))
      must(codes.size === 2, `labels ${[...codes].join(', ')} for 2 parcels`)
      return '2 labels for 2 parcels'
    },
  },
  {
    id: 'labels.twice',
    specified: 'The same request twice makes two sets of labels, oldest first',
    ...assumed('§4.2', WRITES),
    run: async (world) => {
      const { set } = await made(world)
      mustAnswer(await requestLabels(world, await labelRequest(world)), 200, 'the same request')
      const codes = (await found(world)).map(({ shippingLabels }) => shippingLabels[0]?.carrierTrackingCode)
      const first = set.shippingLabels[0]?.carrierTrackingCode
      must(new Set(codes).size >= 2 && codes[0] === first, `${codes.join(', ')} after ${first}`)
      return codes.join(', ')
    },
  },
  {
    id: 'labels.patch',
    specified: 'PATCH /shipping_labels is answered with 405',
    ...spec('§7', WRITES),
    run: async (world) => mustAnswer(await world.send({ method: 'PATCH', path: PATH, body: {} }), 405),
  },
]
