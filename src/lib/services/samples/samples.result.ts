import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'

export const sampleSchema = lazySchema((z, { text }) =>
  z.object({
    path: text,
    outcome: z.enum(['written', 'unchanged']),
    command: text.describe('Command that takes the file'),
  }),
)

type SampleRow = RecordOf<typeof sampleSchema>

export const samplesView: View<SampleRow> = {
  columns: [
    { name: 'path', header: 'FILE' },
    'outcome',
    { name: 'command', header: 'TRY', identifies: true },
  ],
  leastImportant: ['outcome'],
  schema: sampleSchema,
  empty: 'No samples',
}
