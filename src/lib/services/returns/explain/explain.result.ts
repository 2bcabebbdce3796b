import type { View } from '../../../output/columns.ts'
import { lazySchema, type RecordOf } from '../../../output/lazy-schema.ts'

const entrySchema = lazySchema((z) =>
  z.object({
    date: z.string().optional().describe('As sent'),
    of: z.enum(['return', 'transport', 'scan', 'label', 'refund', 'gap']),
    what: z.string(),
    detail: z.string(),
  }),
)

export const explainSchema = lazySchema(async (z) =>
  z.object({
    timeline: z.array(await entrySchema()),
    where: z.string(),
    money: z.string(),
    next: z.string(),
    problems: z.array(z.string()),
    return: z.object({
      id: z.string().nullish(),
      name: z.string(),
      shopCode: z.string(),
      status: z.string().nullish(),
    }),
  }),
)

export type TimelineLine = RecordOf<typeof entrySchema>

export const timelineView: View<TimelineLine> = {
  columns: [
    { name: 'date', header: 'WHEN', kind: 'date' },
    'of',
    { name: 'what', identifies: true },
    { name: 'detail', flexible: true },
  ],
  schema: entrySchema,
  empty: 'Nothing is known of this return',
}
