import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'

export const printerSchema = lazySchema((z, { count }) =>
  z.object({
    name: z.string(),
    address: z.string(),
    language: z.string(),
    sheet: z.string().optional(),
    perPage: count.optional(),
    dpi: count.optional(),
  }),
)

export const printerTestSchema = lazySchema((z) =>
  z.object({
    name: z.string(),
    language: z.string(),
    printer: z.string(),
    isConfirmed: z.boolean().optional(),
    job: z.string().optional().describe('Of CUPS'),
  }),
)

type PrinterRow = RecordOf<typeof printerSchema>

export const printersView: View<PrinterRow> = {
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
