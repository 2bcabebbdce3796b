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
  /** Counts from 1. */
  page: number
}

export interface SourcePage {
  records: readonly Return[]
  /** Items of the page, what is no record included; undefined: there is nothing of that. */
  received?: number | undefined
  /** Absent if the platform does not say. */
  totalRecords: number | undefined
  /** Id of a sandbox's data, which a reset changes. */
  sandboxId?: string | undefined
  /** The platform's clock at the answer; undefined where it does not say. */
  nowMs?: number | undefined
}

/** Source of returns, with every date in UTC. */
export interface PageSource {
  /** @throws what the request throws */
  page(query: PageQuery): Promise<SourcePage>
}
