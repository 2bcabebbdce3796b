import type { Claim, RecurringKeys } from '../../bulk/rows/across-rows.ts'
import { isReplaced, leadsTo } from '../../wire/enumerations.ts'
import { isPlainName, normalIdentifier } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import { claimOf, nameKey, type UpdateRow } from './survey.ts'
import type { FieldProblem } from './update.ts'

const HINT = 'leave out the wrong one of the two rows, or give each the tracking number of its transport'

/**
 * Finds updates dated after a failure or cancellation of their transport in the same file: they would move its
 * replacement. The end may be in a later row.
 */
export class EndedTransports {
  /** Earliest ends by shipment and tracking number; `*` stands for any number. */
  readonly #ends = new Map<string, Claim>()

  /** Leaves out shipments with one row to save memory. */
  async see(rows: AsyncIterable<readonly UpdateRow[]>, shipments: RecurringKeys) {
    for await (const batch of rows)
      for (const { update, raw } of batch)
        if (update && isReplaced(update.trackingStatus) && shipments.mayRecur(nameKey(update.shipmentId)))
          this.#add(update, raw.row)
  }

  #add(update: TrackingRequest, row: number) {
    const claim = claimOf(update, row)
    for (const number of ['*', update.trackingNumber ?? '']) {
      const key = keyOf(update, number)
      const { seconds = Number.POSITIVE_INFINITY } = this.#ends.get(key) ?? {}
      if (claim.seconds < seconds) this.#ends.set(key, claim)
    }
  }

  /** Ignores repeated ends, and rows that name a transport, which are judged when they are sent. */
  problems(update: TrackingRequest, row: number): FieldProblem[] {
    if (this.#ends.size === 0 || !isPlainName(update.shipmentId)) return []
    const claim = claimOf(update, row)
    const { state: value, number } = claim
    const end = (number ? [number, ''] : ['*'])
      .flatMap((one) => this.#ends.get(keyOf(update, one)) ?? [])
      .find((one) => one.state !== value && precedes(one, claim))
    if (end === undefined) return []
    const message = `can't follow row ${end.row}, in which ${update.shipmentId} is ${end.state}`
    return [{ field: 'trackingStatus', value, message, hint: HINT, mustBeRetyped: true }]
  }
}

function keyOf({ shipmentId, shopCode }: TrackingRequest, number: string) {
  return `${nameKey(shipmentId)}|${shopCode}|${normalIdentifier(number)}`
}

function precedes(end: Claim, { seconds, state }: Claim) {
  return seconds > end.seconds || (seconds === end.seconds && !leadsTo(state, end.state))
}
