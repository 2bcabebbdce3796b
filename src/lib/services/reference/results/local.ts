import * as z from 'zod'
import type { aliasesView } from '../../../output/views/aliases.ts'
import type { AuthStatus } from '../../../output/views/auth.ts'
import type { CheckRow, ResultRow } from '../../../output/views/conformance.ts'
import type { examinedView } from '../../../output/views/doctor.ts'
import type { ForgetRow, MirrorRow, SyncRow } from '../../../output/views/mirror.ts'
import type { ProfileRow } from '../../../output/views/profiles.ts'
import type { samplesView } from '../../../output/views/samples.ts'
import { count, date, text } from './fields.ts'
import type { RecordOf } from './jobs.ts'

const profile = z.looseObject({
  name: text,
  isCurrent: z.boolean(),
  environment: text,
  baseUrl: text.optional(),
  shop: text.optional(),
  timeZone: text.optional(),
  apiRevision: text.optional(),
  labelHosts: z.array(text).optional(),
  database: text.optional(),
  credentialProcess: text.optional(),
  defaultOutput: text.optional(),
  defaultColumns: z.record(text, z.array(text)).optional(),
  protected: z.boolean(),
  keyring: z.boolean().optional(),
  hasToken: z.boolean(),
  tokenIn: z.enum(['settings file', 'keyring', 'credential process']).optional(),
  tokenExpiresAt: date.optional(),
}) satisfies z.ZodType<ProfileRow>

const authStatus = z.object({
  profile: text.optional(),
  environment: text.optional(),
  baseUrl: text.optional(),
  tokenFrom: text.optional(),
  tokenIn: text.optional(),
  subject: text.optional(),
  shops: z.array(text).optional(),
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
  database: text,
  durationMs: z.number(),
}) satisfies z.ZodType<SyncRow>

const mirror = z.object({
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
}) satisfies z.ZodType<Omit<MirrorRow, 'oldest' | 'newest'>>

const check = { id: text, specified: text, source: text, basis: text }
const checkRow = z.object({ ...check, writes: z.boolean() }) satisfies z.ZodType<CheckRow>
const checkResult = z.object({
  ...check,
  observed: text,
  verdict: text,
  durationMs: z.number(),
}) satisfies z.ZodType<ResultRow>

const alias = z.object({ name: text, expansion: text }) satisfies z.ZodType<RecordOf<typeof aliasesView>>

const examined = z.object({
  id: text,
  verdict: z.enum(['ok', 'found', 'skip']),
  observed: text,
  remedies: z.array(text),
  durationMs: z.number(),
}) satisfies z.ZodType<RecordOf<typeof examinedView>>

const sample = z.object({
  path: text,
  outcome: z.enum(['written', 'unchanged']),
  command: text,
}) satisfies z.ZodType<RecordOf<typeof samplesView>>

export const LOCAL_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'alias list': z.array(alias),
  'alias remove': alias,
  'alias set': alias,
  'auth login': profile,
  'auth logout': profile,
  'auth status': authStatus,
  completion: z.union([
    z.object({ shell: text, script: text }),
    z.object({ shell: text, file: text, changed: z.boolean(), next: text }).describe('With --install'),
  ]),
  conformance: z.union([
    z.object({
      checks: z.array(checkResult),
      passed: count,
      failed: count,
      differing: count,
      skipped: count,
    }),
    z.object({ checks: z.array(checkRow) }).describe('With --list'),
  ]),
  doctor: z.object({ checks: z.array(examined), ok: count, found: count, skipped: count }),
  'mirror sync': sync,
  'mirror status': mirror,
  'mirror forget': z.object({
    removed: count,
    database: text,
    notReached: z.array(text),
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
