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
  page: number
}

export interface SourcePage {
  records: readonly Return[]
  /** Items of the page, what is no record included; undefined: there is nothing of that. */
  received?: number | undefined
  totalRecords: number | undefined
  /** Id of a sandbox's data, which a reset changes. */
  sandboxId?: string | undefined
  nowMs?: number | undefined
}

export interface PageSource {
  page(query: PageQuery): Promise<SourcePage>
}
