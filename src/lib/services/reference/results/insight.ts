import * as z from 'zod'
import type { DifferenceLine } from '../../../output/views/differences.ts'
import type { ExportRow } from '../../../output/views/export.ts'
import type { StatsLine } from '../../../output/views/stats.ts'
import type { StuckLine } from '../../../output/views/stuck.ts'
import { count, date, text } from './fields.ts'

const stuck = z.object({
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
}) satisfies z.ZodType<Pick<StuckLine, 'name' | 'rule' | 'why' | 'since' | 'hours' | 'next'>>

const difference = z.object({
  name: text,
  id: text.optional(),
  shop: text.optional(),
  kind: text,
  line: text.optional(),
  refund: text.optional(),
  currency: text.optional(),
  expected: text.describe('An amount with all its digits'),
  actual: text,
  difference: text.optional(),
  why: text,
}) satisfies z.ZodType<Pick<DifferenceLine, 'name' | 'kind' | 'expected' | 'actual' | 'why'>>

const hours = z.object({ count, p50: z.number(), p90: z.number(), p95: z.number() }).describe('In hours')

const stats = z.object({
  by: text,
  key: text,
  label: text.optional(),
  returns: count,
  share: z.number().describe('In per cent'),
  requestToRefund: hours.optional(),
  dropOffToArrival: hours.optional(),
}) satisfies z.ZodType<Pick<StatsLine, 'by' | 'key' | 'returns' | 'share'>>

const entry = z.object({
  date: text.optional().describe('As sent'),
  of: z.enum(['return', 'transport', 'scan', 'label', 'refund', 'gap']),
  what: text,
  detail: text,
})

const exported = z.object({
  rmaExport: z.literal(1),
  file: text,
  format: text,
  bytes: count,
  sha256: text,
  records: count,
  complete: z.boolean(),
  until: date,
  totalRecords: count.nullable(),
  counted: count,
  duplicatesRemoved: count,
  goneMeanwhile: count,
  differences: z.array(z.object({ from: date, to: date, totalRecords: count.nullable(), counted: count })),
  platform: text,
  shop: text.nullable(),
  filters: z.record(text, text),
  startedAt: date,
  finishedAt: date,
}) satisfies z.ZodType<ExportRow>

export const INSIGHT_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'returns explain': z.object({
    timeline: z.array(entry),
    where: text,
    money: text,
    next: text,
    problems: z.array(text),
    return: z.object({ id: text.nullish(), name: text, shopCode: text, status: text.nullish() }),
  }),
  'returns export': exported,
  'returns reconcile': z.object({ differences: z.array(difference), returns: count, unread: count }),
  'returns stats': z.object({ stats: z.array(stats) }),
  'returns stuck': z.looseObject({ stuck: z.array(stuck) }),
}
