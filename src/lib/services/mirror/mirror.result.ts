import type { Section } from '../../output/formats/details.ts'
import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'
import { counted } from '../../wire/counted.ts'

const syncSchema = lazySchema((z, { count, text }) =>
  z.object({
    kind: z.enum(['full', 'changes']),
    added: count,
    changed: count,
    same: count,
    refused: count,
    removed: count,
    detailed: count,
    held: count,
    platformTotal: count.nullable(),
    isComplete: z.boolean(),
    database: text,
    durationMs: z.number(),
  }),
)

const mirrorSchema = lazySchema((z, { count, instant, text }) => {
  const date = instant
  return z.object({
    database: text,
    platform: text,
    shops: z.array(text),
    returns: count,
    withTransports: count,
    withRefunds: count,
    forgotten: count,
    oldest: date.optional(),
    newest: date.optional(),
    bytes: count,
    syncedAt: date.nullable(),
    ageSeconds: z.number().nullable(),
    fullSyncAt: date.nullable(),
    isComplete: z.boolean(),
    platformTotal: count.nullable(),
    unfinished: z.object({ done: count, total: count.nullable() }).nullable(),
    choices: z.looseObject({
      keepDays: count.nullable(),
      bankDetails: z.boolean(),
      without: z.array(text),
    }),
  })
})

const forgetSchema = lazySchema((z, { count, text }) =>
  z.object({ removed: count, database: text, notReached: z.array(text) }),
)

type SyncRow = RecordOf<typeof syncSchema>
type MirrorRow = RecordOf<typeof mirrorSchema>
type ForgetRow = RecordOf<typeof forgetSchema>

export const syncView: View<SyncRow> = {
  columns: [
    'kind',
    'added',
    'changed',
    'removed',
    'held',
    { name: 'complete', value: (s) => (s.isComplete ? 'yes' : 'not proven') },
  ],
  extra: ['same', 'refused', 'detailed', 'platform-total', 'database', { name: 'ms', path: 'durationMs' }],
  schema: syncSchema,
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

export const mirrorView: View<MirrorRow> = {
  columns: [
    'returns',
    { name: 'complete', value: (m) => (m.isComplete ? 'yes' : 'not proven') },
    { name: 'synced', path: 'syncedAt', kind: 'date' },
    'bytes',
    { name: 'database', header: 'MIRROR' },
  ],
  schema: mirrorSchema,
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

export function ageText(seconds: number): string {
  const age = Math.abs(seconds)
  if (age < 120) return `${age} s`
  if (age < 2 * 3600) return `${Math.round(age / 60)} min`
  return age < 48 * 3600 ? `${Math.round(age / 3600)} h` : counted(Math.round(age / 86_400), 'day')
}

export const forgetView: View<ForgetRow> = {
  columns: ['removed', { name: 'database', header: 'MIRROR' }],
  extra: ['not-reached'],
  schema: forgetSchema,
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
