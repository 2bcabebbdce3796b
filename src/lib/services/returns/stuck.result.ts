import type { View } from '../../output/columns.ts'
import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'

const stuckLineSchema = lazySchema((z, { count }) =>
  z.object({
    name: z.string(),
    id: z.string().optional(),
    shop: z.string().optional(),
    status: z.string().optional(),
    carrier: z.string().optional(),
    carrierService: z.string().optional(),
    rule: z.string(),
    why: z.string(),
    since: z.string(),
    hours: z.number(),
    samples: count.optional(),
    next: z.string().describe('A command'),
  }),
)

export const stuckSchema = lazySchema(async (z, { count }) =>
  z.looseObject({ stuck: z.array(await stuckLineSchema()), unread: count }),
)

type StuckLine = RecordOf<typeof stuckLineSchema>

export const stuckView: View<StuckLine> = {
  columns: [
    'name',
    { name: 'rule', identifies: true },
    { name: 'since', kind: 'day' },
    { name: 'why', flexible: true },
    'next',
  ],
  extra: [
    'id',
    'shop',
    { name: 'status', kind: 'status', words: 'returnStatus' },
    'carrier',
    { name: 'service', value: (row) => row.carrierService },
    'hours',
    'samples',
  ],
  leastImportant: ['next'],
  schema: stuckLineSchema,
  empty: 'Nothing is stuck',
}
