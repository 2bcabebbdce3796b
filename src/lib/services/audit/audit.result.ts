import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

export const auditRowSchema = lazySchema((z, { count, text }) =>
  z.object({
    time: text,
    command: text,
    agent: text.nullable().describe('`mcp`: an assistant asked for it'),
    profile: text.nullable(),
    origin: text,
    operation: text.describe('Method and path, without the query'),
    shipmentId: text.nullable(),
    bodySha256: text.nullable(),
    outcome: text.describe('`succeeded`, `partial`, or the kind of the error'),
    exitCode: count.nullable().describe('Null while the command runs, or if it was killed'),
    jobId: text.nullable(),
    rows: z.object({ succeeded: count, failed: count, unknown: count, remaining: count }).nullable(),
    journalSha256: text.nullable(),
  }),
)

const brokenLinkSchema = lazySchema((z, { text }) =>
  z.object({
    file: text,
    line: z.int().positive().nullable().describe('Null for a whole file'),
    message: text,
  }),
)

export const verificationSchema = lazySchema(async (z, { count }) =>
  z.object({ files: count, lines: count, chains: count, broken: z.array(await brokenLinkSchema()) }),
)

export type AuditRow = RecordOf<typeof auditRowSchema>

export const auditView: View<AuditRow> = {
  columns: [
    { name: 'time', kind: 'date' },
    { name: 'shipment', path: 'shipmentId', identifies: true },
    { name: 'job', path: 'jobId', identifies: true },
    'command',
    'outcome',
    { name: 'exit', path: 'exitCode' },
    'profile',
    { name: 'origin', flexible: true },
    { name: 'operation', flexible: true },
  ],
  extra: ['agent', 'bodySha256', 'journalSha256'],
  leastImportant: ['operation', 'origin', 'profile', 'exit'],
  schema: auditRowSchema,
  empty: 'No writes are recorded (those to the built-in sandbox never are)',
}

export const brokenLinksView: View<RecordOf<typeof brokenLinkSchema>> = {
  columns: ['file', 'line', { name: 'message', header: 'PROBLEM', flexible: true }],
  schema: brokenLinkSchema,
  empty: 'Nothing is broken',
}
