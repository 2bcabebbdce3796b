import { parseServiceDate } from '../../wire/time.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { leadsTo } from '../../wire/transport-states.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec, writing } from '../check.ts'
import { must, need } from '../observed.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, mustRefuse, type ProbeAnswer } from '../probe.ts'
import { activeOf, hasEnded, mustShow } from './single-reads.ts'

const HOUR_MS = 3_600_000
/** Before any return was made. */
const YEARS_MS = 20 * 365 * 24 * HOUR_MS
const FORWARD = 'SHIPPING_IN_PROGRESS'
const BACKWARD = 'PICK_UP_IN_PROGRESS'
/** The beginning of every transport: drop-offs have no pick-up. */
const OLDER = 'REQUESTED'

const report = (world: World, body: object) =>
  world.send({ method: 'POST', path: '/shipping_trackings', body })

/** ISO 8601 in UTC, to the second. */
const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '')

/** A return on its way, moved forward by the run; later checks are about its shipment. */
export const moved = once(async (world: World) => {
  const record = await world.find(`whose transport can come to ${FORWARD}`, ({ activeTransportation }) =>
    leadsTo(activeTransportation?.status, FORWARD),
  )
  const dates = [record.updatedAt, record.activeTransportation?.createdAt]
  const at = Math.max(world.now, ...dates.map((text) => parseServiceDate(text ?? '') ?? 0))
  const others = (await world.sample()).filter(({ shopCode }) => shopCode === record.shopCode)
  const carriers = others.flatMap(({ activeTransportation }) => activeTransportation?.carrierCode ?? [])
  const trackingNumber = `CONF${world.runId}`
  const body = {
    shopCode: record.shopCode,
    shipmentId: record.name,
    shipmentIdType: 'RETURN_NAME',
    carrierName: carriers.find((code) => code !== record.activeTransportation?.carrierCode),
    trackingNumber,
    trackingUrl: `https://track.example.com/${trackingNumber}`,
    trackingStatus: FORWARD,
    trackingStatusDescription: `Conformance ${world.runId}`,
    trackingDate: iso(at),
  }
  return { record, body, at, answer: await report(world, body) }
})

/** The transportation after the report, in the form that we decided. */
const after = once(async (world: World) => activeOf(world, (await moved(world)).record))

/** Where the fields of a report are shown on the transportation. */
const SHOWN = {
  'tracking.number': ['trackingNumber', 'carrierReference'],
  'tracking.url': ['trackingUrl', 'carrierTrackingUrl'],
  'tracking.carrier': ['carrierName', 'carrierCode'],
} as const

function shownCheck(id: keyof typeof SHOWN): Check {
  const [sent, shown] = SHOWN[id]
  const specified = `The ${sent} of an accepted report is stored on the transportation`
  return assumed(id, '§2.4, §4.1', specified, async (world) => {
    const { body } = await moved(world)
    return mustShow(await after(world), shown, need(body[sent], `no ${sent} to send`))
  })
}

/** The answer to the report made, sent again with other fields or at another time. */
const answered =
  (change: object, judge: (answer: ProbeAnswer) => string, laterMs = 0) =>
  async (world: World) => {
    const { body, at } = await moved(world)
    return judge(await report(world, { ...body, trackingDate: iso(at + laterMs), ...change }))
  }

const eventsOf = (transport: Transportation | undefined) => transport?.trackingEvents?.length ?? 0

