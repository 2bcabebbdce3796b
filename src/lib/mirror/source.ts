import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import type { Transportation } from '../wire/transportations.ts'

/** Ms since the epoch, whole seconds; both ends included. */
export interface PageFilter {
  createdFromMs?: number | undefined
  createdToMs?: number | undefined
  updatedFromMs?: number | undefined
}

export interface PageQuery extends PageFilter {
  limit: number
  /** From 1. */
  page: number
}

export interface SourcePage {
  records: readonly Return[]
  /** Undefined where the platform does not say. */
  totalRecords: number | undefined
  /** Of a sandbox's data: another one after a reset. */
  sandboxId?: string | undefined
  /** The platform's clock at the answer; undefined where it does not say. */
  nowMs?: number | undefined
}

/** What is copied from. Each throws what the requests throw. */
export interface MirrorSource {
  page(query: PageQuery): Promise<SourcePage>
  /** Undefined: there is no such return any more. */
  transportations(id: string): Promise<readonly Transportation[] | undefined>
  refunds(id: string): Promise<readonly Refund[] | undefined>
}
