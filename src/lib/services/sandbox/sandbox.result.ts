import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

export const faultRecordSchema = lazySchema((z, { count, text }) =>
  z.object({
    id: text,
    route: text,
    kind: text,
    rate: z.number(),
    count: count.optional(),
    after: count,
    seed: count,
    seen: count,
    hits: count,
  }),
)

export const requestSchema = lazySchema((z, { count, instant, text }) =>
  z.object({
    number: count,
    time: instant,
    method: text,
    path: text,
    status: count.nullable(),
    durationMs: z.number(),
    requestId: text.nullable(),
    faultId: text.nullable(),
    bytes: count,
  }),
)

export const advanceSchema = lazySchema((z, { count, instant }) =>
  z.object({
    now: instant,
    returns: count,
    events: count,
    refunds: count,
    expired: count,
  }),
)

const stepSchema = async () => (await import('../../sandbox/scenarios/play.ts')).playedStepSchema

export const playSchema = lazySchema(async (z) =>
  z.object({ steps: z.array(await stepSchema()), passed: z.boolean() }),
)

export const resetSchema = lazySchema((z) => z.object({ reset: z.literal(true) }))

export const startSchema = lazySchema((z, { text }) =>
  z.object({
    baseUrl: text,
    token: text,
    controlUrl: text,
    controlToken: text,
    caFile: text.optional().describe('With --tls-self-signed'),
  }),
)

export const tokenSchema = lazySchema((z, { instant, text }) =>
  z.object({
    token: text,
    shops: z.array(text),
    expiresAt: instant.optional(),
  }),
)

export type FaultRow = RecordOf<typeof faultRecordSchema>

export const faultsView: View<FaultRow> = {
  columns: ['id', { name: 'route', flexible: true }, 'kind', 'rate', 'count', 'seen', 'hits'],
  extra: ['after', 'seed'],
  schema: faultRecordSchema,
  empty: 'No faults: the sandbox answers as it should',
}

export const requestsView: View<RecordOf<typeof requestSchema>> = {
  columns: [
    { name: 'time', kind: 'date' },
    'method',
    { name: 'path', flexible: true },
    { name: 'status', value: (r) => r.status ?? 'none' },
    { name: 'ms', path: 'durationMs' },
    'bytes',
    { name: 'fault', path: 'faultId' },
  ],
  extra: ['number', 'request-id'],
  schema: requestSchema,
  empty: 'No requests',
}

export const advanceView: View<RecordOf<typeof advanceSchema>> = {
  columns: [{ name: 'now', kind: 'date' }, 'returns', 'events', 'refunds', 'expired'],
  schema: advanceSchema,
  empty: 'Nothing',
}

export const playedView: View<RecordOf<typeof stepSchema>> = {
  columns: [
    'step',
    'do',
    { name: 'return', identifies: true },
    { name: 'outcome', kind: 'status' },
    { name: 'detail', flexible: true },
  ],
  extra: ['as', 'return-id', { name: 'time', kind: 'date' }],
  schema: stepSchema,
  empty: 'No steps',
}
