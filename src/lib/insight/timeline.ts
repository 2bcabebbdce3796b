import { counted } from '../wire/counted.ts'
import { isReturnOver } from '../wire/enumerations.ts'
import { numberText } from '../wire/json.ts'
import type { LabelSet } from '../wire/labels.ts'
import { amountText } from '../wire/money.ts'
import { joinParts, objectsIn } from '../wire/raw.ts'
import type { Refund } from '../wire/refunds.ts'
import { parseServiceDate } from '../wire/time.ts'
import type { Transportation } from '../wire/transportations.ts'
import { wordsOf } from '../wire/words.ts'
import { DAY_MS, isExecuted, type ReturnFacts, scansOf, spanText, transportsOf } from './case.ts'
import { type Difference, reconcile } from './reconcile.ts'
import { StuckFinder } from './stuck.ts'

const GAP_MS = 3 * DAY_MS

/** @param labelsOf label sets of each transport, by its client reference */
export function timelineOf(
  facts: ReturnFacts,
  labelsOf: ReadonlyMap<string, readonly LabelSet[]>,
  now: number,
) {
  const happened = [
    ...returnEntries(facts),
    ...transportsOf(facts).flatMap((transport) => transportEntries(transport, labelsOf)),
    ...objectsIn(facts.refunds).flatMap(refundEntries),
  ]
  // An undated entry takes the time of the previous one.
  let last = 0
  const dated = happened.map((entry) => {
    last = parseServiceDate(entry.date) ?? last
    return { at: last, entry }
  })
  dated.sort((a, b) => a.at - b.at)
  const entries = dated.flatMap(({ at, entry }, index) => {
    const before = dated[index - 1]?.at
    return before === undefined ? [entry] : [...gapEntries(before, at, 'until then'), entry]
  })
  const end = dated.at(-1)?.at
  const isOpen = !isReturnOver(facts.record.status) && end !== undefined
  return {
    /** Oldest first. Undated entries follow the entry that they belong to. */
    entries: isOpen ? [...entries, ...gapEntries(end, now, 'until now')] : entries,
    problems: problemsOf(facts, now),
  }
}

function returnEntries({ record }: ReturnFacts) {
  const { createdAt, updatedAt, cancelledAt, status, totalRefund, totalReturnFee, currency } = record
  const items = objectsIn(record.returnLineItems)
  const fee =
    Number(numberText(totalReturnFee)) > 0 ? ` after a fee of ${amountText(totalReturnFee, currency)}` : ''
  const refund = amountText(totalRefund, currency)
  const worth = refund === '' ? '' : `, ${refund} to come back${fee}`
  const count = counted(items.length, 'item')
  return [
    entry(createdAt, 'return', 'requested', `${count}${worth}`),
    ...(cancelledAt ? [entry(cancelledAt, 'return', 'called off', '')] : []),
    ...(updatedAt && updatedAt !== createdAt
      ? [entry(updatedAt, 'return', wordsOf('returnStatus', status), 'its latest change')]
      : []),
  ]
}

function transportEntries(transport: Transportation, labelsOf: ReadonlyMap<string, readonly LabelSet[]>) {
  const { createdAt, carrierCode, serviceMessage, clientReference, pickupDate } = transport
  const about = [carrierCode, serviceMessage, pickupDate && `pick-up on ${pickupDate}`, clientReference]
  return [
    entry(createdAt, 'transport', 'requested', joinParts(about)),
    ...labelEntries(transport, labelsOf.get(clientReference ?? '') ?? []),
    ...scansOf(transport).map(({ date, at, status, description, applied, receivedAt }) => {
      const receivedMs = parseServiceDate(receivedAt)
      const late =
        receivedMs !== undefined && receivedMs - at > DAY_MS ? `told ${spanText(receivedMs - at)} later` : ''
      const notes = [description, late, applied ? '' : 'came too late to count']
      return entry(date, 'scan', wordsOf('transportStatus', status), joinParts(notes))
    }),
    ...objectsIn(transport.formerShippingLabels).map(({ replacedAt, shippingLabels }) =>
      entry(replacedAt, 'label', 'replaced', codesOf(shippingLabels)),
    ),
  ]
}

/** Labels have no date, so they follow their transport. */
function labelEntries(transport: Transportation, sets: readonly LabelSet[]) {
  const { carrierReference, carrierLabel, shippingLabels } = transport
  if (sets.length > 0) {
    return sets.map(({ carrierServiceCode, shippingLabels: labels }) =>
      entry(undefined, 'label', 'made', joinParts([carrierServiceCode, codesOf(labels)])),
    )
  }
  const known = codesOf(shippingLabels) || carrierReference || carrierLabel
  return known ? [entry(undefined, 'label', 'known', known)] : []
}

function codesOf(labels: readonly { carrierTrackingCode?: string | null }[] | null | undefined) {
  return objectsIn(labels)
    .flatMap(({ carrierTrackingCode }) => carrierTrackingCode ?? [])
    .join(', ')
}

function refundEntries(refund: Refund) {
  const { createdAt, executedAt, status, amount, currency, refundType, refundMode } = refund
  const worth = amountText(amount, currency)
  const what = [worth, wordsOf('refundType', refundType)]
  const planned = entry(
    createdAt,
    'refund',
    'planned',
    joinParts([...what, wordsOf('refundMode', refundMode)]),
  )
  if (isExecuted(refund)) return [planned, entry(executedAt, 'refund', 'executed', joinParts(what))]
  return status === 'FAILED' ? [planned, entry(undefined, 'refund', 'failed', worth)] : [planned]
}

function gapEntries(from: number, to: number, end: string) {
  if (to - from <= GAP_MS) return []
  return [entry(undefined, 'gap', `nothing for ${spanText(to - from)}`, end)]
}

function problemsOf(facts: ReturnFacts, now: number) {
  const finder = new StuckFinder(now)
  finder.add(facts)
  return [...[...finder.found()].map(({ why }) => why), ...reconcile(facts).map(differenceText)]
}

function differenceText({ kind, line, currency, expected, actual, why }: Difference) {
  const [wanted, found] = [expected, actual].map((text) =>
    /^-?\d/.test(expected) ? amountText(text, currency) : text,
  )
  return `${kind}${line ? ` ${line}` : ''}: ${wanted} expected, ${found} found (${why})`
}

function entry(
  date: string | null | undefined,
  of: 'return' | 'transport' | 'scan' | 'label' | 'refund' | 'gap',
  what: string,
  detail: string,
) {
  return { date: date ?? undefined, of, what, detail }
}
