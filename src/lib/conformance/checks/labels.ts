import { type LabelSet, labelSetSchema } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import { assumed, type Check, spec, WRITES } from '../check.ts'
import { each, must, Skipped } from '../observed.ts'
import { listAt, mustFit, once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, mustHaveErrors, mustRefuse, type ProbeAnswer } from '../probe.ts'

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

const create = (world: World, body: object) => world.send({ method: 'POST', path: PATH, body })

const made = once(async (world: World): Promise<{ answer: ProbeAnswer; set: LabelSet }> => {
  const answer = await create(world, await labelRequest(world))
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
    id: 'labels.shop-foreign',
    specified: 'A shop that the token is not for is refused',
    ...spec('§4.3, §5'),
    run: async (world) => mustRefuse(await labelsOf(world, NO_SUCH, 'CONFORMANCE-NO-SUCH-SHOP')),
  },
  {
    id: 'labels.create',
    specified: 'POST /shipping_labels answers with the carrier and the labels of the shipment',
    ...spec('§4.2', WRITES),
    run: async (world) => {
      const [{ clientShipmentId, carrierServiceCode }, { set }] = [
        await labelRequest(world),
        await made(world),
      ]
      mustFit(labelSetSchema, [set], 'label sets')
      must(set.clientShipmentId === clientShipmentId, `clientShipmentId ${set.clientShipmentId}`)
      must(set.carrierServiceCode === carrierServiceCode, `carrierServiceCode ${set.carrierServiceCode}`)
      must(!!set.carrierCode, 'no carrierCode')
      must(set.shippingLabels.length > 0, 'no labels')
      return each(set.shippingLabels, 'labels', ({ carrierTrackingCode, base64, url, labelFreeCode }) =>
        carrierTrackingCode && (base64 || url || labelFreeCode)
          ? undefined
          : `a label with carrierTrackingCode ${carrierTrackingCode} and no document`,
      )
    },
  },
  {
    id: 'labels.get',
    specified: 'GET /shipping_labels then finds the same labels',
    ...spec('§4.3', WRITES),
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
      return each(documents, 'documents', (base64) => {
        const start = Buffer.from(base64, 'base64').subarray(0, 8).toString('latin1')
        return /^%PDF-|^\^XA|^\x89PNG/.test(start) ? undefined : `begins with ${JSON.stringify(start)}`
      })
    },
  },
  {
    id: 'labels.format',
    specified: 'Every label says its final format, which is that of its document',
    ...assumed('§4.2', WRITES),
    run: async (world) =>
      each((await made(world)).set.shippingLabels, 'labels', ({ format, base64 }) => {
        const start = Buffer.from(base64 ?? '', 'base64')
          .subarray(0, 4)
          .toString('latin1')
        const fits = STARTS.get(format ?? '')?.test(start) ?? false
        return fits || (start === '' && format)
          ? undefined
          : `${format ?? 'no format'} for ${JSON.stringify(start)}`
      }),
  },
  {
    id: 'labels.parcels',
    specified: 'Each parcel has a label',
    ...assumed('§4.2', WRITES),
    run: async (world) => {
      const request = await labelRequest(world)
      const [parcel] = request.parcels
      const parcels = [parcel, { ...parcel, clientParcelId: '2' }]
      const answer = await create(world, {
        ...request,
        clientShipmentId: `${request.clientShipmentId}-2`,
        parcels,
      })
      mustAnswer(answer, 200, 'two parcels')
      const [set] = listAt(labelSetSchema, [answer.body], undefined)
      const count = set?.shippingLabels.length ?? 0
      must(count === 2, `${count} labels for 2 parcels`)
      return '2 labels for 2 parcels'
    },
  },
  {
    id: 'labels.twice',
    specified: 'The same request twice makes two sets of labels, oldest first',
    ...assumed('§4.2', WRITES),
    run: async (world) => {
      const { set } = await made(world)
      mustAnswer(await create(world, await labelRequest(world)), 200, 'the same request')
      const codes = (await found(world)).map(({ shippingLabels }) => shippingLabels[0]?.carrierTrackingCode)
      const first = set.shippingLabels[0]?.carrierTrackingCode
      must(new Set(codes).size >= 2 && codes[0] === first, `${codes.join(', ')} after ${first}`)
      return codes.join(', ')
    },
  },
  {
    id: 'labels.refusal',
    specified: 'A label request without a required field is refused with 400 and errors',
    ...spec('§4.2, §7', WRITES),
    run: async (world) => {
      const { clientShipmentId, ...request } = await labelRequest(world)
      const answer = await create(world, request)
      mustAnswer(answer, 400, 'a request without clientShipmentId')
      return mustHaveErrors(answer)
    },
  },
  {
    id: 'labels.unknown-service',
    specified: 'An unknown carrier connection is refused with 400 LB01',
    ...assumed('§4.2', WRITES),
    run: async (world) => {
      const request = { ...(await labelRequest(world)), carrierServiceCode: 'CONFORMANCE_NO_SUCH_SERVICE' }
      const answer = await create(world, request)
      return mustAnswerCode(answer, 400, 'LB01')
    },
  },
  {
    id: 'labels.patch',
    specified: 'PATCH /shipping_labels is answered with 405',
    ...spec('§7', WRITES),
    run: async (world) => mustAnswer(await world.send({ method: 'PATCH', path: PATH, body: {} }), 405),
  },
]
