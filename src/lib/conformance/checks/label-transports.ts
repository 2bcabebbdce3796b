import { labelSetSchema } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import { assumed, type Check, WRITES } from '../check.ts'
import { must } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { mustAnswer, mustRefuse } from '../probe.ts'
import { labelRequest } from './labels.ts'
import { activeOf, hasEnded } from './single-reads.ts'

const PATH = '/shipping_labels'

async function codesOf(world: World, record: Return, id: string): Promise<(string | null | undefined)[]> {
  const query = { client_shipment_id: id, shopCode: record.shopCode }
  const answer = await world.send({ method: 'GET', path: PATH, query })
  mustAnswer(answer, 200, id)
  const sets = listAt(labelSetSchema, answer.body, undefined)
  return sets.map(({ shippingLabels }) => shippingLabels[0]?.carrierTrackingCode)
}

/** A label made for a transport under way, by its own id. */
const labelled = once(async (world: World) => {
  const record = await world.find('with a transport under way', (each) => hasEnded(each) === false)
  const clientShipmentId = `${record.name}-T${record.activeTransportation?.id}`
  const request = { ...(await labelRequest(world)), shopCode: record.shopCode, clientShipmentId }
  const body = { ...request, carrierServiceCode: record.activeTransportation?.carrierServiceCode }
  const answer = await world.send({ method: 'POST', path: PATH, body })
  mustAnswer(answer, 200, 'a label request')
  const [set] = listAt(labelSetSchema, [answer.body], undefined)
  return { record, clientShipmentId, label: set?.shippingLabels[0] }
})

function updateOf(
  { shopCode }: Return,
  shipmentId: string | null | undefined,
  shipmentIdType: string,
  code: string,
) {
  const shippingLabels = [{ carrierTrackingCode: code, format: 'PDF' }]
  return {
    method: 'PUT' as const,
    path: PATH,
    body: { shopCode, shipmentId, shipmentIdType, shippingLabels },
  }
}

/** Labels of transports (spec §4.2-4.4; decided where it leaves that open). */
export const LABEL_TRANSPORT_CHECKS: readonly Check[] = [
  {
    id: 'labels.transport',
    specified: 'A label made for {return name}-T{transport id} is the label of that transport',
    ...assumed('§4.2, §2.4', WRITES),
    run: async (world) => {
      const { record, label } = await labelled(world)
      const transport = await activeOf(world, record)
      const observed = `${transport?.carrierReference} after ${label?.carrierTrackingCode}`
      must(!!label && transport?.carrierReference === label.carrierTrackingCode, observed)
      must(!!transport?.carrierLabel, 'no carrierLabel')
      return observed
    },
  },
  {
    id: 'labels.both-ids',
    specified: 'GET /shipping_labels finds it under the clientReference of the transport too',
    ...assumed('§4.3', WRITES),
    run: async (world) => {
      const { record, clientShipmentId, label } = await labelled(world)
      const reference = record.activeTransportation?.clientReference ?? ''
      const code = label?.carrierTrackingCode ?? 'no code'
      for (const id of [clientShipmentId, reference])
        must((await codesOf(world, record, id)).includes(code), `no ${code} for ${id}`)
      return code
    },
  },
  {
    id: 'labels.update-newest',
    specified: 'What PUT /shipping_labels registers is the newest set of the transport',
    ...assumed('§4.3, §4.4', WRITES),
    run: async (world) => {
      const { record, clientShipmentId } = await labelled(world)
      const code = `CONF${world.runId}N`
      mustAnswer(await world.send(updateOf(record, record.name, 'RETURN_NAME', code)), 200)
      const newest = (await codesOf(world, record, clientShipmentId)).at(-1)
      must(newest === code, `${newest} after ${code}`)
      return `${newest}`
    },
  },
  {
    id: 'labels.update-ended',
    specified: 'PUT /shipping_labels never changes a transport that has ended',
    ...assumed('§4.4', WRITES),
    run: async (world) => {
      const record = await world.find('whose transport has ended', (each) => hasEnded(each) === true)
      const { clientReference, carrierReference } = record.activeTransportation ?? {}
      const update = updateOf(record, clientReference, 'CLIENT_REFERENCE', `CONF${world.runId}E`)
      const words = mustRefuse(await world.send(update), 'an update of a transport that has ended')
      const now = (await activeOf(world, record))?.carrierReference
      must(now === carrierReference, `${words}, and its code is ${now}`)
      return words
    },
  },
]
