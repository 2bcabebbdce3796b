import { isTransportOver, isTransportStatus } from '../../wire/enumerations.ts'
import { labelIdFor } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { type CheckedPlatform, type CheckRun, haveTypes, once, type Runs } from '../check.ts'
import { must, mustAcknowledge, mustBe, mustShow, toLabelUpdate } from '../expect.ts'
import { codesFor, labelRequest, newLabels } from './labels.ts'
import { activeOf } from './single-reads.ts'

const ID_OF = {
  RETURN_NAME: ({ name }: Return) => name,
  CLIENT_REFERENCE: ({ activeTransportation }: Return) => activeTransportation?.clientReference ?? '',
  // Merchants define these names; only records of the sandbox have them.
  MERCHANT_RETURN_NAME: ({ name, merchantReturnName }: Return) => merchantReturnName ?? name,
}

type IdType = keyof typeof ID_OF

const shipment = (platform: CheckedPlatform) =>
  platform.find('with a transport under way', ({ activeTransportation }) => {
    const status = activeTransportation?.status
    return isTransportStatus(status) && !isTransportOver(status)
  })

export const ended = (platform: CheckedPlatform) =>
  platform.find(
    'whose transport has ended',
    ({ activeTransportation }) =>
      isTransportOver(activeTransportation?.status) && activeTransportation?.carrierReference,
  )

/** @param mark distinguishes the codes from those of other updates */
function updateOf(platform: CheckedPlatform, record: Return, type: IdType, mark = type.slice(0, 1)) {
  const carrierTrackingCode = `CONF${platform.options.runId}${mark}`
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

export const updated = once(async (platform) => {
  const record = await shipment(platform)
  const body = updateOf(platform, record, 'RETURN_NAME')
  return { answer: await platform.send(toLabelUpdate(body)), record, body }
})

const after = once(async (platform) => activeOf(platform, (await updated(platform)).record))

const shows =
  (sent: keyof ReturnType<typeof updateOf>['shippingLabels'][0], path: string = sent): CheckRun =>
  async (platform) => {
    const { answer, body } = await updated(platform)
    mustBe(answer, '200')
    return mustShow(await after(platform), path, body.shippingLabels[0][sent])
  }

const accepted =
  (type: IdType): CheckRun =>
  async (platform) => {
    if (type === 'RETURN_NAME') return mustAcknowledge((await updated(platform)).answer)
    const update = updateOf(platform, await shipment(platform), type)
    return mustAcknowledge(await platform.send(toLabelUpdate(update)))
  }

/** Expects the last code of an update on the transport. */
const registers =
  (type: IdType, path: string, ...marks: string[]): CheckRun =>
  async (platform) => {
    const record = await shipment(platform)
    const updates = marks.map((mark) => updateOf(platform, record, type, mark))
    const shippingLabels = updates.flatMap((update) => update.shippingLabels)
    await platform.expect(toLabelUpdate({ ...updates[0], shippingLabels }), '200')
    return mustShow(await activeOf(platform, record), path, shippingLabels.at(-1)?.carrierTrackingCode)
  }

const labelled = once(async (platform) => {
  const record = await shipment(platform)
  const { id, carrierServiceCode } = record.activeTransportation ?? {}
  const clientShipmentId = labelIdFor(record.name, id)
  const { shippingLabels } = await newLabels(platform, {
    ...(await labelRequest(platform)),
    shopCode: record.shopCode,
    clientShipmentId,
    carrierServiceCode,
  })
  return { record, clientShipmentId, code: shippingLabels[0]?.carrierTrackingCode ?? 'no code' }
})

export const LABEL_UPDATE_CHECKS: Runs = {
  'labels.transport': async (platform) => {
    const { record, code } = await labelled(platform)
    const transport = await activeOf(platform, record)
    must(transport?.carrierLabel, 'no carrierLabel')
    return mustShow(transport, 'carrierReference', code)
  },
  'labels.both-ids': async (platform) => {
    const { record, clientShipmentId, code } = await labelled(platform)
    for (const id of [clientShipmentId, ID_OF.CLIENT_REFERENCE(record)])
      must((await codesFor(platform, id, record.shopCode)).includes(code), `no ${code} for ${id}`)
    return code
  },
  'labels.update-newest': async (platform) => {
    const { record, clientShipmentId } = await labelled(platform)
    const body = updateOf(platform, record, 'RETURN_NAME', 'N')
    await platform.expect(toLabelUpdate(body), '200')
    const codes = await codesFor(platform, clientShipmentId, record.shopCode)
    return mustShow(codes, `${codes.length - 1}`, body.shippingLabels[0].carrierTrackingCode)
  },
  'labels.update-ended': async (platform) => {
    const record = await ended(platform)
    await platform.expect(toLabelUpdate(updateOf(platform, record, 'CLIENT_REFERENCE', 'E')), '4xx')
    const { carrierReference } = record.activeTransportation ?? {}
    return mustShow(await activeOf(platform, record), 'carrierReference', carrierReference)
  },
  'labels.update-return-name': accepted('RETURN_NAME'),
  'labels.update-answer': haveTypes(
    acknowledgementSchema,
    async (platform) => [(await updated(platform)).answer.body],
    'answers',
  ),
  'labels.update-shown': shows('carrierTrackingCode', 'carrierReference'),
  'labels.update-tracking-url': shows('carrierTrackingUrl'),
  'labels.update-url': shows('url', 'carrierLabel'),
  'labels.update-additional-codes': shows(
    'additionalTrackingCodes',
    'shippingLabels.0.additionalTrackingCodes',
  ),
  'labels.update-format': shows('format', 'shippingLabels.0.format'),
  'labels.update-client-reference': accepted('CLIENT_REFERENCE'),
  'labels.update-merchant-return-name': accepted('MERCHANT_RETURN_NAME'),
  'labels.update-by-reference': registers('CLIENT_REFERENCE', 'carrierReference', 'R'),
  'labels.update-by-merchant': registers('MERCHANT_RETURN_NAME', 'carrierReference', 'M'),
  'labels.update-all': registers('RETURN_NAME', 'shippingLabels.1.carrierTrackingCode', 'A', 'B'),
}
