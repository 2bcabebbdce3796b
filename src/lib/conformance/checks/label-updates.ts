import { isTransportOver, isTransportStatus } from '../../wire/enumerations.ts'
import type { Return } from '../../wire/returns.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import {
  answers,
  assumed,
  type Check,
  type CheckRun,
  haveTypes,
  once,
  operations,
  requires,
  spec,
  type World,
  writing,
} from '../check.ts'
import { must, mustBe, mustFit, mustShow, toLabelUpdate } from '../expect.ts'
import { codesFor, labelRequest, newLabels } from './labels.ts'
import { activeOf } from './single-reads.ts'

const ID_OF = {
  RETURN_NAME: ({ name }: Return) => name,
  CLIENT_REFERENCE: ({ activeTransportation }: Return) => activeTransportation?.clientReference ?? '',
  // The merchant defines its form; only the sandbox's record tells it.
  MERCHANT_RETURN_NAME: ({ name, merchantReturnName }: Return) => merchantReturnName ?? name,
}

type IdType = keyof typeof ID_OF

const shipment = (world: World) =>
  world.find('with a transport under way', ({ activeTransportation }) => {
    const status = activeTransportation?.status
    return isTransportStatus(status) && !isTransportOver(status)
  })

export const ended = (world: World) =>
  world.find(
    'whose transport has ended',
    ({ activeTransportation }) =>
      isTransportOver(activeTransportation?.status) && activeTransportation?.carrierReference,
  )

/** `mark` tells its codes from those of other updates. */
function updateOf(world: World, record: Return, type: IdType, mark = type.slice(0, 1)) {
  const carrierTrackingCode = `CONF${world.options.runId}${mark}`
  const carrierTrackingUrl = `https://track.example.com/${carrierTrackingCode}`
  const label = {
    carrierTrackingCode,
    additionalTrackingCodes: [`${carrierTrackingCode}-2`],
    carrierTrackingUrl,
    format: 'PDF',
    url: `${carrierTrackingUrl}.pdf`,
  }
  const body = { shopCode: record.shopCode, shipmentId: ID_OF[type](record), shipmentIdType: type }
  return { ...body, shippingLabels: [label] as const }
}

export const updated = once(async (world) => {
  const record = await shipment(world)
  const body = updateOf(world, record, 'RETURN_NAME')
  return { answer: await world.send(toLabelUpdate(body)), record, body }
})

const after = once(async (world) => activeOf(world, (await updated(world)).record))

const shows = (
  id: string,
  sent: keyof ReturnType<typeof updateOf>['shippingLabels'][0],
  place: string = sent,
): Check =>
  assumed(id, '§2.4, §4.4', `The transportation then has the ${sent} sent`, async (world) => {
    const { answer, body } = await updated(world)
    mustBe(answer, '200')
    return mustShow(await after(world), place, body.shippingLabels[0][sent])
  })

const taken =
  (type: IdType): CheckRun =>
  async (world) => {
    const answer =
      type === 'RETURN_NAME'
        ? (await updated(world)).answer
        : await world.send(toLabelUpdate(updateOf(world, await shipment(world), type)))
    const words = mustBe(answer, '200')
    mustFit(acknowledgementSchema.partial(), [answer.body], 'answers')
    return words
  }

const accepts = (type: string) =>
  `PUT /shipping_labels with a ${type} is answered with statusCode and description`

/** Expects the last code of an update on the transport. */
const registers =
  (type: IdType, place: string, ...marks: string[]): CheckRun =>
  async (world) => {
    const record = await shipment(world)
    const updates = marks.map((mark) => updateOf(world, record, type, mark))
    const shippingLabels = updates.flatMap((update) => update.shippingLabels)
    await world.expect(toLabelUpdate({ ...updates[0], shippingLabels }), '200')
    return mustShow(await activeOf(world, record), place, shippingLabels.at(-1)?.carrierTrackingCode)
  }

const refused = (change: object) =>
  answers(async (world) => toLabelUpdate({ ...(await updated(world)).body, ...change }), '4xx')

const labelled = once(async (world) => {
  const record = await shipment(world)
  const { id, carrierServiceCode } = record.activeTransportation ?? {}
  const clientShipmentId = `${record.name}-T${id}`
  const { shippingLabels } = await newLabels(world, {
    ...(await labelRequest(world)),
    shopCode: record.shopCode,
    clientShipmentId,
    carrierServiceCode,
  })
  return { record, clientShipmentId, code: shippingLabels[0]?.carrierTrackingCode ?? 'no code' }
})

