import * as z from 'zod'
import type { labelFilesView, labelUpdateView, verifiedLabelsView } from '../../../output/views/labels.ts'
import type { printersView } from '../../../output/views/printers.ts'
import { anyText, count, date } from './fields.ts'
import type { RecordOf } from './jobs.ts'

const labelFile = z.object({
  clientShipmentId: anyText.nullable(),
  parcel: count.describe('From 1'),
  path: anyText.nullable(),
  format: z.enum(['PDF', 'ZPL', 'PNG']),
  bytes: count,
  sha256: anyText,
  carrierTrackingCode: anyText.nullable(),
  source: anyText,
  outcome: anyText.optional(),
  registered: z.boolean().optional(),
  registerCommand: anyText.optional(),
}) satisfies z.ZodType<RecordOf<typeof labelFilesView>>

const failures = z.array(
  z.object({
    clientShipmentId: anyText.nullable(),
    return: anyText.optional(),
    kind: anyText,
    message: anyText,
  }),
)
const savedLabels = z.object({
  files: z.array(labelFile),
  failed: failures,
  skipped: z.array(z.unknown()).optional(),
})

const verified = labelFile.extend({
  carrierCode: anyText.nullish(),
  state: anyText,
  problem: anyText.optional(),
  savedAt: date.optional(),
}) satisfies z.ZodType<RecordOf<typeof verifiedLabelsView>>

const update = z.looseObject({
  outcome: z.enum(['accepted', 'recovered']),
  statusCode: z.unknown(),
  description: z.unknown(),
  former: z.array(z.looseObject({})).nullable(),
  unread: z.array(anyText).nullable(),
  undo: anyText.nullable(),
}) satisfies z.ZodType<Omit<RecordOf<typeof labelUpdateView>, 'unread'>>

const printed = { printer: anyText, isConfirmed: z.boolean(), job: anyText.optional().describe('Of CUPS') }

const printer = z.object({
  name: anyText,
  address: anyText,
  language: anyText,
  sheet: anyText.optional(),
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
  'labels verify': z.object({ labels: z.array(verified), unlisted: z.array(anyText) }),
  'printers add': printer,
  'printers list': z.array(printer),
  'printers remove': printer,
  'printers test': z.object({
    name: anyText,
    language: anyText,
    ...printed,
    isConfirmed: z.boolean().optional(),
  }),
}
