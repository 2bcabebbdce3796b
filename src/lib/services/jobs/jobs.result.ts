import type * as zod from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import type { Section } from '../../output/formats/details.ts'
import { toFields } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import { joinParts } from '../../wire/raw.ts'

const countsShape = (z: typeof zod) => {
  const count = z.int().nonnegative()
  return {
    total: count,
    succeeded: count,
    duplicate: count.describe('Succeeded rows that the platform had already'),
    stale: count.describe('Succeeded rows older than what the platform knew'),
    failed: count,
    unknown: count,
    skipped: count,
    remaining: count,
  }
}

const inputShape = (z: typeof zod) => ({ input: z.object({ path: z.string(), sha256: z.string() }) })

const targetShape = (z: typeof zod) => ({
  baseUrl: z.string().nullable().optional(),
  shop: z.string().nullable().optional(),
})

const partShape = (z: typeof zod) => ({
  ...inputShape(z),
  ...targetShape(z),
  shard: z.object({ index: z.int().nonnegative(), of: z.int().nonnegative() }).optional(),
  failedFile: z.string().nullable().describe('The failed rows, to be corrected'),
  unmatched: z
    .int()
    .optional()
    .describe('Rows that are not in the job: invalid, or of a number that names no return'),
  unmatchedFile: z.string().optional(),
})

export const jobSummarySchema = lazySchema((z, { text }) =>
  z
    .object({
      jobId: text,
      ...countsShape(z),
      alreadySentBy: text.optional().describe('The job that sent the same file before'),
      ...partShape(z),
      durationMs: z.number(),
    })
    .describe('Totals of a file; NDJSON has a line for each row'),
)

const rowResultSchema = lazySchema((z, { count, text }) =>
  z.object({
    row: count,
    key: text,
    status: text,
    attempts: count,
    applied: z.literal(false).optional(),
    reason: text.optional(),
    alreadySentBy: text.optional(),
    error: z.object({ code: text, message: text }).optional(),
  }),
)

export const jobSchema = lazySchema((z, { count, text }) =>
  z.object({
    jobId: text,
    ...partShape(z),
    ...countsShape(z),
    unsettled: count,
    state: z.enum(['running', 'remaining', 'failed', 'unknown', 'done']),
    stopped: text.optional().describe('Why rows remain'),
    created: text,
    profile: text.nullable(),
    baseUrl: text.nullable(),
    shop: text.nullable(),
    folder: text,
  }),
)

export const jobWithRowsSchema = lazySchema(async (z, { text }) => {
  const row = (await rowResultSchema()).pick({ row: true, key: true, attempts: true })
  const { row: number, key, attempts: count } = row.shape
  return (await jobSchema()).extend({
    reasons: z
      .array(z.object({ status: text, code: text, message: text, count, row: number, key }))
      .optional()
      .describe('Reasons why rows did not succeed, with the first row of each; most frequent first'),
    rows: z.array(
      row.extend({
        status: z.enum(['failed', 'unknown', 'skipped']),
        error: z.object({ code: text, message: text }),
      }),
    ),
  })
})

const mergedSchema = lazySchema(async (z, { count, text }) =>
  z.object({
    jobIds: z.array(text),
    ...inputShape(z),
    ...targetShape(z),
    ...countsShape(z),
    unmatched: count,
    unsettled: count,
    rows: z
      .array(
        (await rowResultSchema()).pick({ row: true, key: true, status: true, attempts: true }).extend({
          code: text.optional(),
          message: text.optional(),
        }),
      )
      .optional()
      .describe('Rows that did not succeed, if all parts list theirs'),
  }),
)

export const removedJobSchema = lazySchema((z) => z.object({ jobId: z.string() }))

export type JobRecord = RecordOf<typeof jobSchema>

const COUNT_COLUMNS = [
  { name: 'total', header: 'ROWS' },
  'succeeded',
  'duplicate',
  'stale',
  'failed',
  'unknown',
  'skipped',
  'remaining',
] as const

export const jobSummaryView: View<RecordOf<typeof jobSummarySchema>> = {
  columns: [
    { name: 'job', path: 'jobId' },
    ...COUNT_COLUMNS,
    { name: 'failedFile', header: 'FAILED ROWS' },
    { name: 'seconds', value: (r) => (r.durationMs / 1000).toFixed(1), kind: 'number' },
  ],
  leastImportant: ['seconds', 'duplicate', 'stale', 'skipped', 'failedFile'],
  extra: [{ name: 'alreadySentBy', header: 'ALREADY SENT BY' }],
  schema: jobSummarySchema,
  empty: 'No rows',
}

export const rowResultView: View<RecordOf<typeof rowResultSchema>> = {
  columns: [
    'row',
    { name: 'key', header: 'SHIPMENT', identifies: true },
    'status',
    'attempts',
    { name: 'reason', header: 'NOT APPLIED' },
    { name: 'code', path: 'error.code' },
    { name: 'message', path: 'error.message', flexible: true },
  ],
  leastImportant: ['attempts', 'reason', 'code'],
  schema: rowResultSchema,
  empty: 'No rows',
}

function shardText({ shard }: { shard?: JobRecord['shard'] }) {
  return shard && `${shard.index}/${shard.of}`
}

export const jobsView: View<JobRecord> = {
  columns: [
    { name: 'job', path: 'jobId' },
    'state',
    { name: 'total', header: 'ROWS' },
    'succeeded',
    'failed',
    'unknown',
    'remaining',
    { name: 'shard', value: shardText },
    { name: 'input', path: 'input.path', flexible: true },
  ],
  extra: [
    { name: 'created', kind: 'date' },
    'skipped',
    'duplicate',
    'stale',
    'profile',
    { name: 'baseUrl', header: 'BASE URL' },
    'shop',
    'folder',
    { name: 'failedFile', header: 'FAILED ROWS' },
  ],
  leastImportant: ['shard', 'input', 'succeeded'],
  schema: jobWithRowsSchema,
  empty: 'No jobs',
}

export function jobDetails(job: JobRecord, reasons: readonly ErrorDetail[]): Section[] {
  return [
    {
      fields: toFields(
        {
          Job: job.jobId,
          State: job.state,
          Stopped: job.stopped,
          Created: job.created,
          Input: job.input.path,
          Shard: shardText(job),
          Platform: job.baseUrl ?? 'built-in sandbox',
          Shop: job.shop,
          Rows: job.total,
          Succeeded: job.succeeded,
          'Of these duplicate': job.duplicate || undefined,
          'Of these stale': job.stale || undefined,
          Failed: job.failed,
          Unknown: job.unknown,
          Skipped: job.skipped,
          Remaining: job.remaining,
          Unmatched: job.unmatched,
          Folder: job.folder,
          'Failed rows': job.failedFile,
        },
        { Created: { kind: 'date' } },
      ),
    },
    ...(reasons.length === 0
      ? []
      : [
          {
            title: 'Rows that did not succeed',
            isText: true,
            fields: reasons.map(({ path, code: label = '', message }) => ({
              label,
              value: joinParts([message, path && `(${path})`], ' '),
            })),
          },
        ]),
  ]
}

export const mergedView: View<RecordOf<typeof mergedSchema>> = {
  columns: [{ name: 'shards', value: (r) => r.jobIds.length }, ...COUNT_COLUMNS],
  schema: mergedSchema,
  empty: 'No parts',
}

export const removedJobsView: View<RecordOf<typeof removedJobSchema>> = {
  columns: [{ name: 'job', header: 'REMOVED', path: 'jobId' }],
  schema: removedJobSchema,
  empty: 'No job to remove',
}
