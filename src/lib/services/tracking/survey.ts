import { hash } from 'node:crypto'
import * as z from 'zod'
import { type Claim, Contradictions, Hashes, type RecurringKeys } from '../../bulk/rows/across-rows.ts'
import type { ColumnMapping } from '../../bulk/rows/columns.ts'
import type { RowProblem } from '../../bulk/rows/fields.ts'
import { type RawRow, sourceText } from '../../bulk/rows/row.ts'
import { mappingSchema } from '../../mappings/mapping.ts'
import { readTrackingNumber } from '../../mappings/tracking-numbers.ts'
import { isTransportStatus } from '../../wire/enumerations.ts'
import { normalIdentifier, returnNameIn } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import type { Match } from './number-match.ts'
import { canFollow, type Timing } from './update.ts'

const words = z.record(z.string(), z.string())

export const readingSchema = z.object({
  /** Field → column; takes precedence over the mapping. */
  map: words,
  /** Field → constant. */
  set: words.default({}),
  mapping: mappingSchema.optional(),
  byNumber: z.boolean().optional(),
})
export type RowReading = z.infer<typeof readingSchema>

export interface UpdateRow {
  raw: RawRow
  update: TrackingRequest | undefined
  problems: readonly RowProblem[]
  isRepeated: boolean
  /** Tracking number that the return is looked up by. */
  number?: string | undefined
  /** Set unless the tracking number names exactly one return. */
  unmatched?: Extract<Match, { code: string }>
  timing?: Timing
  /** True if dated after another row ends the transport. */
  isAfterEnd?: boolean
  /** Reading of a local time that the clocks skip or show twice. */
  clockChangeNote?: string
}

export interface Surveying {
  /** Rows read so far, without a total; then rows checked, of a total. */
  onProgress(rows: number, total?: number): void
  isMine?: (row: UpdateRow) => boolean
  shop: string | undefined
}

export function comparison(shipments: RecurringKeys, rows: number) {
  const contradictions = new Contradictions(canFollow)
  const seen = new Hashes(rows)
  const isRepeat = (update: TrackingRequest, row: number): boolean => {
    if (!shipments.mayRecur(nameKey(update.shipmentId))) return false
    // Two of a million different updates share 64 bits with a probability of 3·10⁻⁸.
    const fingerprint = hash('sha256', Object.values(update).join('\0'), 'buffer').readBigUInt64LE()
    if (!seen.add(fingerprint)) return true
    const { shopCode, shipmentId } = update
    contradictions.add(shopCode ? `${shipmentId} (${shopCode})` : shipmentId, claimOf(update, row))
    return false
  }
  return { contradictions, isRepeat }
}

/** Normalises the spellings of a return's name, and the ids of its transports, to one key. */
export function nameKey(id: string): string {
  return normalIdentifier(returnNameIn(id))
}

export function claimOf(
  { trackingStatus, trackingNumber, trackingDate }: TrackingRequest,
  row: number,
): Claim {
  const seconds = Date.parse(trackingDate ?? '') / 1000
  return { row, state: trackingStatus, seconds, number: trackingNumber ?? undefined }
}

/** Warns of a wrong check digit: a typing error, or a spreadsheet's rounding. */
export function numberDoubt({ trackingNumber, carrierName }: TrackingRequest): string | undefined {
  const read = trackingNumber ? readTrackingNumber(trackingNumber, carrierName) : undefined
  if (read === undefined || read.isValid) return undefined
  return `${trackingNumber} is not a ${read.form} number: its check digit is wrong`
}

/** Text of an update for a digest, without a date that rma filled in. */
export function digestText(
  update: TrackingRequest,
  timing: Timing | undefined,
  shop: string | undefined,
): string {
  const { shopCode = shop, trackingDate, ...fields } = update
  const date = timing === 'undated' ? undefined : trackingDate
  return JSON.stringify([shopCode, date, ...Object.values(fields)])
}

/** Words kept per status, since free texts could fill the memory. */
const MAX_WORDS = 1000

/** Words of the status column with their numbers of rows, by status. */
export class StatusWords {
  readonly all = new Map<string, Map<string, number>>()

  see(raw: RawRow, mapping: ColumnMapping, status: string | undefined) {
    const bound = mapping.bind(raw.columns).bound.find(({ field }) => field.name === 'trackingStatus')
    const word = bound && sourceText(raw.cells[bound.at] ?? '').trim()
    if (!word || !isTransportStatus(status)) return
    const words = this.all.get(status) ?? new Map<string, number>()
    const rows = words.get(word) ?? 0
    if (rows > 0 || words.size < MAX_WORDS) this.all.set(status, words.set(word, rows + 1))
  }
}
