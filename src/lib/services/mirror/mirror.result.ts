import type { Section } from '../../output/formats/details.ts'
import { toFields } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import { counted } from '../../wire/counted.ts'
import { joinParts } from '../../wire/raw.ts'

const notKeptSchema = lazySchema((z, { count, instant }) =>
  z.object({ returns: count, createdBefore: instant }).nullable(),
)

const syncSchema = lazySchema(async (z, { count, text }) =>
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
    notKept: await notKeptSchema(),
    isComplete: z.boolean(),
    database: text,
    durationMs: z.number(),
  }),
)

const mirrorSchema = lazySchema(async (z, { count, instant, text }) =>
  z.object({
    database: text,
    platform: text,
    shops: z.array(text),
    returns: count,
    withTransports: count,
    withRefunds: count,
    forgotten: count,
    oldest: instant.optional(),
    newest: instant.optional(),
    bytes: count,
    syncedAt: instant.nullable(),
    ageSeconds: z.number().nullable(),
    fullSyncAt: instant.nullable(),
    isComplete: z.boolean(),
    platformTotal: count.nullable(),
    comparedAt: instant.nullable(),
    notKept: await notKeptSchema(),
    forgottenBefore: instant.nullable(),
    unfinished: z.object({ done: count, total: count.nullable() }).nullable(),
    choices: z.looseObject({
      keepDays: count.nullable(),
      bankDetails: z.boolean(),
      without: z.array(text),
    }),
  }),
)

const forgetSchema = lazySchema((z, { count, text }) =>
  z.object({ removed: count.nullable(), database: text, notReached: z.array(text) }),
)

type SyncRow = RecordOf<typeof syncSchema>
type MirrorRow = RecordOf<typeof mirrorSchema>
type ForgetRow = RecordOf<typeof forgetSchema>

const complete = {
  name: 'complete',
  value: ({ isComplete }: Pick<SyncRow, 'isComplete'>) => (isComplete ? 'yes' : 'not proven'),
}

export const syncView: View<SyncRow> = {
  columns: ['kind', 'added', 'changed', 'removed', 'held', complete],
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
      fields: toFields({
        Returns: `${held}${all}, ${isComplete ? 'complete' : 'not proven complete'}`,
        'Not kept': notKeptText(sync),
        'This sync': joinParts(news),
        'Transports and refunds': detailed === 0 ? undefined : `of ${counted(detailed, 'return')}`,
        Mirror: database,
      }),
    },
  ]
}

export const mirrorView: View<MirrorRow> = {
  columns: [
    'returns',
    complete,
    { name: 'synced', path: 'syncedAt', kind: 'date' },
    'bytes',
    { name: 'database', header: 'MIRROR' },
  ],
  schema: mirrorSchema,
  empty: 'No mirror',
}

export function mirrorDetails(mirror: MirrorRow): Section[] {
  const { returns, platformTotal, isComplete, unfinished, syncedAt, comparedAt, choices, bytes } = mirror
  const age = mirror.ageSeconds ?? 0
  // A search copies changes without comparing counts.
  const isCompared = comparedAt === syncedAt
  const comparedMs = Date.parse(syncedAt ?? '') - Date.parse(comparedAt ?? '')
  const all = platformTotal === null || !isCompared ? '' : ` of ${platformTotal}`
  const complete = isCompared
    ? 'complete at the last sync'
    : `complete ${ageText(age + Math.round(comparedMs / 1000))} ago`
  const proof = unfinished ? stoppedText(unfinished) : isComplete ? complete : 'not proven complete'
  const keep = choices.keepDays === null ? 'forever' : counted(choices.keepDays, 'day')
  const since = mirror.forgottenBefore && `, if created since ${mirror.forgottenBefore.slice(0, 10)}`
  const leftOut = [...(choices.bankDetails ? [] : ['bank details']), ...choices.without]
  return [
    {
      fields: toFields({
        Returns: `${returns}${all}, ${proof}`,
        'Not kept': notKeptText(mirror),
        Synced: syncedAt === null ? 'never' : `${ageText(age)} ago`,
        Created: mirror.oldest && `${mirror.oldest.slice(0, 10)} to ${mirror.newest?.slice(0, 10)}`,
        'With transports': mirror.withTransports,
        'With refunds': mirror.withRefunds,
        Size: `${(bytes / 1_000_000).toFixed(1)} MB`,
        Retention: `${keep}${since ?? ''}`,
        'Left out': leftOut.join(', ') || 'nothing',
        'People forgotten': mirror.forgotten || undefined,
        Platform: mirror.platform,
        Shops: mirror.shops.join(', ') || undefined,
        Mirror: mirror.database,
      }),
    },
  ]
}

export function stoppedText({ done, total }: { done: number; total: number | null }): string {
  return `the copy of all returns stopped at ${done}${total === null ? '' : ` of ${total}`}`
}

/** Returns undefined if the mirror keeps all returns that the platform has. */
export function notKeptText({ notKept }: Pick<SyncRow, 'notKept'>): string | undefined {
  return notKept
    ? `${counted(notKept.returns, 'return')} created before ${notKept.createdBefore.slice(0, 10)}`
    : undefined
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
      fields: toFields({
        'Returns removed': removed ?? 'unknown: the file was damaged',
        Mirror: database,
      }),
    },
    {
      title: 'May still hold the same data',
      columns: [{ header: 'PLACE' }],
      rows: notReached.map((one) => [one]),
    },
  ]
}
