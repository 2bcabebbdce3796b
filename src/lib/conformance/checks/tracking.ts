import type { Return } from '../../wire/returns.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { acknowledgementSchema } from '../../wire/tracking.ts'
import { isTransportStatus, leadsTo, TRANSPORT_TRANSITIONS } from '../../wire/transport-states.ts'
import { type Transportation, transportationSchema } from '../../wire/transportations.ts'
import type { Check } from '../check.ts'
import { must } from '../observed.ts'
import { listAt, mustFit, once, type World } from '../platform-view.ts'
import { errorsOf, mustAnswer, mustRefuse, type ProbeAnswer } from '../probe.ts'
import { pathOf } from './single-reads.ts'

const HOUR_MS = 3_600_000
const FORWARD = 'SHIPPING_IN_PROGRESS'
const BACKWARD = 'PICK_UP_IN_PROGRESS'

const report = (world: World, body: object) =>
  world.send({ method: 'POST', path: '/shipping_trackings', body })

/** ISO 8601 in UTC, to the second. */
const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, '')

async function activeOf(world: World, record: Return): Promise<Transportation | undefined> {
  const read = await world.send({ method: 'GET', path: pathOf(record, '/transportations') })
  const id = record.activeTransportation?.id
  return listAt(transportationSchema, read.body, 'transportations').find((transport) => transport.id === id)
}

/** A return on its way, moved forward by the run; later checks are about its shipment. */
const moved = once(async (world: World) => {
  const record = await world.find(`whose transport can come to ${FORWARD}`, ({ activeTransportation }) =>
    leadsTo(activeTransportation?.status, FORWARD),
  )
  const dates = [record.updatedAt, record.activeTransportation?.createdAt]
  const at = Math.max(world.now, ...dates.map((text) => parseServiceDate(text ?? '') ?? 0))
  const body = {
    shopCode: record.shopCode,
    shipmentId: record.name,
    shipmentIdType: 'RETURN_NAME',
    trackingNumber: `CONF${world.runId}`,
    trackingStatus: FORWARD,
    trackingDate: iso(at),
  }
  return { record, body, at, answer: await report(world, body), after: await activeOf(world, record) }
})

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
    source: '§4.1',
    basis: 'spec',
    writes: true,
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
    source: '§4.1',
    basis: 'spec',
    writes: true,
    run: async (world) => {
      const { answer } = await moved(world)
      const words = mustAnswer(answer, 200)
      mustFit(acknowledgementSchema, [answer.body], 'answers')
      return words
    },
  },
  {
    id: 'tracking.applied',
    specified: 'The active transportation then has the status reported',
    source: '§4.1',
    basis: 'spec',
    writes: true,
    run: async (world) => {
      const { record, after } = await moved(world)
      must(after?.status === FORWARD, `${record.name} is ${after?.status}`)
      return `${record.name} is ${after?.status}`
    },
  },
  {
    id: 'tracking.number',
    specified: 'An accepted tracking number is stored on the transportation',
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { after, body } = await moved(world)
      must(after?.carrierReference === body.trackingNumber, `carrierReference ${after?.carrierReference}`)
      return `carrierReference ${after?.carrierReference}`
    },
  },
  {
    id: 'tracking.return-follows',
    specified: `${FORWARD} moves the return to RECEPTION_IN_PROGRESS`,
    source: '§3',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { record } = await moved(world)
      const { body } = await world.send({ method: 'GET', path: pathOf(record) })
      const status = typeof body === 'object' && body !== null ? Reflect.get(body, 'status') : undefined
      must(status === 'RECEPTION_IN_PROGRESS', `${record.name} is ${status}`)
      return `${record.name} is ${status}`
    },
  },
  {
    id: 'tracking.repeated',
    specified: 'The same report again is accepted, and makes no new event',
    source: '§4.1',
    basis: 'assumed',
    writes: true,
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
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { body } = await moved(world)
      return mustSay('DUPLICATE', await report(world, body))
    },
  },
  {
    id: 'tracking.older-code',
    specified: 'The statusCode of an older report is STALE',
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { body, at } = await moved(world)
      const older = { ...body, trackingStatus: BACKWARD, trackingDate: iso(at - 2 * HOUR_MS) }
      return mustSay('STALE', await report(world, older))
    },
  },
  {
    id: 'tracking.future',
    specified: 'A report from more than 24 hours ahead is refused with 400 VA01',
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { body, at } = await moved(world)
      const answer = await report(world, { ...body, trackingDate: iso(at + 48 * HOUR_MS) })
      const words = mustAnswer(answer, 400)
      must(errorsOf(answer.body)[0]?.code === 'VA01', words)
      return words
    },
  },
  {
    id: 'tracking.ended',
    specified: 'A newer report with the number of a transport that has ended is refused, and changes nothing',
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const record = await world.find('whose transport has ended', ({ activeTransportation: t }) => {
        const isOver = isTransportStatus(t?.status) && TRANSPORT_TRANSITIONS[t.status].length === 0
        return isOver && !!t.carrierReference
      })
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
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { record, body, at } = await moved(world)
      const before = eventsOf(await activeOf(world, record))
      const older = { ...body, trackingStatus: BACKWARD, trackingDate: iso(at - HOUR_MS) }
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
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { record, body, at } = await moved(world)
      const backward = { ...body, trackingStatus: BACKWARD, trackingDate: iso(at + HOUR_MS) }
      const answer = await report(world, backward)
      const words = mustAnswer(answer, 400, 'a backward report')
      must(errorsOf(answer.body)[0]?.code === 'TR02', words)
      const status = (await activeOf(world, record))?.status
      must(status === FORWARD, `${words}, and it is ${status}`)
      return words
    },
  },
  {
    id: 'tracking.unknown-status',
    specified: 'A status that there is not is refused with 400 TR01',
    source: '§4.1',
    basis: 'assumed',
    writes: true,
    run: async (world) => {
      const { body } = await moved(world)
      const answer = await report(world, { ...body, trackingStatus: 'CONFORMANCE' })
      const words = mustAnswer(answer, 400)
      must(errorsOf(answer.body)[0]?.code === 'TR01', words)
      return words
    },
  },
]
