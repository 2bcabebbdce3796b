import type { TrackingRequest } from '../../wire/tracking.ts'
import { readTrackingNumber } from '../../wire/tracking-numbers.ts'

/** At most so many are kept in words; all are counted. */
const MAX_KEPT = 20

/** Describes a tracking number whose check digit is wrong: a typing error, or a spreadsheet's rounding. */
export function numberDoubt({ trackingNumber, carrierName }: TrackingRequest): string | undefined {
  if (!trackingNumber) return undefined
  const read = readTrackingNumber(trackingNumber, carrierName)
  if (read === undefined || read.isSound) return undefined
  return `${trackingNumber} is no ${read.form} number: its check digit is wrong`
}

/** Rows that are sent with a warning. */
export class RowDoubts {
  readonly found: { row: number; message: string }[] = []
  count = 0

  see(row: number, message: string | undefined): void {
    if (message === undefined) return
    this.count += 1
    if (this.found.length < MAX_KEPT) this.found.push({ row, message })
  }
}
