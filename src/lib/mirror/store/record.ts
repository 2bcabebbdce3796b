import type { PageRecord } from '../../walk/page-source.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'

/** A return and what was copied besides, each as the platform sent it, with its dates in UTC. */
export interface MirroredReturn {
  record: Return
  /** `record` as `stringifyJson` writes it, in UTF-8; undefined: it has to be written. */
  json?: Uint8Array | undefined
  /** Absent if not copied; empty if there were none. */
  transportations?: Transportation[] | undefined
  refunds?: Refund[] | undefined
  /** When it was asked for, by this machine's clock: ISO 8601 in UTC. */
  syncedAt: string
}

/** Reads the records of a page one by one. */
export function* mirrored(
  records: readonly PageRecord[],
  syncedAt: string,
): Generator<MirroredReturn, void, undefined> {
  for (const one of records) {
    const { record, json } = one.read()
    yield { record, json: json(), syncedAt }
  }
}

/** Numbers of records by their effect on a mirror. */
export interface Applied {
  added: number
  changed: number
  same: number
  /** Records of people to be forgotten, or too old. */
  refused: number
}

export const NOTHING_APPLIED: Readonly<Applied> = { added: 0, changed: 0, same: 0, refused: 0 }

/** Which returns; all that is given has to hold. Times are ms since the epoch, both ends included. */
export interface MirrorFilter {
  name?: string | undefined
  status?: string | undefined
  /** Id or name of the order. */
  order?: string | undefined
  shop?: string | undefined
  createdFromMs?: number | undefined
  createdToMs?: number | undefined
  updatedFromMs?: number | undefined
  updatedToMs?: number | undefined
  /** A refund executed then. */
  refundedFromMs?: number | undefined
  refundedToMs?: number | undefined
}
