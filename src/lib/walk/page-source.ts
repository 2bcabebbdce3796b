import type { Return } from '../wire/returns.ts'

/** Ms since the epoch, whole seconds; both ends included. */
export interface PageFilter {
  createdFromMs?: number | undefined
  createdToMs?: number | undefined
  updatedFromMs?: number | undefined
  updatedToMs?: number | undefined
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
  /** One of `records` as `stringifyJson` writes it, in UTF-8, where that is known without writing it. */
  jsonOf?: (record: Return) => Uint8Array | undefined
}

/** Where returns come from, every date in UTC. */
export interface PageSource {
  /** @throws what the request throws */
  page(query: PageQuery): Promise<SourcePage>
}
