import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'

export const sampleSchema = lazySchema((z, { text }) =>
  z.object({
    path: text,
    outcome: z.enum(['written', 'unchanged']),
    command: text.describe('Command that takes the file'),
  }),
)

export const samplesView: View<RecordOf<typeof sampleSchema>> = {
  columns: [
    { name: 'path', header: 'FILE' },
    'outcome',
    { name: 'command', header: 'TRY', identifies: true },
  ],
  leastImportant: ['outcome'],
  schema: sampleSchema,
  empty: 'No samples',
}
