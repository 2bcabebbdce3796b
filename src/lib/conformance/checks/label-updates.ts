import type { Return } from '../../wire/returns.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec, writing } from '../check.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustRefuse } from '../probe.ts'
import { activeOf, hasEnded, mustShow } from './single-reads.ts'

const ID_OF = {
  RETURN_NAME: ({ name }: Return) => name,
  CLIENT_REFERENCE: ({ activeTransportation }: Return) => activeTransportation?.clientReference ?? '',
  // The merchant defines its form; only the sandbox's record tells it.
  MERCHANT_RETURN_NAME: ({ name, merchantReturnName }: Return) => merchantReturnName ?? name,
}

type IdType = keyof typeof ID_OF

export const shipment = (world: World) =>
  world.find('with a transport under way', (each) => hasEnded(each) === false)

export const update = (world: World, body: object) =>
  world.send({ method: 'PUT', path: '/shipping_labels', body })

/** `mark` tells its codes from those of other updates. */
export function updateOf(world: World, record: Return, type: IdType, mark = type.slice(0, 1)) {
  const code = `CONF${world.runId}${mark}`
  const carrierTrackingUrl = `https://track.example.com/${code}`
  return {
    shopCode: record.shopCode,
    shipmentId: ID_OF[type](record),
    shipmentIdType: type,
    shippingLabels: [
      {
        carrierTrackingCode: code,
        additionalTrackingCodes: [`${code}-2`],
        carrierTrackingUrl,
        format: 'PDF',
        url: `${carrierTrackingUrl}.pdf`,
      },
    ],
  }
}

/** An update by the return's name. */
export const updated = once(async (world: World) => {
  const record = await shipment(world)
  const body = updateOf(world, record, 'RETURN_NAME')
  return { answer: await update(world, body), record, body }
})

/** The transportation after the update, in the form that we decided. */
const after = once(async (world: World) => activeOf(world, (await updated(world)).record))

/** A field of an update, and where the transportation shows it. */
const shownCheck = (
  id: string,
  sent: keyof ReturnType<typeof updateOf>['shippingLabels'][number],
  shown: string,
): Check =>
  assumed(id, '§2.4, §4.4', `The transportation then has the ${sent} sent`, async (world) => {
    const { answer, body } = await updated(world)
    mustAnswer(answer, 200)
    return mustShow(await after(world), shown, body.shippingLabels[0]?.[sent])
  })

function updateCheck(check: typeof spec, type: IdType): Check {
  const specified = `PUT /shipping_labels with a ${type} is answered with statusCode and description`
  const id = `labels.update-${type.toLowerCase().replaceAll('_', '-')}`
  return check(id, '§4.4', specified, async (world) => {
    const answer =
      type === 'RETURN_NAME'
        ? (await updated(world)).answer
        : await update(world, updateOf(world, await shipment(world), type))
    const words = mustAnswer(answer, 200)
    mustFit(acknowledgementSchema.partial(), [answer.body], 'answers')
    return words
  })
}

/** The update made, sent again with other fields. */
const refused = (change: object) => async (world: World) =>
  mustRefuse(await update(world, { ...(await updated(world)).body, ...change }))

/** Spec §4.4. */
export const LABEL_UPDATE_CHECKS: readonly Check[] = writing(
  operation(updateCheck(spec, 'RETURN_NAME')),
  assumed('labels.update-answer', '§4.4', 'The answer has both of them', async (world) =>
    mustFit(acknowledgementSchema, [(await updated(world)).answer.body], 'answers'),
  ),
  shownCheck('labels.update-shown', 'carrierTrackingCode', 'carrierReference'),
  shownCheck('labels.update-tracking-url', 'carrierTrackingUrl', 'carrierTrackingUrl'),
  shownCheck('labels.update-url', 'url', 'carrierLabel'),
  shownCheck(
    'labels.update-additional-codes',
    'additionalTrackingCodes',
    'shippingLabels.0.additionalTrackingCodes',
  ),
  shownCheck('labels.update-format', 'format', 'shippingLabels.0.format'),
  updateCheck(spec, 'CLIENT_REFERENCE'),
  updateCheck(assumed, 'MERCHANT_RETURN_NAME'),
  spec(
    'labels.update-unknown',
    '§4.4',
    'An update of a shipment that there is not is refused',
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
