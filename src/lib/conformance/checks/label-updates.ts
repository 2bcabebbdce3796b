import type { Return } from '../../wire/returns.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { transportationSchema } from '../../wire/transportations.ts'
import { assumed, type Check, spec, WRITES } from '../check.ts'
import { must } from '../observed.ts'
import { listAt, mustFit, type World } from '../platform-view.ts'
import { mustAnswer, mustRefuse } from '../probe.ts'
import { hasEnded, pathOf } from './single-reads.ts'

const TYPES = {
  RETURN_NAME: { by: spec('§4.4', WRITES), idOf: ({ name }: Return) => name },
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

async function update(world: World, shipmentIdType: IdType, shipmentId?: string) {
  const record = await world.find('with a transport under way', (each) => hasEnded(each) === false)
  const carrierTrackingCode = `CONF${world.runId}${shipmentIdType.slice(0, 1)}`
  const carrierTrackingUrl = `https://track.example.com/${carrierTrackingCode}`
  const answer = await world.send({
    method: 'PUT',
    path: '/shipping_labels',
    body: {
      shopCode: record.shopCode,
      shipmentId: shipmentId ?? TYPES[shipmentIdType].idOf(record),
      shipmentIdType,
      shippingLabels: [
        {
          carrierTrackingCode,
          additionalTrackingCodes: [],
          carrierTrackingUrl,
          format: 'PDF',
          url: `${carrierTrackingUrl}.pdf`,
        },
      ],
    },
  })
  return { answer, record, carrierTrackingCode, carrierTrackingUrl }
}

function updateCheck(type: IdType): Check {
  return {
    id: `labels.update-${type.toLowerCase().replaceAll('_', '-')}`,
    specified: `PUT /shipping_labels with a ${type} is answered with statusCode and description`,
    ...TYPES[type].by,
    run: async (world) => {
      const { answer } = await update(world, type)
      const words = mustAnswer(answer, 200)
      mustFit(acknowledgementSchema, [answer.body], 'answers')
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
    id: 'labels.update-shown',
    specified: 'The transportation then has the tracking code and URL',
    ...assumed('§4.4', WRITES),
    run: async (world) => {
      const { answer, record, carrierTrackingCode, carrierTrackingUrl } = await update(world, 'RETURN_NAME')
      mustAnswer(answer, 200)
      const read = await world.send({ method: 'GET', path: pathOf(record, '/transportations') })
      const active = listAt(transportationSchema, read.body, 'transportations').at(-1)
      const observed = `${active?.carrierReference}, ${active?.carrierTrackingUrl}`
      must(observed === `${carrierTrackingCode}, ${carrierTrackingUrl}`, observed)
      return observed
    },
  },
  {
    id: 'labels.update-unknown',
    specified: 'An update of a shipment that there is not is refused',
    ...spec('§4.4', WRITES),
    run: async (world) =>
      mustRefuse((await update(world, 'RETURN_NAME', 'R#-CONFORMANCE-NO-SUCH-SHIPMENT')).answer),
  },
]
