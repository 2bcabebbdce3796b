import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

const stuckLineSchema = lazySchema((z, { count, text }) =>
  z.object({
    name: text,
    id: text.optional(),
    shop: text.optional(),
    status: text.optional(),
    carrier: text.optional(),
    carrierService: text.optional(),
    rule: text,
    why: text,
    since: text,
    hours: z.number(),
    samples: count.optional(),
    next: text.describe('A command'),
  }),
)

export const stuckSchema = lazySchema(async (z, { count }) =>
  z.looseObject({ stuck: z.array(await stuckLineSchema()), unread: count }),
)

export const stuckView: View<RecordOf<typeof stuckLineSchema>> = {
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
    { name: 'service', path: 'carrierService' },
    'hours',
    'samples',
  ],
  leastImportant: ['why', 'since'],
  schema: stuckLineSchema,
  empty: 'Nothing is stuck',
}
