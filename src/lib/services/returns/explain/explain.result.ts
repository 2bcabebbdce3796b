import { lazySchema, type RecordOf, type View } from '../../../output/view.ts'

const entrySchema = lazySchema((z, { text }) =>
  z.object({
    date: text.optional().describe('As sent'),
    of: z.enum(['return', 'transport', 'scan', 'label', 'refund', 'gap']),
    what: text,
    detail: text,
  }),
)

/** Timeline, or the reply of `--reply`. */
export const explainSchema = lazySchema(async (z, { text }) =>
  z.union([
    z.object({
      timeline: z.array(await entrySchema()),
      where: text,
      money: text,
      next: text,
      problems: z.array(text),
      return: z.object({
        id: text.nullish(),
        name: text,
        shopCode: text,
        status: text.nullish(),
      }),
    }),
    z.object({ language: text, text }),
  ]),
)

export type TimelineLine = RecordOf<typeof entrySchema>

export const timelineView: View<TimelineLine> = {
  columns: [
    { name: 'date', header: 'WHEN' },
    'of',
    { name: 'what', identifies: true },
    { name: 'detail', flexible: true },
  ],
  schema: entrySchema,
  empty: 'Nothing is known of this return',
}
