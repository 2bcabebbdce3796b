import * as z from 'zod'
import type { labelFilesView, labelUpdateView, verifiedLabelsView } from '../../../output/views/labels.ts'
import type { printersView } from '../../../output/views/printers.ts'
import { count, date, text } from './fields.ts'
import type { RecordOf } from './jobs.ts'

const labelFile = z.object({
  clientShipmentId: text.nullable(),
  parcel: count.describe('From 1'),
  path: text.nullable(),
  format: z.enum(['PDF', 'ZPL', 'PNG']),
  bytes: count,
  sha256: text,
  carrierTrackingCode: text.nullable(),
  source: text,
  outcome: text.optional(),
  registered: z.boolean().optional(),
  registerCommand: text.optional(),
}) satisfies z.ZodType<RecordOf<typeof labelFilesView>>

const failures = z.array(
  z.object({ clientShipmentId: text.nullable(), return: text.optional(), kind: text, message: text }),
)
const savedLabels = z.object({
  files: z.array(labelFile),
  failed: failures,
  skipped: z.array(z.unknown()).optional(),
})

const verified = labelFile.extend({
  carrierCode: text.nullish(),
  state: text,
  problem: text.optional(),
  savedAt: date.optional(),
}) satisfies z.ZodType<RecordOf<typeof verifiedLabelsView>>

const update = z.looseObject({
  outcome: z.enum(['accepted', 'recovered']),
  statusCode: z.unknown(),
  description: z.unknown(),
  former: z.array(z.looseObject({})).nullable(),
  unread: z.array(text).nullable(),
  undo: text.nullable(),
}) satisfies z.ZodType<Omit<RecordOf<typeof labelUpdateView>, 'unread'>>

const printed = { printer: text, isConfirmed: z.boolean(), job: text.optional().describe('Of CUPS') }

const printer = z.object({
  name: text,
  address: text,
  language: text,
  sheet: text.optional(),
  perPage: count.optional(),
  dpi: count.optional(),
}) satisfies z.ZodType<RecordOf<typeof printersView>>

export const LABEL_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'labels create': savedLabels,
  'labels download': savedLabels,
  'labels print': z.object({
    files: z.array(labelFile),
    pages: count.optional().describe('On sheets'),
    labels: count,
    copies: count,
    ...z.object(printed).partial().shape,
  }),
  'labels update': update,
  'labels verify': z.object({ labels: z.array(verified), unlisted: z.array(text) }),
  'printers add': printer,
  'printers list': z.array(printer),
  'printers remove': printer,
  'printers test': z.object({ name: text, language: text, ...printed, isConfirmed: z.boolean().optional() }),
}
