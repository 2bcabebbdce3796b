import type { ReturnsApi } from '../../../api/returns.ts'
import type { Connection } from '../../../cli/connection.ts'
import type { Context } from '../../../cli/context.ts'
import { planRowView, planView } from '../../../output/views/tracking.ts'
import { destinationOf } from '../destination.ts'
import { inputPath, openReports, type RowFlags } from '../input.ts'
import { reportOptions } from '../push-one.ts'
import type { ReportFile } from '../report-file.ts'
import { type PlannedRow, writePlan } from './plan-file.ts'
import { planRows } from './plan-rows.ts'
import { VERDICTS } from './row-effect.ts'
import { ShipmentStates } from './shipment-states.ts'

export interface PlanFlags extends RowFlags {
  out: string
  'allow-unknown-status'?: boolean | undefined
  'allow-future'?: boolean | undefined
  names?: string | undefined
}

/** Writes down what each row would change. Sends nothing. */
export async function makePlan(
  context: Context,
  connection: Pick<Connection, 'http' | 'returns' | 'tracking'>,
  flags: PlanFlags,
): Promise<void> {
  const { output, baseUrl, shop, isSandbox } = await context.settings()
  const isByRow = output.value === 'ndjson' || output.value === 'csv'
  await (isByRow ? context.checkOutput(planRowView) : context.checkOutput(planView))
  const { path, name } = await inputPath(context, flags.file)
  context.spareMemory()
  const { allowsFuture, ...options } = await reportOptions(context, flags)
  // What is dated too far ahead gets a verdict instead of a refusal.
  const reading = { options: { ...options, allowsFuture: true }, destination: destinationOf(connection) }
  const { file, survey } = await openReports(context, { path, name }, flags, reading)
  const states = await loadStates(context, await connection.returns(), file)
  const { pastOf } = await connection.tracking()
  const header = {
    rmaPlan: 1 as const,
    input: name,
    sha256: file.source.sha256,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    shop: shop?.value,
    created: new Date(context.io.now()).toISOString(),
  }
  const totals = await writePlan(flags.out, header, async (add) => {
    const rows = planned(context, planRows(file, states, pastOf, { allowsFuture }), add)
    if (isByRow) await context.render({ kind: 'list', items: rows, view: planRowView })
    else for await (const _ of rows);
  })
  if (isByRow) return
  const total = VERDICTS.reduce((sum, verdict) => sum + totals[verdict], 0)
  const { invalid, repeated } = survey
  const record = {
    plan: flags.out,
    total,
    accepted: totals.new,
    verdicts: totals,
    invalid,
    repeated,
  }
  await context.render({ kind: 'record', record, view: planView })
  await context.note(`Send what is new with: rma tracking push --plan ${flags.out}`)
}

async function* planned(
  context: Pick<Context, 'assertNotInterrupted' | 'progress'>,
  rows: AsyncIterable<PlannedRow>,
  add: (row: PlannedRow) => void,
): AsyncGenerator<PlannedRow> {
  let count = 0
  for await (const row of rows) {
    context.assertNotInterrupted()
    add(row)
    count += 1
    if (count % 1000 === 0) context.progress.update(`Planning: ${count} rows`)
    yield row
  }
}

async function loadStates(
  context: Pick<Context, 'assertNotInterrupted' | 'progress'>,
  returns: ReturnsApi,
  file: ReportFile,
): Promise<ShipmentStates> {
  const states = new ShipmentStates(returns)
  for await (const batch of file.rows()) {
    context.assertNotInterrupted()
    for (const { report } of batch) if (report) states.want(report)
  }
  const names = async function* () {
    for await (const batch of file.rows()) {
      yield batch.flatMap(({ report }) => (report === undefined ? [] : [report.shipmentId]))
    }
  }
  context.progress.start(`Reading the state of ${states.size} shipments`)
  await states.load(names, (done) => context.progress.update(`Reading states: ${done}`))
  return states
}
