import type { ReturnsApi } from '../../../api/returns.ts'
import type { Connection } from '../../../cli/connection.ts'
import type { Context } from '../../../cli/context.ts'
import { counted } from '../../../wire/counted.ts'
import { type Destination, destinationOf } from '../destination.ts'
import { inputPath, openReports, type RowFlags, rowReading } from '../input.ts'
import { reportOptions } from '../push-one.ts'
import type { ReportOptions } from '../report.ts'
import type { ReportFile, RowReading } from '../report-file.ts'
import type { ReportRow, Survey } from '../survey.ts'
import { planRowView, planView } from '../tracking.result.ts'
import { NotNew } from './not-new.ts'
import { type PlannedRow, type Totals, writePlan } from './plan-file.ts'
import { planRows } from './plan-rows.ts'
import { VERDICTS } from './row-effect.ts'
import { Shipments } from './shipments.ts'

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
  const { output, shop } = await context.settings()
  const isByRow = output.value === 'ndjson' || output.value === 'csv'
  await (isByRow ? context.checkOutput(planRowView) : context.checkOutput(planView))
  const input = await inputPath(context, flags.file)
  context.spareMemory()
  const planning = {
    options: await reportOptions(context, flags),
    reading: await rowReading(context, flags),
    destination: destinationOf(connection),
  }
  const render = (items: AsyncIterable<PlannedRow>) =>
    context.render({ kind: 'list', items, view: planRowView })
  const { totals, survey, notNew } = await planFile(
    { context, connection },
    input,
    flags,
    planning,
    isByRow ? render : undefined,
  )
  if (isByRow) return
  const total = VERDICTS.reduce((sum, verdict) => sum + totals[verdict], 0)
  const { invalid, repeated } = survey
  const record = {
    plan: flags.out,
    total,
    accepted: totals.new + totals['too early'],
    verdicts: totals,
    invalid,
    repeated,
  }
  await context.render({ kind: 'record', record, view: planView })
  await notNew.tell(context)
  const line = await context.shellLine(['tracking', 'push', '--plan', flags.out], shop?.value)
  await context.note(
    record.accepted === 0 ? 'Nothing is new: there is nothing to send.' : `Send what is new with: ${line}`,
  )
}

export interface Planning {
  options: ReportOptions
  reading: RowReading
  destination: () => Promise<Destination>
  /** Chooses the planned rows; default all. */
  isMine?: ((row: ReportRow) => boolean) | undefined
}

/** Compares every row with the platform, and writes the plan to `out`; `render` prints each row meanwhile. */
export async function planFile(
  { context, connection }: { context: Context; connection: Pick<Connection, 'returns' | 'tracking'> },
  { path, name }: { path: string; name: string },
  flags: PlanFlags,
  { options, reading, destination, isMine = () => true }: Planning,
  render: (rows: AsyncIterable<PlannedRow>) => Promise<void> = drained,
): Promise<{ totals: Totals; survey: Survey; notNew: NotNew }> {
  const { baseUrl, shop, isSandbox } = await context.settings()
  const { allowsFuture, ...others } = options
  // Dates too far ahead get a verdict instead of a refusal.
  const { file, survey } = await openReports(context, { path, name }, flags, {
    options: { ...others, allowsFuture: true },
    reading,
    destination,
    isMine,
  })
  const rows = () => ownRows(context, file, isMine)
  const shipments = await loadShipments(context, await connection.returns(), rows())
  const { transportsOf } = await connection.tracking()
  const header = {
    rmaPlan: 1 as const,
    input: name,
    sha256: file.source.sha256,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    shop: shop?.value,
    created: new Date(context.io.now()).toISOString(),
  }
  const notNew = new NotNew()
  const totals = await writePlan(flags.out, header, async (add) => {
    const take = (row: PlannedRow) => {
      add(row)
      notNew.add(row)
    }
    await render(planned(context, planRows(rows(), shipments, transportsOf, { allowsFuture }), take))
  })
  return { totals, survey, notNew }
}

async function drained(rows: AsyncIterable<PlannedRow>): Promise<void> {
  for await (const _ of rows);
}

async function* ownRows(
  context: Pick<Context, 'assertNotInterrupted'>,
  file: ReportFile,
  isMine: (row: ReportRow) => boolean,
): AsyncGenerator<ReportRow[]> {
  for await (const batch of file.rows()) {
    context.assertNotInterrupted()
    yield batch.filter(isMine)
  }
}

async function* planned(
  { progress }: Pick<Context, 'progress'>,
  rows: AsyncIterable<PlannedRow>,
  take: (row: PlannedRow) => void,
): AsyncGenerator<PlannedRow> {
  let count = 0
  for await (const row of rows) {
    take(row)
    count += 1
    if (count % 1000 === 0) progress.update(`Planning: ${counted(count, 'row')}`)
    yield row
  }
}

async function loadShipments(
  { progress }: Pick<Context, 'progress'>,
  returns: ReturnsApi,
  rows: AsyncIterable<readonly ReportRow[]>,
): Promise<Shipments> {
  const shipments = new Shipments(returns)
  for await (const batch of rows) {
    for (const { report, isRepeated } of batch) if (report && !isRepeated) shipments.want(report)
  }
  progress.start(`Reading the state of ${counted(shipments.size, 'shipment')}`)
  await shipments.load((done) => progress.update(`Reading states: ${done}`))
  return shipments
}
