import type { Claim } from '../../bulk/rows/across-rows.ts'
import { isReplaced, leadsTo } from '../../wire/enumerations.ts'
import { isPlainName, labelForm, normalIdentifier } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import { claimOf } from './survey.ts'
import { checkUpdate, type FieldProblem, knownStatus, type UpdateFields, type UpdateRules } from './update.ts'

/**
 * Finds updates that the file dates after a failure or cancellation of their transport: they would move its
 * replacement, or be sent before it. Evidence may come later in the file: `see` every row, then ask about each.
 */
export class EndedTransports {
  readonly #ends = new Map<string, Claim[]>()

  constructor(
    private readonly rules: UpdateRules,
    private readonly isByNumber = false,
  ) {}

  see(fields: UpdateFields, row: number): void {
    if (!isReplaced(knownStatus(fields.trackingStatus ?? ''))) return
    const { update } = checkUpdate(fields, this.rules)
    const ends = this.#endsOf(update)
    const claim = claimOf(update, row)
    if (!ends.some((end) => end.state === claim.state && precedes(end, claim)))
      this.#ends.set(this.#keyOf(update), [...ends, claim])
  }

  /** Repeated ends are left to the platform, and ids of transports to the moment of sending. */
  problems(update: TrackingRequest, row: number): FieldProblem[] {
    const claim = claimOf(update, row)
    const end = this.#endsOf(update).find((one) => one.state !== claim.state && precedes(one, claim))
    if (end === undefined || !isPlainName(update.shipmentId)) return []
    return [
      {
        field: 'trackingStatus',
        value: claim.state,
        message: `can't follow row ${end.row}, in which ${update.shipmentId} is ${end.state}`,
        hint: 'leave out the wrong one of the two rows, or give each the tracking number of its transport',
      },
    ]
  }

  #endsOf(update: TrackingRequest): readonly Claim[] {
    return this.#ends.get(this.#keyOf(update)) ?? []
  }

  #keyOf({ shipmentId, shopCode, trackingNumber }: TrackingRequest): string {
    if (this.isByNumber) return normalIdentifier(trackingNumber ?? '')
    return `${labelForm(shipmentId)?.name ?? shipmentId}\0${shopCode}`
  }
}

/** Different numbers are of different transports. */
function precedes(end: Claim, { seconds, state, number = end.number }: Claim): boolean {
  const isLater = seconds > end.seconds || (seconds === end.seconds && !leadsTo(state, end.state))
  return isLater && normalIdentifier(number ?? '') === normalIdentifier(end.number ?? number ?? '')
}
