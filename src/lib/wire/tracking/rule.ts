import { isReplaced, isTransportOver, isTransportStatus, leadsTo } from '../enumerations.ts'
import { normalIdentifier } from '../return-names.ts'

/** Later dates would make everything after them stale. */
export const MAX_AHEAD_MS = 24 * 3_600_000
/**
 * Earlier updates can't be about the return. A label enclosed in the order may be scanned some days before.
 */
const MAX_BEFORE_RETURN_MS = 30 * 24 * 3_600_000

export interface TrackingFacts {
  status: string
  date: number
  number: string | undefined
  url: string | undefined
  carrier: string | undefined
}

/** Null: the event had none. Undefined: the platform does not show it. */
export interface KnownEvent {
  status: string
  date: number
  isApplied: boolean
  number?: string | null
  url?: string | null
  carrier?: string | null
}

export interface KnownTransport {
  status: string
  isDropOff: boolean
  number: string | undefined
  url: string | undefined
  carrier: string | undefined
  otherNumbers: readonly string[]
  events: readonly KnownEvent[]
}

export interface KnownReturn {
  /** Absent if the platform does not show it. */
  createdAt: number | undefined
  isAwaited: boolean
  /** Oldest first. */
  transports: readonly KnownTransport[]
}

/** Reason why a transport takes no update. */
export type Refusal = 'ended' | 'order' | 'drop-off' | 'former'

/** `transport` is the index of a transport of the return. */
export type Judgement =
  | { verdict: 'applied' | 'duplicate' | 'stale'; transport: number }
  | { verdict: 'refused'; transport: number; because: Refusal }
  | { verdict: 'none' }
  | { verdict: 'too early' }

/**
 * Decides what a platform does with an update, by its history alone. Decided (spec §4.1 leaves it open):
 * - An update is about the newest transport with its number. One without a number is about the transport that has a later event. All others are about the active one.
 * - Equal status, date, number, URL and carrier make a duplicate. A transport that has ended takes a missing field for an equal one.
 * - An update is stale if it is older than the last applied event of its transport, or has the same date and an earlier state.
 * - A further scan in the same state is applied, unless the transport has ended.
 * `named` is the index of the transport that the update's id names.
 */
export function judgeUpdate(update: TrackingFacts, known: KnownReturn, named?: number): Judgement {
  const { createdAt, transports } = known
  if (createdAt !== undefined && update.date < createdAt - MAX_BEFORE_RETURN_MS)
    return { verdict: 'too early' }
  const own = named ?? transports.findLastIndex((transport) => hasNumber(transport, update.number))
  const repeated = transports.findIndex((transport, at) => {
    if (named !== undefined && at !== named) return false
    return transport.events.some((event) => isSame(event, update, transport, own < 0 || own === at))
  })
  if (repeated >= 0) return { verdict: 'duplicate', transport: repeated }
  const transport = own >= 0 ? own : positionByDate(update, transports)
  const found = transports[transport]
  if (found === undefined) return { verdict: 'none' }
  const last = lastApplied(found)
  const isBackward = update.date === last && leadsTo(update.status, found.status)
  const because = refusal(update, transports, transport)
  if (because !== 'drop-off' && (update.date < last || (because !== undefined && isBackward)))
    return { verdict: 'stale', transport }
  if (because === undefined) return { verdict: 'applied', transport }
  // The update may be of a transport that the platform does not know.
  const isOfUnknownTransport =
    because === 'ended' && own < 0 && transports.every(({ status }) => isTransportOver(status))
  return isOfUnknownTransport ? { verdict: 'none' } : { verdict: 'refused', transport, because }
}

function refusal(
  { status, number }: TrackingFacts,
  transports: readonly KnownTransport[],
  at: number,
): Refusal | undefined {
  const { status: current = '', isDropOff = false } = transports[at] ?? {}
  if (isDropOff && status.startsWith('PICK_UP_')) return 'drop-off'
  if (isTransportOver(current)) return 'ended'
  if (number === undefined && current === 'REQUESTED' && transports[at - 1]?.status === status)
    return 'former'
  // The specification does not say what follows other states.
  const isOpen = !isTransportStatus(status) || !isTransportStatus(current)
  return isOpen || current === status || leadsTo(current, status) ? undefined : 'order'
}

export function afterUpdate(known: KnownReturn, update: TrackingFacts, judged: Judgement): KnownReturn {
  if (judged.verdict !== 'applied' && judged.verdict !== 'stale') return known
  const { isAwaited, transports } = known
  const before = transports[judged.transport]
  if (before === undefined) return known
  const isApplied = judged.verdict === 'applied'
  const { status, date, number = null, url = null, carrier = null } = update
  const events = [...before.events, { status, date, isApplied, number, url, carrier }]
  const moved = isApplied ? withUpdate(before, update) : before
  const after = transports.with(judged.transport, { ...moved, events })
  const hasNext = isApplied && isAwaited && isReplaced(status)
  return { ...known, transports: hasNext ? [...after, replacementOf(before)] : after }
}

function withUpdate(before: KnownTransport, { status, number, url, carrier }: TrackingFacts): KnownTransport {
  const isOther = number !== undefined && number !== before.number
  return {
    ...before,
    status,
    number: number ?? before.number,
    otherNumbers: before.number === undefined ? before.otherNumbers : [...before.otherNumbers, before.number],
    url: url ?? (isOther ? undefined : before.url),
    carrier: carrier ?? before.carrier,
  }
}

function replacementOf({ isDropOff, carrier }: KnownTransport): KnownTransport {
  const nothing = { number: undefined, url: undefined, otherNumbers: [], events: [] }
  return { status: 'REQUESTED', isDropOff, carrier, ...nothing }
}

function positionByDate({ date, number }: TrackingFacts, transports: readonly KnownTransport[]) {
  const at = transports.findIndex((transport) => {
    const last = lastApplied(transport)
    return number === undefined && (last > date || (last === date && isTransportOver(transport.status)))
  })
  return at >= 0 ? at : transports.findLastIndex(({ status }) => !isTransportOver(status))
}

function hasNumber({ number: own, otherNumbers, events }: KnownTransport, number: string | undefined) {
  if (number === undefined) return false
  const applied = events.map((event) => (event.isApplied ? event.number : undefined))
  const form = normalIdentifier(number)
  return [own, ...otherNumbers, ...applied].some((one) => one && normalIdentifier(one) === form)
}

export const SHOWN_FIELDS = ['number', 'url', 'carrier'] as const

/** @param isOwn false if the update has another transport's number */
function isSame(event: KnownEvent, update: TrackingFacts, transport: KnownTransport, isOwn: boolean) {
  if (event.status !== update.status || event.date !== update.date) return false
  if (SHOWN_FIELDS.every((field) => isEqual(event[field], update[field], transport[field]))) return true
  const fits = (shown: string | null | undefined, sent: string | undefined) =>
    shown === undefined || shown === null || sent === undefined || shown === sent
  return (
    isOwn &&
    isTransportOver(transport.status) &&
    SHOWN_FIELDS.every((field) => fits(event[field], update[field]))
  )
}

/** Events have the fields of their transport unless they show others. */
function isEqual(
  shown: string | null | undefined,
  sent: string | undefined,
  ofTransport: string | undefined,
) {
  if (shown === undefined) return sent === undefined || sent === ofTransport
  return (shown ?? undefined) === sent
}

function lastApplied({ events }: KnownTransport) {
  let last = Number.NEGATIVE_INFINITY
  for (const { date, isApplied } of events) if (isApplied && date > last) last = date
  return last
}
