import { counted } from '../../wire/counted.ts'
import type { Section } from '../formats/details.ts'
import type { View } from '../renderer.ts'

/** What a sync did. */
export interface SyncRow {
  kind: 'full' | 'changes'
  added: number
  changed: number
  same: number
  refused: number
  removed: number
  detailed: number
  held: number
  platformTotal: number | null
  isComplete: boolean
  database: string
  durationMs: number
}

export const syncView: View<SyncRow> = {
  columns: [
    { name: 'kind', header: 'KIND', value: (s) => s.kind },
    { name: 'added', header: 'ADDED', value: (s) => s.added, kind: 'number' },
    { name: 'changed', header: 'CHANGED', value: (s) => s.changed, kind: 'number' },
    { name: 'removed', header: 'REMOVED', value: (s) => s.removed, kind: 'number' },
    { name: 'held', header: 'HELD', value: (s) => s.held, kind: 'number' },
    { name: 'complete', header: 'COMPLETE', value: (s) => (s.isComplete ? 'yes' : 'not proven') },
  ],
  extra: [
    { name: 'same', header: 'SAME', value: (s) => s.same, kind: 'number' },
    { name: 'refused', header: 'REFUSED', value: (s) => s.refused, kind: 'number' },
    { name: 'detailed', header: 'DETAILED', value: (s) => s.detailed, kind: 'number' },
    { name: 'platform-total', header: 'PLATFORM TOTAL', value: (s) => s.platformTotal, kind: 'number' },
    { name: 'database', header: 'DATABASE', value: (s) => s.database },
    { name: 'ms', header: 'MS', value: (s) => s.durationMs, kind: 'number' },
  ],
  empty: 'Nothing',
}

export function syncDetails(sync: SyncRow): Section[] {
  const { added, changed, removed, refused, detailed, held, platformTotal, isComplete, database } = sync
  const news = [
    `${added} new`,
    `${changed} changed`,
    removed === 0 ? '' : `${removed} removed`,
    refused === 0 ? '' : `${refused} refused`,
  ]
  const all = platformTotal === null ? '' : ` of ${platformTotal}`
  return [
    {
      fields: [
        { label: 'Returns', value: `${held}${all}, ${isComplete ? 'complete' : 'not proven complete'}` },
        { label: 'This sync', value: news.filter(Boolean).join(', ') },
        {
          label: 'Transports and refunds',
          value: detailed === 0 ? undefined : `of ${counted(detailed, 'return')}`,
        },
        { label: 'Mirror', value: database },
      ],
    },
  ]
}

/** The state of a mirror. */
export interface MirrorRow {
  database: string
  platform: string
  shops: readonly string[]
  returns: number
  withTransports: number
  withRefunds: number
  forgotten: number
  oldest: string | undefined
  newest: string | undefined
  bytes: number
  syncedAt: string | null
  ageSeconds: number | null
  fullSyncAt: string | null
  isComplete: boolean
  platformTotal: number | null
  unfinished: { done: number; total: number | null } | null
  choices: { keepDays: number | null; bankDetails: boolean; without: readonly string[] }
}

export const mirrorView: View<MirrorRow> = {
  columns: [
    { name: 'returns', header: 'RETURNS', value: (m) => m.returns, kind: 'number' },
    { name: 'complete', header: 'COMPLETE', value: (m) => (m.isComplete ? 'yes' : 'not proven') },
    { name: 'synced', header: 'SYNCED', value: (m) => m.syncedAt, kind: 'date' },
    { name: 'bytes', header: 'BYTES', value: (m) => m.bytes, kind: 'number' },
    { name: 'database', header: 'MIRROR', value: (m) => m.database },
  ],
  empty: 'No mirror',
}

export function mirrorDetails(mirror: MirrorRow): Section[] {
  const { returns, platformTotal, isComplete, unfinished, syncedAt, ageSeconds, choices, bytes } = mirror
  const all = platformTotal === null ? '' : ` of ${platformTotal}`
  const proof = unfinished
    ? `the first copy stopped at ${unfinished.done}${unfinished.total === null ? '' : ` of ${unfinished.total}`}`
    : isComplete
      ? 'complete at the last sync'
      : 'not proven complete'
  const leftOut = [...(choices.bankDetails ? [] : ['bank details']), ...choices.without]
  return [
    {
      fields: [
        { label: 'Returns', value: `${returns}${all}, ${proof}` },
        { label: 'Synced', value: syncedAt === null ? 'never' : `${ageText(ageSeconds ?? 0)} ago` },
        {
          label: 'Created',
          value: mirror.oldest && `${mirror.oldest.slice(0, 10)} to ${mirror.newest?.slice(0, 10)}`,
        },
        { label: 'With transports', value: mirror.withTransports },
        { label: 'With refunds', value: mirror.withRefunds },
        { label: 'Size', value: `${(bytes / 1_000_000).toFixed(1)} MB` },
        { label: 'Kept for', value: choices.keepDays === null ? 'ever' : counted(choices.keepDays, 'day') },
        { label: 'Left out', value: leftOut.join(', ') || 'nothing' },
        { label: 'People forgotten', value: mirror.forgotten || undefined },
        { label: 'Platform', value: mirror.platform },
        { label: 'Shops', value: mirror.shops.join(', ') || undefined },
        { label: 'Mirror', value: mirror.database },
      ],
    },
  ]
}

/** `40 s`, `12 min`, `3 h`, `2 days`. */
export function ageText(seconds: number): string {
  const age = Math.abs(seconds)
  if (age < 120) return `${age} s`
  if (age < 2 * 3600) return `${Math.round(age / 60)} min`
  return age < 48 * 3600 ? `${Math.round(age / 3600)} h` : counted(Math.round(age / 86_400), 'day')
}

/** What was forgotten. */
export interface ForgetRow {
  removed: number
  database: string
  notReached: readonly string[]
}

export const forgetView: View<ForgetRow> = {
  columns: [
    { name: 'removed', header: 'REMOVED', value: (f) => f.removed, kind: 'number' },
    { name: 'database', header: 'MIRROR', value: (f) => f.database },
  ],
  extra: [{ name: 'not-reached', header: 'NOT REACHED', value: (f) => f.notReached }],
  empty: 'Nothing',
}

export function forgetDetails({ removed, database, notReached }: ForgetRow): Section[] {
  return [
    {
      fields: [
        { label: 'Returns removed', value: removed },
        { label: 'Mirror', value: database },
      ],
    },
    {
      title: 'May still hold the same data',
      columns: [{ header: 'PLACE' }],
      rows: notReached.map((one) => [one]),
    },
  ]
}
