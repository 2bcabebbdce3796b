import type { Claim } from '../../bulk/rows/across-rows.ts'
import { AFTER_END_HINT } from '../../bulk/rows/fields.ts'
import { isReplaced, leadsTo } from '../../wire/enumerations.ts'
import { isPlainName, labelForm, normalIdentifier } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import { claimOf } from './survey.ts'
import { checkUpdate, type FieldProblem, knownStatus, type UpdateFields, type UpdateRules } from './update.ts'

/**
 * Finds updates that the file dates after a failure or cancellation of their transport: they would move its
 * replacement, or be sent before it. Evidence may come later in the file: `see` every row, then ask about each.
 */
export function endedTransports(rules: UpdateRules, isByNumber: boolean | undefined) {
  const ends = new Map<string, readonly Claim[]>()
  const keyOf = ({ shipmentId, shopCode, trackingNumber }: TrackingRequest) => {
    const name = `${labelForm(shipmentId)?.name ?? shipmentId}|${shopCode}`
    return normalIdentifier((isByNumber && trackingNumber) || name)
  }
  return {
    see(fields: UpdateFields, row: number): void {
      if (!isReplaced(knownStatus(fields.trackingStatus ?? ''))) return
      const { update } = checkUpdate(fields, rules)
      const [key, claim] = [keyOf(update), claimOf(update, row)]
      const known = ends.get(key) ?? []
      if (!known.some((end) => end.state === claim.state && precedes(end, claim)))
        ends.set(key, [...known, claim])
    },

    /** Repeated ends are left to the platform, and ids of transports to the moment of sending. */
    problems(update: TrackingRequest, row: number): FieldProblem[] {
      if (ends.size === 0 || !isPlainName(update.shipmentId)) return []
      const claim = claimOf(update, row)
      const { state: value } = claim
      const end = ends.get(keyOf(update))?.find((one) => one.state !== value && precedes(one, claim))
      if (end === undefined) return []
      const message = `can't follow row ${end.row}, in which ${update.shipmentId} is ${end.state}`
      return [{ field: 'trackingStatus', value, message, hint: AFTER_END_HINT }]
    },
  }
}

/** Different numbers are of different transports. */
function precedes(end: Claim, { seconds, state, number = end.number }: Claim): boolean {
  const isLater = seconds > end.seconds || (seconds === end.seconds && !leadsTo(state, end.state))
  return isLater && normalIdentifier(number ?? '') === normalIdentifier(end.number ?? number ?? '')
}
