import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import { failedLabelSchema, labelFileSchema } from './labels.result.ts'

const printedLabelSchema = lazySchema(async (_z, { count, text }) =>
  (await labelFileSchema()).extend({
    label: text.describe('Shipment with its parcel, or name of the file'),
    number: count.describe('In the order printed, from 1'),
    sheet: count.optional().describe('From 1; of a roll each label is one'),
    position: count.optional().describe('Position on the sheet, from 1'),
  }),
)

const printRunSchema = lazySchema((z, { count, instant, text }) =>
  z.object({
    run: count,
    printedAt: instant,
    labels: count,
    numbers: text.describe('Numbers of its labels, as --only takes them'),
    pages: count,
    copies: count,
    file: text.optional(),
    printer: text.optional(),
    of: count.optional().describe('Run that it printed again'),
    failed: text.optional().describe('Error that ended the run: look what came out'),
  }),
)

export const printedLabelsSchema = lazySchema(async (z, { count, text }) =>
  z.object({
    files: z.array(await printedLabelSchema()).optional(),
    runs: z
      .array(await printRunSchema())
      .optional()
      .describe('With --history'),
    run: count.optional().describe('Number for --reprint'),
    pages: count.optional().describe('Where sheets are printed'),
    labels: count.optional(),
    copies: count.optional(),
    failed: z
      .array(await failedLabelSchema())
      .optional()
      .describe('ZPL that no sheet can show'),
    printer: text.optional(),
    isConfirmed: z.boolean().optional(),
    job: text.optional().describe('Id of the CUPS job'),
  }),
)

export const printedLabelsView: View<RecordOf<typeof printedLabelSchema>> = {
  columns: [
    'number',
    { name: 'label', identifies: true },
    'sheet',
    'position',
    { name: 'tracking', header: 'TRACKING CODE', path: 'carrierTrackingCode', identifies: true },
    'parcel',
    'format',
  ],
  extra: [
    { name: 'shipment', path: 'clientShipmentId' },
    { name: 'path', header: 'FILE' },
    'bytes',
    { name: 'sha256', header: 'SHA-256' },
    'source',
  ],
  leastImportant: ['format', 'parcel'],
  schema: printedLabelSchema,
  empty: 'No labels',
}

export const printRunsView: View<RecordOf<typeof printRunSchema>> = {
  columns: [
    'run',
    { name: 'printed', path: 'printedAt', kind: 'date' },
    'labels',
    { name: 'numbers', flexible: true },
    'pages',
    {
      name: 'where',
      value: (r) => `${r.file ?? r.printer ?? 'standard output'}${r.failed ? ', failed' : ''}`,
      flexible: true,
    },
    { name: 'again', header: 'REPRINT OF', path: 'of' },
  ],
  extra: ['copies', 'failed'],
  leastImportant: ['pages', 'again', 'numbers'],
  schema: printRunSchema,
  empty: 'Nothing has been printed on this machine yet',
}
