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

/** A record of a page. */
export interface PageRecord {
  /** Absent if it is no text. */
  readonly createdAt: string | undefined
  /** Its values, which may be made anew each time: a page of them takes ten times the memory of its JSON. */
  read(): ReadRecord
}

export interface ReadRecord {
  record: Return
  /** `record` as `stringifyJson` writes it, in UTF-8. */
  json(): Uint8Array
}

export interface SourcePage {
  records: readonly PageRecord[]
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
