import type { TrackingApi } from '../../../api/tracking.ts'
import type { Shard } from '../../../bulk/job/shard.ts'
import type { Connection } from '../../../cli/connection.ts'
import type { Context } from '../../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../../errors.ts'
import { counted } from '../../../wire/counted.ts'
import { isInShard } from '../job-rows.ts'
import type { ReportRow } from '../survey.ts'
import { warnOfEarly } from './not-new.ts'
import { PlanFile, type PlannedRow } from './plan-file.ts'
import { isSent } from './row-effect.ts'
import { Shipments } from './shipments.ts'

/** Rows before count in. */
export async function* planRows(
  rows: AsyncIterable<readonly ReportRow[]>,
  shipments: Shipments,
  transportsOf: TrackingApi['transportsOf'],
  { allowsFuture }: { allowsFuture: boolean },
): AsyncGenerator<PlannedRow> {
  for await (const batch of rows) {
    const judged = batch.flatMap(({ raw, report, isRepeated, timing }) =>
      report === undefined || isRepeated ? [] : [{ row: raw.row, request: report, timing }],
    )
    await shipments.read(
      judged.map(({ request }) => request),
      transportsOf,
    )
    for (const { row, request, timing } of judged) {
      const seen = shipments.firstPrintOf(request)
      const isFuture = timing === 'future' && !allowsFuture
      const verdict = isFuture ? 'future' : shipments.judge(request)
      yield { row, verdict, ...(seen === undefined ? {} : { seen }), request }
    }
  }
}

/** A plan that still fits, and the number of its rows that this shard sends. @throws AppError `usage`, `rejected` */
export async function openPlan(
  context: Pick<Context, 'progress' | 'settings' | 'shellLine' | 'warn'>,
  connection: Pick<Connection, 'returns'>,
  path: string,
  shard: Shard | undefined,
): Promise<{ input: PlanFile; total: number }> {
  const input = await PlanFile.open(path)
  await assertPlanned(context, input)
  await assertUnmoved(context, connection, input)
  await warnOfEarly(context, input.totals['too early'] ?? 0)
  let total = 0
  for await (const batch of input.rows()) total += batch.filter((row) => isInShard(row, shard)).length
  return { input, total }
}

/** @throws AppError `usage` if the plan was made for another platform or shop */
async function assertPlanned(context: Pick<Context, 'settings'>, { header }: PlanFile): Promise<void> {
  const { baseUrl, shop, isSandbox } = await context.settings()
  const here = isSandbox ? undefined : baseUrl?.value
  if ((header.baseUrl ?? undefined) === here && (header.shop ?? undefined) === shop?.value) return
  throw new AppError('usage', 'The plan was made for another platform or shop.', {
    details: [
      { message: `made for ${header.baseUrl ?? 'the built-in sandbox'}, shop ${header.shop ?? 'not named'}` },
    ],
    hints: ['choose the same profile and shop, or make a new plan'],
  })
}

/** @throws AppError `rejected` if the platform is not as the plan found it */
async function assertUnmoved(
  context: Pick<Context, 'progress' | 'settings' | 'shellLine'>,
  connection: Pick<Connection, 'returns'>,
  plan: PlanFile,
): Promise<void> {
  const shipments = new Shipments(await connection.returns())
  for await (const { verdict, request } of plan.planned()) if (isSent(verdict)) shipments.want(request)
  context.progress.start('Comparing the plan with the platform')
  await shipments.load((done) => context.progress.update(`Comparing: ${done}`))
  const moved: ErrorDetail[] = []
  let count = 0
  for await (const { row, seen, request } of plan.planned()) {
    const now = shipments.printOf(request)
    if (seen === undefined || now === undefined || now === seen) continue
    count += 1
    const was = seen.split(' ')[0]
    const is = now.split(' ')[0]
    const what = was === is ? 'another transport or tracking number' : `${is} now, ${was} then`
    if (moved.length < MAX_MOVED) moved.push({ path: `row ${row}, ${request.shipmentId}`, message: what })
  }
  if (count === 0) return
  const { shop } = await context.settings()
  const words = ['tracking', 'plan', '--file', plan.header.input, '--out', plan.path]
  throw new AppError(
    'rejected',
    `${counted(count, 'shipment has', 'shipments have')} moved since the plan was made; nothing was sent.`,
    {
      details: moved,
      hints: [`make the plan again: ${await context.shellLine(words, shop?.value)}`],
    },
  )
}

const MAX_MOVED = 20