export const LABEL_UPDATE_CHECKS: readonly Check[] = writing(
  assumed(
    'labels.transport',
    '§4.2, §2.4',
    'A label made for {return name}-T{transport id} is the label of that transport',
    async (world) => {
      const { record, code } = await labelled(world)
      const transport = await activeOf(world, record)
      must(transport?.carrierLabel, 'no carrierLabel')
      return mustShow(transport, 'carrierReference', code)
    },
  ),
  assumed(
    'labels.both-ids',
    '§4.3',
    'GET /shipping_labels finds it under the clientReference of the transport too',
    async (world) => {
      const { record, clientShipmentId, code } = await labelled(world)
      for (const id of [clientShipmentId, ID_OF.CLIENT_REFERENCE(record)])
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
      await world.expect(toLabelUpdate(body), '200')
      const codes = await codesFor(world, clientShipmentId, record.shopCode)
      return mustShow(codes, `${codes.length - 1}`, body.shippingLabels[0].carrierTrackingCode)
    },
  ),
  assumed(
    'labels.update-ended',
    '§4.4',
    'PUT /shipping_labels never changes a transport that has ended',
    async (world) => {
      const record = await ended(world)
      await world.expect(toLabelUpdate(updateOf(world, record, 'CLIENT_REFERENCE', 'E')), '4xx')
      const { carrierReference } = record.activeTransportation ?? {}
      return mustShow(await activeOf(world, record), 'carrierReference', carrierReference)
    },
  ),
  ...operations(spec('labels.update-return-name', '§4.4', accepts('RETURN_NAME'), taken('RETURN_NAME'))),
  assumed(
    'labels.update-answer',
    '§4.4',
    'The answer has both of them',
    haveTypes(acknowledgementSchema, async (world) => [(await updated(world)).answer.body], 'answers'),
  ),
  shows('labels.update-shown', 'carrierTrackingCode', 'carrierReference'),
  shows('labels.update-tracking-url', 'carrierTrackingUrl'),
  shows('labels.update-url', 'url', 'carrierLabel'),
  shows(
    'labels.update-additional-codes',
    'additionalTrackingCodes',
    'shippingLabels.0.additionalTrackingCodes',
  ),
  shows('labels.update-format', 'format', 'shippingLabels.0.format'),
  spec('labels.update-client-reference', '§4.4', accepts('CLIENT_REFERENCE'), taken('CLIENT_REFERENCE')),
  assumed(
    'labels.update-merchant-return-name',
    '§4.4',
    accepts('MERCHANT_RETURN_NAME'),
    taken('MERCHANT_RETURN_NAME'),
  ),
  assumed(
    'labels.update-by-reference',
    '§4.4',
    'The transportation shows an update with a CLIENT_REFERENCE',
    registers('CLIENT_REFERENCE', 'carrierReference', 'R'),
  ),
  assumed(
    'labels.update-by-merchant',
    '§4.4',
    'The transportation shows an update with a MERCHANT_RETURN_NAME',
    registers('MERCHANT_RETURN_NAME', 'carrierReference', 'M'),
  ),
  assumed(
    'labels.update-all',
    '§4.4',
    'The transportation shows each label of an update',
    registers('RETURN_NAME', 'shippingLabels.1.carrierTrackingCode', 'A', 'B'),
  ),
  assumed(
    'labels.update-refusal',
    '§4.4',
    'An update without shipmentId or shippingLabels is refused with 400',
    requires(['shipmentId', 'shippingLabels'], async (world) => (await updated(world)).body, toLabelUpdate),
  ),
  spec(
    'labels.update-unknown',
    '§4.4',
    'An update of an unknown shipment is refused',
    refused({ shipmentId: 'R#-CONFORMANCE-NO-SUCH-SHIPMENT' }),
  ),
  assumed(
    'labels.update-unknown-type',
    '§4.4',
    'An unknown shipmentIdType is refused',
    refused({ shipmentIdType: 'CONFORMANCE' }),
  ),
  assumed(
    'labels.update-no-url',
    '§4.4',
    'A url that is no web address is refused',
    refused({ shippingLabels: [{ carrierTrackingCode: 'CONF', url: 'javascript:alert(1)' }] }),
  ),
)
