import { type LabelSet, labelSetSchema } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec, writing } from '../check.ts'
import { each, must, need } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, mustRefuse, type ProbeAnswer, seen } from '../probe.ts'

const PATH = '/shipping_labels'
const NO_SUCH = 'CONFORMANCE-NO-SUCH-SHIPMENT'

async function labelsOf(world: World, id: string | undefined, shop?: string): Promise<ProbeAnswer> {
  const query = { client_shipment_id: id, shopCode: shop ?? world.shop ?? (await world.any()).shopCode }
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

/** The labels of an accepted request. @throws Departure if it is refused, Skipped without labels */
export async function newLabels(world: World, request: object): Promise<LabelSet> {
  const answer = await requestLabels(world, request)
  mustAnswer(answer, 200, 'a label request')
  return need(listAt(labelSetSchema, [answer.body], undefined)[0], 'no label was made')
}

export const made = once(async (world: World) => newLabels(world, await labelRequest(world)))

/** The first code of each set, oldest first. */
export async function codesFor(world: World, id: string, shopCode: string) {
  const answer = await labelsOf(world, id, shopCode)
  mustAnswer(answer, 200, id)
  const sets = listAt(labelSetSchema, answer.body, undefined)
  return sets.map(({ shippingLabels }) => shippingLabels[0]?.carrierTrackingCode)
}

/** Codes found for the shipment of the label made, with the code of that label. */
async function found(world: World) {
  const { clientShipmentId, shopCode } = await labelRequest(world)
  const set = await made(world)
  const codes = await codesFor(world, clientShipmentId, shopCode)
  return { codes, code: set.shippingLabels[0]?.carrierTrackingCode }
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
  mustFit(labelSetSchema.required(), [set], 'label sets', { open: OUR_FIELDS })
  for (const name of ['clientShipmentId', 'carrierServiceCode'] as const)
    must(set[name] === asked[name], `${name} ${set[name]}`)
  return each(set.shippingLabels, 'labels', ({ carrierTrackingCode, base64, url, labelFreeCode }) =>
    carrierTrackingCode && (base64 || url || labelFreeCode)
      ? undefined
      : `a label with carrierTrackingCode ${carrierTrackingCode} and no document`,
  )
}

/** Spec §4.2-4.4; making and updating only with `--write`. */
export const LABEL_CHECKS: readonly Check[] = [
  assumed(
    'labels.no-id',
    '§4.3',
    'GET /shipping_labels without client_shipment_id is refused with 400',
    async (world) => mustAnswer(await labelsOf(world, undefined), 400),
  ),
  assumed('labels.unknown-id', '§4.3', 'A shipment without labels is answered with 404 LB03', async (world) =>
    mustAnswerCode(await labelsOf(world, NO_SUCH), 404, 'LB03'),
  ),
  spec(
    'labels.answer',
    '§4.3',
    'GET /shipping_labels answers, whether there are labels or not',
    async (world) => {
      const answer = await labelsOf(world, NO_SUCH)
      return must(answer.status < 500, seen(answer))
    },
  ),
  spec('labels.shop-foreign', '§4.3, §5', 'A shop that the token is not for is refused', async (world) =>
    mustRefuse(await labelsOf(world, NO_SUCH, 'CONFORMANCE-NO-SUCH-SHOP')),
  ),
  ...writing(
    operation(
      spec(
        'labels.create',
        '§4.2',
        'POST /shipping_labels answers with the carrier and the labels of the shipment',
        async (world) => mustHold(await made(world), await labelRequest(world)),
      ),
    ),
    operation(
      spec('labels.get', '§4.3', 'GET /shipping_labels then finds the same labels', async (world) => {
        const { codes, code } = await found(world)
        return must(codes.includes(code), `${code} in the sets ${codes.join(', ')}`)
      }),
    ),
    spec(
      'labels.pdf',
      '§2.6, §4.2',
      'The base64 of a label asked for as PDF is a PDF, or what the carrier can',
      async (world) => {
        const documents = (await made(world)).shippingLabels.flatMap(({ base64 }) => base64 ?? [])
        return each(documents, 'documents', (base64) =>
          [...STARTS.values()].some((start) => start.test(startOf(base64)))
            ? undefined
            : `begins with ${JSON.stringify(startOf(base64))}`,
        )
      },
    ),
    assumed(
      'labels.format',
      '§4.2',
      'Every label says its final format, which is that of its document',
      async (world) =>
        each((await made(world)).shippingLabels, 'labels', ({ format, base64 }) => {
          const start = startOf(base64 ?? '')
          const fits = start === '' ? !!format : STARTS.get(format ?? '')?.test(start)
          return fits ? undefined : `${format ?? 'no format'} for ${JSON.stringify(start)}`
        }),
    ),
    assumed('labels.parcels', '§4.2', 'Each parcel has a label with a code of its own', async (world) => {
      const request = await labelRequest(world)
      const [parcel] = request.parcels
      const parcels = [parcel, { ...parcel, clientParcelId: '2' }]
      const clientShipmentId = `${request.clientShipmentId}-2`
      const { shippingLabels } = await newLabels(world, { ...request, clientShipmentId, parcels })
      const codes = new Set(shippingLabels.map(({ carrierTrackingCode }) => carrierTrackingCode))
      return must(codes.size === 2, `labels ${[...codes].join(', ')} for 2 parcels`)
    }),
    assumed(
      'labels.twice',
      '§4.2',
      'The same request twice makes two sets of labels, oldest first',
      async (world) => {
        await made(world)
        mustAnswer(await requestLabels(world, await labelRequest(world)), 200, 'the same request')
        const { codes, code } = await found(world)
        return must(new Set(codes).size >= 2 && codes[0] === code, `${codes.join(', ')} after ${code}`)
      },
    ),
    spec('labels.patch', '§7', 'PATCH /shipping_labels is answered with 405', async (world) =>
      mustAnswer(await world.send({ method: 'PATCH', path: PATH, body: {} }), 405),
    ),
  ),
]
