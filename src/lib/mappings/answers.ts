import type { DateOrder } from './date-format.ts'

/** Answers about an export; they precede what is detected. */
export interface Answers {
  /** IANA name; of dates that name none. */
  zone: string
  /** Field → column; columns that the export lacks are ignored. */
  columns?: Readonly<Record<string, string>>
  constants?: Readonly<Record<string, string>>
  statuses?: Readonly<Record<string, string>>
  dateFormat?: string
  dates?: DateOrder
  /** Returns are found by tracking number; no column names them. */
  byNumber?: boolean
  /** Only names are read: an order may stand for its returns, and dates don't matter. */
  namesOnly?: boolean
}

export interface OpenPoint {
  kind: 'column' | 'status' | 'date'
  /** The field, or the word of the status column. */
  of: string
  what: string
  flag: string
  choices?: readonly string[]
  /** No row can be sent without the answer. */
  isNeeded?: boolean
}
