import { assumed, type Check, writing } from '../check.ts'
import { must } from '../observed.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustRefuse } from '../probe.ts'
import { shipment, update, updateOf } from './label-updates.ts'
import { codesFor, labelRequest, newLabels } from './labels.ts'
import { activeOf, hasEnded } from './single-reads.ts'

/** A label made for a transport under way, by its own id. */
const labelled = once(async (world: World) => {
  const record = await shipment(world)
  const clientShipmentId = `${record.name}-T${record.activeTransportation?.id}`
  const request = { ...(await labelRequest(world)), shopCode: record.shopCode, clientShipmentId }
  const body = { ...request, carrierServiceCode: record.activeTransportation?.carrierServiceCode }
  const { shippingLabels } = await newLabels(world, body)
  return { record, clientShipmentId, label: shippingLabels[0] }
})

/** Labels of transports (spec §4.2-4.4; decided where it leaves that open). */
export const LABEL_TRANSPORT_CHECKS: readonly Check[] = writing(
  assumed(
    'labels.transport',
    '§4.2, §2.4',
    'A label made for {return name}-T{transport id} is the label of that transport',
    async (world) => {
      const { record, label } = await labelled(world)
      const transport = await activeOf(world, record)
      const observed = `${transport?.carrierReference} after ${label?.carrierTrackingCode}`
      must(!!label && transport?.carrierReference === label.carrierTrackingCode, observed)
      must(!!transport?.carrierLabel, 'no carrierLabel')
      return observed
    },
  ),
  assumed(
    'labels.both-ids',
    '§4.3',
    'GET /shipping_labels finds it under the clientReference of the transport too',
    async (world) => {
      const { record, clientShipmentId, label } = await labelled(world)
      const reference = record.activeTransportation?.clientReference ?? ''
      const code = label?.carrierTrackingCode ?? 'no code'
      for (const id of [clientShipmentId, reference])
        must((await codesFor(world, id, record.shopCode)).includes(code), `no ${code} for ${id}`)
      return code
    },
  ),
  assumed(
    'labels.update-newest',
    '§4.3, §4.4',
    'What PUT /shipping_labels registers is the newest set of the transport',
    async (world) => {
      const { record, clientShipmentId } = await labelled(world)
      const body = updateOf(world, record, 'RETURN_NAME', 'N')
      const code = body.shippingLabels[0]?.carrierTrackingCode
      mustAnswer(await update(world, body), 200)
      const newest = (await codesFor(world, clientShipmentId, record.shopCode)).at(-1)
      must(newest === code, `${newest} after ${code}`)
      return `${newest}`
    },
  ),
  assumed(
    'labels.update-ended',
    '§4.4',
    'PUT /shipping_labels never changes a transport that has ended',
    async (world) => {
      const record = await world.find('whose transport has ended', (each) => hasEnded(each) === true)
      const answer = await update(world, updateOf(world, record, 'CLIENT_REFERENCE', 'E'))
      const words = mustRefuse(answer, 'an update of a transport that has ended')
      const now = (await activeOf(world, record))?.carrierReference
      must(now === record.activeTransportation?.carrierReference, `${words}, and its code is ${now}`)
      return words
    },
  ),
)
