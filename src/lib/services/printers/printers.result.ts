import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'

export const printerSchema = lazySchema((z, { count, text }) =>
  z.object({
    name: text,
    address: text,
    language: text,
    sheet: text.optional(),
    perPage: count.optional(),
    dpi: count.optional(),
  }),
)

export const printerTestSchema = lazySchema((z, { text }) =>
  z.object({
    name: text,
    language: text,
    printer: text,
    isConfirmed: z.boolean().optional(),
    job: text.optional().describe('Id of the CUPS job'),
  }),
)

export const printersView: View<RecordOf<typeof printerSchema>> = {
  columns: [
    { name: 'name', identifies: true },
    { name: 'address', identifies: true },
    'language',
    'sheet',
    'per-page',
    'dpi',
  ],
  schema: printerSchema,
  empty: 'No printers; rma printers add NAME HOST keeps one',
}
