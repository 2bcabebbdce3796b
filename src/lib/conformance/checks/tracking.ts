import { leadsTo } from '../../wire/enumerations.ts'
import type { Return } from '../../wire/returns.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { answers, type CheckedPlatform, type CheckRun, haveTypes, once, type Runs } from '../check.ts'
import { mustAcknowledge, mustBe, mustShow, need, toTracking } from '../expect.ts'
import { ended } from './label-updates.ts'
import { activeOf } from './single-reads.ts'

const HOUR_MS = 3_600_000
const BEFORE_ANY_RETURN = '2000-01-01T00:00:00Z'
const FORWARD = 'SHIPPING_IN_PROGRESS'
/** State at the beginning of every transport: drop-offs have no pick-up. */
const OLDER = { trackingStatus: 'REQUESTED' }
const BACKWARD = { trackingStatus: 'PICK_UP_IN_PROGRESS' }

/** ISO 8601 in UTC, to the second. */
const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '')

/** Prefers a transport one step away: skipping states is an assumption. */
async function movable(platform: CheckedPlatform) {
  const isNext = ({ activeTransportation }: Return) =>
    activeTransportation?.status ===
    (activeTransportation?.serviceType === 'pick-up' ? 'PICK_UP_COMPLETED' : 'REQUESTED')
  return (
    (await platform.sample()).find(isNext) ??
    platform.find(`whose transport can come to ${FORWARD}`, ({ activeTransportation }) =>
      leadsTo(activeTransportation?.status, FORWARD),
    )
  )
}

/** Moves the shipment of later checks. */
export const moved = once(async (platform) => {
  const record = await movable(platform)
  const { name, shopCode, updatedAt, activeTransportation } = record
  const dates = [updatedAt, activeTransportation?.createdAt].map((text) => parseServiceDate(text) ?? 0)
  const at = Math.max(platform.options.now, ...dates)
  const others = (await platform.sample()).filter((other) => other.shopCode === shopCode)
  const carriers = others.flatMap((other) => other.activeTransportation?.carrierCode ?? [])
  const trackingNumber = `CONF${platform.options.runId}`
  const body = {
    shopCode,
    shipmentId: name,
    shipmentIdType: 'RETURN_NAME',
    carrierName: carriers.find((code) => code !== activeTransportation?.carrierCode),
    trackingNumber,
    trackingUrl: `https://track.example.com/${trackingNumber}`,
    trackingStatus: FORWARD,
    trackingStatusDescription: `Conformance ${platform.options.runId}`,
    trackingDate: iso(at),
  }
  return { record, body, at, answer: await platform.send(toTracking(body)) }
})

type Moved = Awaited<ReturnType<typeof moved>>

async function again(platform: CheckedPlatform, change: object, laterMs = 0) {
  const { body, at } = await moved(platform)
  return toTracking({ ...body, trackingDate: iso(at + laterMs), ...change })
}

const codes =
  (change: object, code: string, laterMs?: number): CheckRun =>
  async (platform) =>
    mustShow((await platform.send(await again(platform, change, laterMs))).body, 'statusCode', code)

/** Expects this number of new events and the same state. */
const kept =
  (events: number, change: object, expected: string, laterMs?: number): CheckRun =>
  async (platform) => {
    const { record } = await moved(platform)
    const read = async () => {
      const { status, trackingEvents } = (await activeOf(platform, record)) ?? {}
      return { status, events: trackingEvents?.length ?? 0 }
    }
    const before = await read()
    const words = mustBe(await platform.send(await again(platform, change, laterMs)), expected)
    mustShow(await read(), 'status', FORWARD)
    return `${words}, ${mustShow(await read(), 'events', before.events + events)}`
  }

const after = once(async (platform) => activeOf(platform, (await moved(platform)).record))

const shows =
  (what: string, path: string, fieldOf: (moved: Moved) => unknown): CheckRun =>
  async (platform) => {
    const value = need(fieldOf(await moved(platform)), `no ${what} to send`)
    const transport = await after(platform)
    const event = transport?.trackingEvents?.at(-1)
    return mustShow({ ...transport, event, eventMs: parseServiceDate(event?.date) }, path, value)
  }

const lists =
  (path: string, value: string): CheckRun =>
  async (platform) =>
    mustShow(await platform.listedNow((await moved(platform)).record), path, value)

export const TRACKING_CHECKS: Runs = {
  'tracking.forward': async (platform) => mustAcknowledge((await moved(platform)).answer),
  'tracking.answer': haveTypes(
    acknowledgementSchema,
    async (platform) => [(await moved(platform)).answer.body],
    'answers',
  ),
  'tracking.applied': lists('activeTransportation.status', FORWARD),
  'tracking.number': shows('trackingNumber', 'carrierReference', ({ body }) => body.trackingNumber),
  'tracking.url': shows('trackingUrl', 'carrierTrackingUrl', ({ body }) => body.trackingUrl),
  'tracking.carrier': shows('carrierName', 'carrierCode', ({ body }) => body.carrierName),
  'tracking.description': shows(
    'description',
    'event.description',
    ({ body }) => body.trackingStatusDescription,
  ),
  'tracking.date': shows('date', 'eventMs', ({ at }) => Math.floor(at / 1000) * 1000),
  'tracking.return-follows': lists('status', 'RECEPTION_IN_PROGRESS'),
  'tracking.repeated': kept(0, {}, '200'),
  'tracking.repeated-code': codes({}, 'DUPLICATE'),
  'tracking.older-code': codes(OLDER, 'STALE', -2 * HOUR_MS),
  'tracking.future': answers((platform) => again(platform, {}, 48 * HOUR_MS), '400 VA01'),
  'tracking.early': answers(
    (platform) => again(platform, { trackingNumber: undefined, trackingDate: BEFORE_ANY_RETURN }),
    '400 VA01',
  ),
  'tracking.ended': async (platform) => {
    const record = await ended(platform)
    const { status, carrierReference } = record.activeTransportation ?? {}
    const update = toTracking({
      shopCode: record.shopCode,
      shipmentId: record.name,
      shipmentIdType: 'RETURN_NAME',
      trackingNumber: carrierReference,
      trackingStatus: FORWARD,
      trackingDate: iso(platform.options.now),
    })
    await platform.expect(update, '4xx', 'an update of a transport that has ended')
    return mustShow(await activeOf(platform, record), 'status', status)
  },
  'tracking.older': kept(1, OLDER, '200', -HOUR_MS),
  'tracking.backward': kept(0, BACKWARD, '400 TR02', HOUR_MS),
  'tracking.minimal': async (platform) => {
    const { shopCode, shipmentId, shipmentIdType, trackingStatus } = (await moved(platform)).body
    return mustBe(
      await platform.send(toTracking({ shopCode, shipmentId, shipmentIdType, trackingStatus })),
      '200',
    )
  },
}
