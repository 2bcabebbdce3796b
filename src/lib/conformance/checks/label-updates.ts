import type { Return } from '../../wire/returns.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, spec, WRITES } from '../check.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustRefuse } from '../probe.ts'
import { activeOf, hasEnded, mustShow } from './single-reads.ts'

const TYPES = {
  RETURN_NAME: {
    by: spec('§4.4', { ...WRITES, shows: 'PUT /shipping_labels' }),
    idOf: ({ name }: Return) => name,
  },
  CLIENT_REFERENCE: {
    by: spec('§4.4', WRITES),
    idOf: ({ activeTransportation }: Return) => activeTransportation?.clientReference ?? '',
  },
  // The merchant defines its form; only the sandbox's record tells it.
  MERCHANT_RETURN_NAME: {
    by: assumed('§4.4', WRITES),
    idOf: ({ name, merchantReturnName }: Return) => merchantReturnName ?? name,
  },
} as const

type IdType = keyof typeof TYPES

const shipment = (world: World) =>
  world.find('with a transport under way', (each) => hasEnded(each) === false)

const send = (world: World, body: object) => world.send({ method: 'PUT', path: '/shipping_labels', body })

function updateOf(world: World, record: Return, type: IdType) {
  const code = `CONF${world.runId}${type.slice(0, 1)}`
  const carrierTrackingUrl = `https://track.example.com/${code}`
  return {
    shopCode: record.shopCode,
    shipmentId: TYPES[type].idOf(record),
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

/** An update by the return's name, and what the platform shows of the transport afterwards. */
export const updated = once(async (world: World) => {
  const record = await shipment(world)
  const body = updateOf(world, record, 'RETURN_NAME')
  const answer = await send(world, body)
  return { answer, record, body, after: answer.status === 200 ? await activeOf(world, record) : undefined }
})

/** Where the fields of an update are shown. */
const SHOWN = {
  'labels.update-shown': ['carrierTrackingCode', 'carrierReference'],
  'labels.update-tracking-url': ['carrierTrackingUrl', 'carrierTrackingUrl'],
  'labels.update-url': ['url', 'carrierLabel'],
  'labels.update-additional-codes': ['additionalTrackingCodes', 'shippingLabels.0.additionalTrackingCodes'],
  'labels.update-format': ['format', 'shippingLabels.0.format'],
} as const

function shownCheck(id: keyof typeof SHOWN): Check {
  const [sent, shown] = SHOWN[id]
  return {
    id,
    specified: `The transportation then has the ${sent} sent`,
    ...assumed('§2.4, §4.4', WRITES),
    run: async (world) => {
      const { answer, body, after } = await updated(world)
      mustAnswer(answer, 200)
      return mustShow(after, shown, body.shippingLabels[0]?.[sent])
    },
  }
}

function updateCheck(type: IdType): Check {
  return {
    id: `labels.update-${type.toLowerCase().replaceAll('_', '-')}`,
    specified: `PUT /shipping_labels with a ${type} is answered with statusCode and description`,
    ...TYPES[type].by,
    run: async (world) => {
      const { answer } =
        type === 'RETURN_NAME'
          ? await updated(world)
          : { answer: await send(world, updateOf(world, await shipment(world), type)) }
      const words = mustAnswer(answer, 200)
      mustFit(acknowledgementSchema.partial(), [answer.body], 'answers')
      return words
    },
  }
}

/** Spec §4.4. */
export const LABEL_UPDATE_CHECKS: readonly Check[] = [
  updateCheck('RETURN_NAME'),
  updateCheck('CLIENT_REFERENCE'),
  updateCheck('MERCHANT_RETURN_NAME'),
  {
    id: 'labels.update-answer',
    specified: 'The answer has both of them',
    ...assumed('§4.4', WRITES),
    run: async (world) => mustFit(acknowledgementSchema, [(await updated(world)).answer.body], 'answers'),
  },
  shownCheck('labels.update-shown'),
  shownCheck('labels.update-tracking-url'),
  shownCheck('labels.update-url'),
  shownCheck('labels.update-additional-codes'),
  shownCheck('labels.update-format'),
  {
    id: 'labels.update-unknown',
    specified: 'An update of a shipment that there is not is refused',
    ...spec('§4.4', WRITES),
    run: async (world) => {
      const { body } = await updated(world)
      return mustRefuse(await send(world, { ...body, shipmentId: 'R#-CONFORMANCE-NO-SUCH-SHIPMENT' }))
    },
  },
  {
    id: 'labels.update-unknown-type',
    specified: 'An unknown shipmentIdType is refused with 400',
    ...assumed('§4.4', WRITES),
    run: async (world) => {
      const { body } = await updated(world)
      return mustAnswer(await send(world, { ...body, shipmentIdType: 'CONFORMANCE' }), 400)
    },
  },
]
