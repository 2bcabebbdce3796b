import * as z from 'zod'
import type { DifferenceLine } from '../../../output/views/differences.ts'
import type { ExportRow } from '../../../output/views/export.ts'
import type { StatsLine } from '../../../output/views/stats.ts'
import type { StuckLine } from '../../../output/views/stuck.ts'
import { anyText, count, date } from './fields.ts'

const stuck = z.object({
  name: anyText,
  id: anyText.optional(),
  shop: anyText.optional(),
  status: anyText.optional(),
  carrier: anyText.optional(),
  carrierService: anyText.optional(),
  rule: anyText,
  why: anyText,
  since: anyText,
  hours: z.number(),
  samples: count.optional(),
  next: anyText.describe('A command'),
}) satisfies z.ZodType<Pick<StuckLine, 'name' | 'rule' | 'why' | 'since' | 'hours' | 'next'>>

const difference = z.object({
  name: anyText,
  id: anyText.optional(),
  shop: anyText.optional(),
  kind: anyText,
  line: anyText.optional(),
  refund: anyText.optional(),
  currency: anyText.optional(),
  expected: anyText.describe('An amount with all its digits'),
  actual: anyText,
  difference: anyText.optional(),
  why: anyText,
}) satisfies z.ZodType<Pick<DifferenceLine, 'name' | 'kind' | 'expected' | 'actual' | 'why'>>

const hours = z.object({ count, p50: z.number(), p90: z.number(), p95: z.number() }).describe('In hours')

const stats = z.object({
  by: anyText,
  key: anyText,
  label: anyText.optional(),
  returns: count,
  share: z.number().describe('In per cent'),
  requestToRefund: hours.optional(),
  dropOffToArrival: hours.optional(),
}) satisfies z.ZodType<Pick<StatsLine, 'by' | 'key' | 'returns' | 'share'>>

const entry = z.object({
  date: anyText.optional().describe('As sent'),
  of: z.enum(['return', 'transport', 'scan', 'label', 'refund', 'gap']),
  what: anyText,
  detail: anyText,
})

const exported = z.object({
  rmaExport: z.literal(1),
  file: anyText,
  format: anyText,
  bytes: count,
  sha256: anyText,
  records: count,
  complete: z.boolean(),
  until: date,
  totalRecords: count.nullable(),
  counted: count,
  duplicatesRemoved: count,
  goneMeanwhile: count,
  differences: z.array(z.object({ from: date, to: date, totalRecords: count.nullable(), counted: count })),
  platform: anyText,
  shop: anyText.nullable(),
  filters: z.record(anyText, anyText),
  startedAt: date,
  finishedAt: date,
}) satisfies z.ZodType<ExportRow>

export const INSIGHT_RESULTS: Readonly<Record<string, z.ZodType>> = {
  'returns explain': z.object({
    timeline: z.array(entry),
    where: anyText,
    money: anyText,
    next: anyText,
    problems: z.array(anyText),
    return: z.object({ id: anyText.nullish(), name: anyText, shopCode: anyText, status: anyText.nullish() }),
  }),
  'returns export': exported,
  'returns reconcile': z.object({ differences: z.array(difference), returns: count, unread: count }),
  'returns stats': z.object({ stats: z.array(stats) }),
  'returns stuck': z.looseObject({ stuck: z.array(stuck) }),
}
