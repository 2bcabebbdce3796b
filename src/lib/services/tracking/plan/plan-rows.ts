import type { ShipmentPast, TrackingApi } from '../../../api/tracking.ts'
import type { Connection } from '../../../cli/connection.ts'
import type { Context } from '../../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../../errors.ts'
import { counted } from '../../../wire/counted.ts'
import type { TrackingRequest } from '../../../wire/tracking.ts'
import type { ReportRow } from '../survey.ts'
import type { PlanFile, PlannedRow } from './plan-file.ts'
import { type Judged, judge, type RowVerdict, stateAfter } from './row-effect.ts'
import { ShipmentStates } from './shipment-states.ts'

/** Rows before count in. */
export async function* planRows(
  rows: AsyncIterable<readonly ReportRow[]>,
  states: ShipmentStates,
  pastOf: TrackingApi['pastOf'],
  { allowsFuture }: { allowsFuture: boolean },
): AsyncGenerator<PlannedRow> {
  for await (const batch of rows) {
    for (const { raw, report, isRepeated, timing } of batch) {
      if (report === undefined || isRepeated) continue
      const seen = states.firstSeen(report)
      const isFuture = timing === 'future' && !allowsFuture
      const verdict = isFuture ? 'future' : await verdictOf(report, states, pastOf)
      yield { row: raw.row, verdict, ...(seen === undefined ? {} : { seen }), request: report }
    }
  }
}

async function verdictOf(
  report: TrackingRequest,
  states: ShipmentStates,
  pastOf: TrackingApi['pastOf'],
): Promise<RowVerdict> {
  const judged: Judged = {
    status: report.trackingStatus,
    number: states.numberOf(report.trackingNumber),
    seconds: Date.parse(report.trackingDate ?? '') / 1000,
  }
  let state = states.get(report)
  let verdict = judge(judged, state)
  if (verdict === undefined && state) {
    const { lastReported, former } = await pastOf(report)
    const since = lastReported ?? state.since ?? 0
    state = { ...state, since, until: since }
    states.set(report, state)
    verdict = judge({ ...judged, isOfFormer: isOfFormer(report, former) }, state)
  }
  if (verdict === 'new' && state) states.set(report, stateAfter(judged, state))
  return verdict ?? 'new'
}

/** By its number; without one, a repeated end is that of the transport before. */
function isOfFormer(
  { trackingNumber, trackingStatus }: TrackingRequest,
  former: ShipmentPast['former'],
): boolean {
  if (trackingNumber) return former.some(({ carrierReference }) => carrierReference === trackingNumber)
  return former.at(-1)?.status === trackingStatus
}

/** @throws AppError `usage` if the plan was made for another platform or shop */
export async function assertPlanned(context: Pick<Context, 'settings'>, { header }: PlanFile): Promise<void> {
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
export async function assertUnmoved(
  context: Pick<Context, 'progress' | 'settings' | 'shellLine'>,
  connection: Pick<Connection, 'returns'>,
  plan: PlanFile,
): Promise<void> {
  const states = new ShipmentStates(await connection.returns())
  const shipments = async function* () {
    for await (const { verdict, request } of plan.planned()) if (verdict === 'new') yield request
  }
  for await (const request of shipments()) states.want(request)
  const names = async function* () {
    for await (const { shipmentId } of shipments()) yield [shipmentId]
  }
  context.progress.start('Comparing the plan with the platform')
  await states.load(names, (done) => context.progress.update(`Comparing: ${done}`))
  const moved: ErrorDetail[] = []
  let count = 0
  for await (const { row, seen, request } of plan.planned()) {
    const now = states.firstSeen(request)
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
