import type { Applied } from './record.ts'

export interface SyncReport extends Applied {
  kind: 'full' | 'changes'
  /** Returns that the platform no longer has, or that are older than what is kept. */
  removed: number
  /** Returns whose transports and refunds were copied. */
  detailed: number
  /** Returns here at the end. */
  held: number
  /** What the platform counts of them; null where it was not asked. */
  platformTotal: number | null
  isComplete: boolean
}

export type SyncProgress =
  | { phase: 'returns' | 'details'; done: number; total: number | undefined }
  | { phase: 'comparing' }
  /** What follows takes long, and may be left at any moment. */
  | { phase: 'indexing' }
  /** The last one. */
  | { phase: 'done'; report: SyncReport }
