import type { Context } from '../../../cli/context.ts'
import { merchantOf } from '../../../config/merchant.ts'
import { counted } from '../../../wire/counted.ts'
import { originalOf, writeUnmatched } from '../by-number.ts'
import { openUpdates, updatesPath } from '../input.ts'
import { isInShard } from '../job-rows.ts'
import type { RowFlags } from '../push-flags.ts'
import { type PushJob, pushJobOf } from '../push-job.ts'
import { isByRow, NOTHING_NEW } from '../result.ts'
import { planRowView, planView } from '../tracking.result.ts'
import { type PlannedRow, warnOfEarly, writePlan } from './plan-file.ts'
import { isSent, type RowVerdict, VERDICTS } from './row-effect.ts'
import { Shipments } from './shipments.ts'
import reasons from './verdict-reasons.json'

const LISTED = 20

type PlanFlags = RowFlags & { out: string; yes?: boolean }

export async function makePlan(context: Context, flags: PlanFlags) {
  context.streams.outliveReader()
  const printsRows = await isByRow(context)
  await (printsRows ? context.checkOutput(planRowView) : context.checkOutput(planView))
  context.saveMemory()
  const push = await pushJobOf(context, flags, false)
  const { file, totals, survey, notNew, found } = await planFile(
    context,
    flags,
    push,
    printsRows ? (items) => context.renderList(items, planRowView) : undefined,
  )
  if (survey.unmatched.count > 0) await writeUnmatched(context, file, `${flags.out}.unmatched.csv`)
  if (printsRows) return
  const { invalid, repeated } = survey
  const record = {
    plan: flags.out,
    total: VERDICTS.reduce((sum, verdict) => sum + totals[verdict], 0),
    accepted: totals.new + totals['too early'],
    verdicts: totals,
    invalid,
    repeated,
    unmatched: survey.unmatched.count,
  }
  await context.render({ kind: 'record', record, view: planView })
  for (const line of found) await context.note(line)
  await notNew.tell(context)
  const { shop } = await context.settings()
  const line = await context.shellLine(['tracking', 'push', '--plan', flags.out], shop?.value)
  await context.note(record.accepted === 0 ? NOTHING_NEW : `Send what is new with: ${line}`)
}

export async function planFile(
  context: Context,
  flags: PlanFlags & { 'only-new'?: boolean },
  push: PushJob,
  print: (rows: AsyncIterable<PlannedRow>) => Promise<void> = drained,
) {
  const { progress } = context
  const settings = await context.settingsWithToken()
  const { baseUrl, shop, isSandbox } = settings
  const source = await updatesPath(context, flags.file)
  const { allowsFuture } = push.rules
  // Future dates and updates after an end get a verdict instead of a refusal.
  const rules = { ...push.rules, allowsFuture: true, allowsAfterEnd: true }
  const { file, survey } = await openUpdates(context, source, flags, { ...push, rules })
  await push.check?.(file)
  // A kept plan is pushed without the flags that the file was read by.
  const original = flags['only-new'] ? originalOf(file) : undefined
  const rows = async function* () {
    for await (const batch of file.rows()) {
      context.assertNotInterrupted()
      yield batch.flatMap((one) =>
        one.update === undefined || one.isRepeated || !isInShard(one, push.shard)
          ? []
          : [{ ...one, row: one.raw.row, request: one.update, cells: original && one.raw.cells }],
      )
    }
  }
  const shipments = new Shipments(await context.connection.returns({ allShops: true }))
  for await (const batch of rows()) for (const { request } of batch) shipments.want(request)
  progress.start(`Reading the state of ${counted(shipments.size, 'shipment')}`)
  await shipments.load((done) => progress.update(`Reading states: ${done}`))
  const { transportsOf } = await context.connection.tracking()
  const header = {
    rmaPlan: 1 as const,
    input: source.name,
    sha256: file.source.sha256,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    shop: shop?.value,
    ...merchantOf(settings),
    created: context.timestamp,
    ...(file.reading.byNumber && { by: 'tracking-number' as const }),
    original,
  }
  const notNew = new NotNew()
  const found: string[] = []
  const judged = async function* (take: (row: PlannedRow) => void) {
    let count = 0
    for await (const batch of rows()) {
      await shipments.read(
        batch.map(({ request }) => request),
        transportsOf,
      )
      for (const { row, request, timing, isAfterEnd, cells } of batch) {
        const isFuture = timing === 'future' && !allowsFuture
        const verdict = isFuture ? 'future' : shipments.judge(request, timing === 'undated', isAfterEnd)
        // The push compares only the returns of rows with `seen`.
        const seen = isSent(verdict) ? shipments.firstFingerprintOf(request) : undefined
        const planned = { row, verdict, ...(seen !== undefined && { seen }), request, cells }
        take(planned)
        count += 1
        if (count % 1000 === 0) progress.update(`Planning: ${counted(count, 'row')}`)
        yield planned
      }
    }
  }
  const totals = await writePlan(flags.out, header, (add) =>
    print(
      judged((row) => {
        add(row)
        notNew.add(row)
        const { trackingNumber, shipmentId } = row.request
        if (file.reading.byNumber && found.length < LISTED)
          found.push(`  row ${row.row}: ${trackingNumber} is of ${shipmentId}`)
      }),
    ),
  )
  return { file, totals, survey, notNew, found }
}

async function drained(rows: AsyncIterable<PlannedRow>) {
  for await (const _ of rows);
}

const REASONS: Readonly<Partial<Record<RowVerdict, string>>> = reasons

class NotNew {
  readonly #lines: string[] = []
  #count = 0
  #early = 0

  add({ row, verdict, request }: PlannedRow) {
    if (verdict === 'too early') this.#early += 1
    if (isSent(verdict)) return
    this.#count += 1
    if (this.#lines.length >= LISTED) return
    const { shipmentId, trackingStatus } = request
    this.#lines.push(`  row ${row}, ${shipmentId}: ${verdict} (${trackingStatus}: ${REASONS[verdict]})`)
  }

  async tell(context: Context) {
    await warnOfEarly(context, this.#early)
    if (this.#count === 0) return
    const more = this.#count - this.#lines.length
    const lines = [`${counted(this.#count, 'row is', 'rows are')} not new:`, ...this.#lines]
    if (more > 0) lines.push(`  and ${more} more; with -o ndjson, rma tracking plan lists all`)
    for (const line of lines) await context.note(line)
  }
}
