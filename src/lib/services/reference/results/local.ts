import * as z from 'zod'
import type { aliasesView } from '../../../output/views/aliases.ts'
import type { AuthStatus } from '../../../output/views/auth.ts'
import type { CheckRow, ResultRow } from '../../../output/views/conformance.ts'
import type { examinedView } from '../../../output/views/doctor.ts'
import type { ForgetRow, MirrorRow, SyncRow } from '../../../output/views/mirror.ts'
import type { ProfileRow } from '../../../output/views/profiles.ts'
import type { samplesView } from '../../../output/views/samples.ts'
import { anyText, count, date } from './fields.ts'
import type { RecordOf } from './jobs.ts'

const profile = z.looseObject({
  name: anyText,
  isCurrent: z.boolean(),
  environment: anyText,
  baseUrl: anyText.optional(),
  shop: anyText.optional(),
  timeZone: anyText.optional(),
  apiRevision: anyText.optional(),
  labelHosts: z.array(anyText).optional(),
  database: anyText.optional(),
  credentialProcess: anyText.optional(),
  defaultOutput: anyText.optional(),
  defaultColumns: z.record(anyText, z.array(anyText)).optional(),
  protected: z.boolean(),
  keyring: z.boolean().optional(),
  hasToken: z.boolean(),
  tokenIn: z.enum(['settings file', 'keyring', 'credential process']).optional(),
  tokenExpiresAt: date.optional(),
}) satisfies z.ZodType<ProfileRow>

const authStatus = z.object({
  profile: anyText.optional(),
  environment: anyText.optional(),
  baseUrl: anyText.optional(),
  tokenFrom: anyText.optional(),
  tokenIn: anyText.optional(),
  subject: anyText.optional(),
  shops: z.array(anyText).optional(),
  issuedAt: date.optional(),
  expiresAt: date.optional(),
}) satisfies z.ZodType<Partial<AuthStatus>>

const sync = z.object({
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
  database: anyText,
  durationMs: z.number(),
}) satisfies z.ZodType<SyncRow>

const mirror = z.object({
  database: anyText,
  platform: anyText,
  shops: z.array(anyText),
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
    without: z.array(anyText),
  }),
}) satisfies z.ZodType<Omit<MirrorRow, 'oldest' | 'newest'>>

const check = { id: anyText, specified: anyText, source: anyText, basis: anyText }
const checkRow = z.object({ ...check, writes: z.boolean() }) satisfies z.ZodType<CheckRow>
const checkResult = z.object({
  ...check,
  observed: anyText,
  verdict: anyText,
  durationMs: z.number(),
}) satisfies z.ZodType<ResultRow>

const alias = z.object({ name: anyText, expansion: anyText }) satisfies z.ZodType<
  RecordOf<typeof aliasesView>
>

const examined = z.object({
  id: anyText,
  verdict: z.enum(['ok', 'found', 'skip']),
  observed: anyText,
  remedies: z.array(anyText),
  durationMs: z.number(),
}) satisfies z.ZodType<RecordOf<typeof examinedView>>

const sample = z.object({
  path: anyText,
  outcome: z.enum(['written', 'unchanged']),
  command: anyText,
}) satisfies z.ZodType<RecordOf<typeof samplesView>>

export const LOCAL_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'alias list': z.array(alias),
  'alias remove': alias,
  'alias set': alias,
  'auth login': profile,
  'auth logout': profile,
  'auth status': authStatus,
  completion: z.union([
    z.object({ shell: anyText, script: anyText }),
    z
      .object({ shell: anyText, file: anyText, changed: z.boolean(), next: anyText })
      .describe('With --install'),
  ]),
  conformance: z.union([
    z.object({
      checks: z.array(checkResult),
      passed: count,
      failed: count,
      differing: count,
      notShown: count,
    }),
    z.object({ checks: z.array(checkRow) }).describe('With --list'),
  ]),
  doctor: z.object({ checks: z.array(examined), ok: count, found: count, skipped: count }),
  'mirror sync': sync,
  'mirror status': mirror,
  'mirror forget': z.object({
    removed: count,
    database: anyText,
    notReached: z.array(anyText),
  }) satisfies z.ZodType<ForgetRow>,
  'profiles add': profile,
  'profiles edit': profile,
  'profiles list': z.array(profile),
  'profiles remove': profile,
  'profiles set': profile,
  'profiles show': profile,
  'profiles use': profile,
  samples: z.object({ files: z.array(sample) }),
}
