import type { Return } from '../wire/returns.ts'

/** Ms since the epoch, whole seconds; both ends included. */
export interface PageFilter {
  createdFromMs?: number
  createdToMs?: number
  updatedFromMs?: number
  updatedToMs?: number
}

export interface PageQuery extends PageFilter {
  limit: number
  page: number
}

export interface SourcePage {
  records: readonly Return[]
  /** Number of items on the page, malformed ones included. Default: all are records. */
  received?: number
  totalRecords: number | undefined
  /** Id of a sandbox's data, which a reset changes. */
  sandboxId?: string
  nowMs?: number
}

export interface PageSource {
  page(query: PageQuery): Promise<SourcePage>
}
