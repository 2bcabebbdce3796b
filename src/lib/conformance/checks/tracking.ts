import { at } from '../../wire/raw.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { leadsTo } from '../../wire/transport-states.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, spec, WRITES } from '../check.ts'
import { must, need } from '../observed.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, mustRefuse, type ProbeAnswer } from '../probe.ts'
import { activeOf, hasEnded, mustShow, pathOf } from './single-reads.ts'

const HOUR_MS = 3_600_000
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
  return { record, body, at, answer: await report(world, body), after: await activeOf(world, record) }
})

/** Where the fields of a report are shown on the transportation. */
const SHOWN = {
  'tracking.number': ['trackingNumber', 'carrierReference'],
  'tracking.url': ['trackingUrl', 'carrierTrackingUrl'],
  'tracking.carrier': ['carrierName', 'carrierCode'],
} as const

function shownCheck(id: keyof typeof SHOWN): Check {
  const [sent, shown] = SHOWN[id]
  return {
    id,
    specified: `The ${sent} of an accepted report is stored on the transportation`,
    ...assumed('§2.4, §4.1', WRITES),
    run: async (world) => {
      const { after, body } = await moved(world)
      return mustShow(after, shown, need(body[sent], `no ${sent} to send`))
    },
  }
}

/** @throws Departure unless the answer is a success with that code */
function mustSay(statusCode: string, answer: ProbeAnswer): string {
  mustAnswer(answer, 200)
  const said = acknowledgementSchema.safeParse(answer.body).data?.statusCode
  must(said === statusCode, `statusCode ${said}`)
  return `statusCode ${said}`
}

const eventsOf = (transport: Transportation | undefined) => transport?.trackingEvents?.length ?? 0

/** Spec §4.1. */
export const TRACKING_CHECKS: readonly Check[] = [
  {
    id: 'tracking.unknown-shipment',
    specified: 'A report for a shipment that there is not is refused',
    ...spec('§4.1', WRITES),
    run: async (world) => {
      const shopCode = world.shop ?? (await world.sample())[0]?.shopCode
      const shipmentId = 'R#-CONFORMANCE-NO-SUCH-SHIPMENT'
      return mustRefuse(
        await report(world, { shopCode, shipmentId, shipmentIdType: 'RETURN_NAME', trackingStatus: FORWARD }),
      )
    },
  },
  {
    id: 'tracking.forward',
    specified: 'A report is answered with statusCode and description',
    ...spec('§4.1', { ...WRITES, shows: 'POST /shipping_trackings' }),
    run: async (world) => {
      const { answer } = await moved(world)
      const words = mustAnswer(answer, 200)
      mustFit(acknowledgementSchema.partial(), [answer.body], 'answers')
      return words
    },
  },
  {
    id: 'tracking.answer',
    specified: 'The answer has both of them',
    ...assumed('§4.1', WRITES),
    run: async (world) => mustFit(acknowledgementSchema, [(await moved(world)).answer.body], 'answers'),
  },
  {
    id: 'tracking.applied',
    specified: 'The active transportation then has the status reported',
    ...spec('§2.4, §4.1', WRITES),
    run: async (world) =>
      mustShow(await world.listedNow((await moved(world)).record), 'activeTransportation.status', FORWARD),
  },
  shownCheck('tracking.number'),
  shownCheck('tracking.url'),
  shownCheck('tracking.carrier'),
  {
    id: 'tracking.description',
    specified: 'The event has the description of the report',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { after, body } = await moved(world)
      return mustShow(after?.trackingEvents?.at(-1), 'description', body.trackingStatusDescription)
    },
  },
  {
    id: 'tracking.date',
    specified: 'The event has the date of the report',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { after, at } = await moved(world)
      const date = parseServiceDate(after?.trackingEvents?.at(-1)?.date ?? '')
      return mustShow({ date }, 'date', Math.floor(at / 1000) * 1000)
    },
  },
  {
    id: 'tracking.unknown-type',
    specified: 'An unknown shipmentIdType is refused with 400',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { body } = await moved(world)
      return mustAnswer(await report(world, { ...body, shipmentIdType: 'CONFORMANCE' }), 400)
    },
  },
  {
    id: 'tracking.return-follows',
    specified: `${FORWARD} moves the return to RECEPTION_IN_PROGRESS`,
    ...assumed('§3', WRITES),
    run: async (world) => {
      const { record } = await moved(world)
      const { body } = await world.send({ method: 'GET', path: pathOf(record) })
      const status = at(body, 'status')
      must(status === 'RECEPTION_IN_PROGRESS', `${record.name} is ${status}`)
      return `${record.name} is ${status}`
    },
  },
  {
    id: 'tracking.repeated',
    specified: 'The same report again is accepted, and makes no new event',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { record, body, after } = await moved(world)
      mustAnswer(await report(world, body), 200, 'the same report')
      const [before, now] = [after, await activeOf(world, record)].map(eventsOf)
      must(before === now, `${before} events before, ${now} after`)
      return `${now} events before and after`
    },
  },
  {
    id: 'tracking.repeated-code',
    specified: 'The statusCode of the same report again is DUPLICATE',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { body } = await moved(world)
      return mustSay('DUPLICATE', await report(world, body))
    },
  },
  {
    id: 'tracking.older-code',
    specified: 'The statusCode of an older report is STALE',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { body, at } = await moved(world)
      const older = { ...body, trackingStatus: OLDER, trackingDate: iso(at - 2 * HOUR_MS) }
      return mustSay('STALE', await report(world, older))
    },
  },
  {
    id: 'tracking.future',
    specified: 'A report from more than 24 hours ahead is refused with 400 VA01',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { body, at } = await moved(world)
      const answer = await report(world, { ...body, trackingDate: iso(at + 48 * HOUR_MS) })
      return mustAnswerCode(answer, 400, 'VA01')
    },
  },
  {
    id: 'tracking.ended',
    specified: 'A newer report with the number of a transport that has ended is refused, and changes nothing',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
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
  },
  {
    id: 'tracking.older',
    specified: 'An older report is accepted and kept, and changes no state',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { record, body, at } = await moved(world)
      const before = eventsOf(await activeOf(world, record))
      const older = { ...body, trackingStatus: OLDER, trackingDate: iso(at - HOUR_MS) }
      mustAnswer(await report(world, older), 200, 'an older report')
      const now = await activeOf(world, record)
      const observed = `${now?.status}, ${before} events before, ${eventsOf(now)} after`
      must(now?.status === FORWARD && eventsOf(now) === before + 1, observed)
      return observed
    },
  },
  {
    id: 'tracking.backward',
    specified: 'A report that goes backward is refused with 400 TR02, and changes no state',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { record, body, at } = await moved(world)
      const backward = { ...body, trackingStatus: BACKWARD, trackingDate: iso(at + HOUR_MS) }
      const answer = await report(world, backward)
      const words = mustAnswerCode(answer, 400, 'TR02', 'a backward report')
      const status = (await activeOf(world, record))?.status
      must(status === FORWARD, `${words}, and it is ${status}`)
      return words
    },
  },
  {
    id: 'tracking.unknown-status',
    specified: 'A status that there is not is refused with 400 TR01',
    ...assumed('§4.1', WRITES),
    run: async (world) => {
      const { body } = await moved(world)
      const answer = await report(world, { ...body, trackingStatus: 'CONFORMANCE' })
      return mustAnswerCode(answer, 400, 'TR01')
    },
  },
]
