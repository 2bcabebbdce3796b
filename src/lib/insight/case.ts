import { isReturnOver, isTransportOver } from '../wire/enumerations.ts'
import { at, objectsIn } from '../wire/raw.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import { parseServiceDate } from '../wire/time.ts'
import type { Transportation } from '../wire/transportations.ts'

/** Transports or refunds that were not read are undefined; `[]` says there are none. */
export interface ReturnFacts {
  record: Return
  transportations?: readonly Transportation[]
  refunds?: readonly Refund[]
}

/** Decided (spec §4.8): a missing or unknown status counts as executed if there is a date of execution. */
export function isExecuted({ status, executedAt }: Partial<Refund>) {
  const code = String(status).toUpperCase()
  return code === 'EXECUTED' || (Boolean(executedAt) && code !== 'PENDING' && code !== 'FAILED')
}

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** Rounds to whole minutes. Negative durations, from clocks that disagree, become 0. */
export function minutesOf(durationMs: number): number {
  return Math.max(0, Math.round(durationMs / MINUTE_MS))
}

/** All transports, oldest first. The record's active one is among them, without scans if they lack it. */
export function transportsOf({ record, transportations }: ReturnFacts): Transportation[] {
  const { activeTransportation: active } = record
  const listed = objectsIn(transportations)
  // One without an id may be any of those listed.
  const isListed = listed.some(({ id }) => !active?.id || String(id) === String(active.id))
  return (active && !isListed ? [...listed, active] : listed)
    .map((transport) => ({ transport, at: parseServiceDate(transport.createdAt) ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ transport }) => transport)
}

/** The newest transport that has not ended, else the newest; undefined without any. */
export function lastTransport(facts: ReturnFacts): Transportation | undefined {
  const all = transportsOf(facts)
  return all.findLast(({ status }) => !isTransportOver(status)) ?? all.at(-1)
}

export function scansOf(transport: Transportation) {
  return objectsIn(transport.trackingEvents)
    .flatMap((event) => {
      const at = parseServiceDate(event.date)
      if (at === undefined) return []
      return {
        at,
        date: String(event.date),
        status: String(event.status ?? ''),
        description: event.description ?? undefined,
        /** False for an event that came too late to change the state. */
        applied: event.applied !== false,
        receivedAt: event.receivedAt ?? undefined,
      }
    })
    .sort((a, b) => a.at - b.at)
}

const ARRIVED = ['RECEPTION_COMPLETED', 'RECEIVED', 'CHECKED']

export function awaitsParcel(status: string | null | undefined) {
  return !(isReturnOver(status) || ARRIVED.includes(String(status)))
}

export function isUnderWay(status: unknown): boolean {
  return status === 'PICK_UP_COMPLETED' || status === 'SHIPPING_IN_PROGRESS'
}

export function isPickUp({ serviceType, status, pickupDate }: Transportation) {
  return serviceType === 'pick-up' || status === 'PICK_UP_IN_PROGRESS' || Boolean(pickupDate)
}

export function nameOf(record: Return): string {
  const name = at(record, 'name') ?? at(record, 'id')
  return name === undefined || name === null ? '' : String(name)
}

export function spanText(ms: number): string {
  if (ms < HOUR_MS) return `${minutesOf(ms)} min`
  return ms <= 7 * DAY_MS ? `${Math.floor(ms / HOUR_MS)} h` : `${Math.floor(ms / DAY_MS)} days`
}