/** Spec §4.1. */
export const TRACKING_CHECKS: readonly Check[] = writing(
  operation(
    spec(
      'tracking.forward',
      '§4.1',
      'A report is answered with statusCode and description',
      async (world) => {
        const { answer } = await moved(world)
        const words = mustAnswer(answer, 200)
        mustFit(acknowledgementSchema.partial(), [answer.body], 'answers')
        return words
      },
    ),
  ),
  assumed('tracking.answer', '§4.1', 'The answer has both of them', async (world) =>
    mustFit(acknowledgementSchema, [(await moved(world)).answer.body], 'answers'),
  ),
  spec(
    'tracking.applied',
    '§2.4, §4.1',
    'The active transportation then has the status reported',
    async (world) =>
      mustShow(await world.listedNow((await moved(world)).record), 'activeTransportation.status', FORWARD),
  ),
  shownCheck('tracking.number'),
  shownCheck('tracking.url'),
  shownCheck('tracking.carrier'),
  assumed('tracking.description', '§4.1', 'The event has the description of the report', async (world) => {
    const { body } = await moved(world)
    const event = (await after(world))?.trackingEvents?.at(-1)
    return mustShow(event, 'description', body.trackingStatusDescription)
  }),
  assumed('tracking.date', '§4.1', 'The event has the date of the report', async (world) => {
    const { at } = await moved(world)
    const date = parseServiceDate((await after(world))?.trackingEvents?.at(-1)?.date ?? '')
    return mustShow({ date }, 'date', Math.floor(at / 1000) * 1000)
  }),
  spec(
    'tracking.unknown-shipment',
    '§4.1',
    'A report for a shipment that there is not is refused',
    answered({ shipmentId: 'R#-CONFORMANCE-NO-SUCH-SHIPMENT' }, mustRefuse),
  ),
  assumed(
    'tracking.unknown-type',
    '§4.1',
    'An unknown shipmentIdType is refused with 400',
    answered({ shipmentIdType: 'CONFORMANCE' }, (answer) => mustAnswer(answer, 400)),
  ),
  assumed(
    'tracking.return-follows',
    '§3',
    `${FORWARD} moves the return to RECEPTION_IN_PROGRESS`,
    async (world) =>
      mustShow(await world.listedNow((await moved(world)).record), 'status', 'RECEPTION_IN_PROGRESS'),
  ),
  assumed(
    'tracking.repeated',
    '§4.1',
    'The same report again is accepted, and makes no new event',
    async (world) => {
      const { record, body } = await moved(world)
      const before = eventsOf(await activeOf(world, record))
      mustAnswer(await report(world, body), 200, 'the same report')
      const now = eventsOf(await activeOf(world, record))
      return must(before === now, `${before} events before, ${now} after`)
    },
  ),
  assumed(
    'tracking.repeated-code',
    '§4.1',
    'The statusCode of the same report again is DUPLICATE',
    answered({}, ({ body }) => mustShow(body, 'statusCode', 'DUPLICATE')),
  ),
  assumed(
    'tracking.older-code',
    '§4.1',
    'The statusCode of an older report is STALE',
    answered({ trackingStatus: OLDER }, ({ body }) => mustShow(body, 'statusCode', 'STALE'), -2 * HOUR_MS),
  ),
  assumed(
    'tracking.future',
    '§4.1',
    'A report from more than 24 hours ahead is refused with 400 VA01',
    answered({}, (answer) => mustAnswerCode(answer, 400, 'VA01'), 48 * HOUR_MS),
  ),
  assumed(
    'tracking.early',
    '§4.1',
    'A report from more than 30 days before the return is refused with 400 VA01',
    answered({ trackingNumber: undefined }, (answer) => mustAnswerCode(answer, 400, 'VA01'), -YEARS_MS),
  ),
  assumed(
    'tracking.ended',
    '§4.1',
    'A newer report with the number of a transport that has ended is refused, and changes nothing',
    async (world) => {
      const record = await world.find(
        'whose transport has ended',
        (each) => hasEnded(each) === true && !!each.activeTransportation?.carrierReference,
      )
      const { status, carrierReference } = record.activeTransportation ?? {}
      const answer = await report(world, {
        shopCode: record.shopCode,
        shipmentId: record.name,
        shipmentIdType: 'RETURN_NAME',
        trackingNumber: carrierReference,
        trackingStatus: FORWARD,
        trackingDate: iso(world.now),
      })
      const words = mustRefuse(answer, 'a report on what has ended')
      const now = (await activeOf(world, record))?.status
      must(now === status, `${words}, and it is ${now}`)
      return words
    },
  ),
  assumed(
    'tracking.older',
    '§4.1',
    'An older report is accepted and kept, and changes no state',
    async (world) => {
      const { record, body, at } = await moved(world)
      const before = eventsOf(await activeOf(world, record))
      const older = { ...body, trackingStatus: OLDER, trackingDate: iso(at - HOUR_MS) }
      mustAnswer(await report(world, older), 200, 'an older report')
      const now = await activeOf(world, record)
      const observed = `${now?.status}, ${before} events before, ${eventsOf(now)} after`
      return must(now?.status === FORWARD && eventsOf(now) === before + 1, observed)
    },
  ),
  assumed(
    'tracking.backward',
    '§4.1',
    'A report that goes backward is refused with 400 TR02, and changes no state',
    async (world) => {
      const { record, body, at } = await moved(world)
      const backward = { ...body, trackingStatus: BACKWARD, trackingDate: iso(at + HOUR_MS) }
      const answer = await report(world, backward)
      const words = mustAnswerCode(answer, 400, 'TR02', 'a backward report')
      const status = (await activeOf(world, record))?.status
      must(status === FORWARD, `${words}, and it is ${status}`)
      return words
    },
  ),
  assumed(
    'tracking.unknown-status',
    '§4.1',
    'A status that there is not is refused with 400 TR01',
    answered({ trackingStatus: 'CONFORMANCE' }, (answer) => mustAnswerCode(answer, 400, 'TR01')),
  ),
)
