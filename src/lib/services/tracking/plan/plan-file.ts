import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import type { NewJob } from '../../../bulk/job/job-folder.ts'
import { assertIsFile } from '../../../bulk/rows/input-file.ts'
import { BATCH_ROWS } from '../../../bulk/rows/row.ts'
import type { Context } from '../../../cli/context.ts'
import { isSameTarget, targetText } from '../../../config/merchant.ts'
import {
  AppError,
  causedBy,
  type ErrorDetail,
  type ErrorKind,
  systemCode,
  usageError,
} from '../../../errors.ts'
import { unwritten } from '../../../files/file-failure.ts'
import { replaceFile } from '../../../files/temporary-file.ts'
import { counted } from '../../../wire/counted.ts'
import { jsonOrUndefined, stringifyJson } from '../../../wire/json.ts'
import { trackingRequestSchema } from '../../../wire/tracking.ts'
import { isInShard, type JobInput } from '../job-rows.ts'
import { type RowReading, readingSchema, type UpdateRow } from '../survey.ts'
import { UPDATE_FIELDS } from '../update.ts'
import { isSent, type RowVerdict, VERDICTS } from './row-effect.ts'
import { Shipments } from './shipments.ts'

const VERSION = 1

const text = z.string()

const headerSchema = z.object({
  rmaPlan: z.literal(VERSION),
  input: text,
  sha256: text,
  baseUrl: text.nullish(),
  shop: text.nullish(),
  /** Merchant of the token. */
  shops: z.array(text).readonly().optional(),
  owner: text.optional(),
  created: text,
  by: z.literal('tracking-number').optional(),
  /** Columns of the planned file, and how they are read. Absent if its rows have no common header. */
  original: z.object({ columns: z.array(text), reading: readingSchema }).optional(),
})

export type PlanHeader = z.infer<typeof headerSchema>

const rowSchema = z.object({
  row: z.number(),
  verdict: z.enum(VERDICTS),
  /** Fingerprint of the shipment's state, in its first row that is sent. */
  seen: text.optional(),
  request: trackingRequestSchema,
  /** Cells of the planned file. */
  cells: z
    .array(z.union([text, z.object({ number: text }), z.object({ json: text })]))
    .readonly()
    .optional(),
})
export type PlannedRow = z.infer<typeof rowSchema>

type Totals = Record<RowVerdict, number>

/** Writes rows, totals, and the hash of the rest. @throws AppError `config`, `unavailable` or `usage` */
export async function writePlan(
  path: string,
  header: PlanHeader,
  fill: (add: (row: PlannedRow) => void) => Promise<void>,
): Promise<Totals> {
  await refuseOther(path)
  const totals = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Totals
  let kind: ErrorKind = 'config'
  try {
    await replaceFile(path, async (write) => {
      kind = 'unavailable'
      const hash = createHash('sha256')
      let pending = `${JSON.stringify(header)}\n`
      const flush = () => {
        hash.update(pending)
        write(pending)
        pending = ''
      }
      await fill((row) => {
        totals[row.verdict] += 1
        pending += `${stringifyJson(row)}\n`
        if (pending.length > 256 * 1024) flush()
      })
      flush()
      write(`${JSON.stringify({ end: totals, sha256: hash.digest('hex') })}\n`)
    })
  } catch (cause) {
    throw unwritten(cause, `The plan ${path}`, '--out', kind)
  }
  return totals
}

/** Refuses to replace a file that is not a plan. */
async function refuseOther(path: string) {
  if (!existsSync(path)) return
  for await (const line of readable(path)) {
    if (line.startsWith('{"rmaPlan"')) return
    break
  }
  throw usageError(`${path} is there already, and is not a plan.`, 'choose another --out')
}

/** Plan that is read as a job's input: yields its accepted rows. */
export class PlanFile implements JobInput {
  private constructor(
    readonly path: string,
    readonly header: PlanHeader,
    readonly source: { sha256: string },
    readonly totals: Partial<Totals>,
  ) {}

  /** @throws AppError `usage` if it can't be read, or is not a whole plan */
  static async open(path: string): Promise<PlanFile> {
    const hash = createHash('sha256')
    let first: unknown
    let end: z.infer<typeof endSchema> | undefined
    let isAsWritten = false
    for await (const line of readable(path)) {
      first ??= jsonOrUndefined(line)
      end = line.startsWith('{"end"') ? endSchema.safeParse(jsonOrUndefined(line)).data : undefined
      isAsWritten = end !== undefined && end.sha256 === hash.copy().digest('hex')
      hash.update(line).update('\n')
    }
    const header = headerSchema.safeParse(first)
    if (!header.success) {
      throw usageError(
        `${path} is not a plan.`,
        'make one with: rma tracking plan --file FILE --out PLAN',
        'a file of rows goes with --file',
      )
    }
    if (end === undefined || !isAsWritten) {
      const what = end === undefined ? 'is not whole: its end is missing' : 'is not as it was written'
      const hint = 'leave rows out of the file that is planned, not out of the plan'
      throw usageError(`${path} ${what}.`, 'make the plan again', hint)
    }
    return new PlanFile(path, header.data, { sha256: hash.digest('hex') }, end.end)
  }

  async *planned(): AsyncGenerator<PlannedRow> {
    for await (const line of readable(this.path)) {
      const row = rowSchema.safeParse(jsonOrUndefined(line))
      if (row.success) yield row.data
    }
  }

  get isByNumber(): boolean {
    return this.header.by !== undefined
  }

  /** How failed rows are read. */
  get reading(): RowReading {
    return { map: {}, set: {}, ...this.header.original?.reading, byNumber: this.isByNumber }
  }

  columns(): readonly string[] {
    return this.header.original?.columns ?? UPDATE_FIELDS
  }

  async *rows(): AsyncGenerator<UpdateRow[]> {
    let batch: UpdateRow[] = []
    const columns = this.columns()
    for await (const { row, verdict, request, cells } of this.planned()) {
      if (!isSent(verdict)) continue
      const raw = { row, columns, cells: cells ?? UPDATE_FIELDS.map((field) => request[field] ?? '') }
      const number = (this.isByNumber && request.trackingNumber) || undefined
      batch.push({ raw, update: request, number, problems: [], isRepeated: false })
      if (batch.length < BATCH_ROWS) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
}

const endSchema = z.object({ end: z.partialRecord(z.enum(VERDICTS), z.number()), sha256: text })

async function* readable(path: string): AsyncGenerator<string> {
  try {
    await assertIsFile(path)
    yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
  } catch (cause) {
    const code = systemCode(cause)
    const why = code === 'ENOENT' ? 'there is no such file' : code
    throw causedBy(cause, 'usage', `${path} can't be read: ${why}.`)
  }
}

/** @throws AppError `usage`, `rejected` */
export async function openPlan(context: Context, path: string, shard: NewJob['shard']): Promise<PlanFile> {
  const plan = await PlanFile.open(path)
  const { header } = plan
  if (!isSameTarget(header, await context.settingsWithToken())) {
    throw new AppError('usage', 'The plan was made for another platform or shop.', {
      details: [{ message: `made for ${targetText(header)}` }],
      hints: [
        `choose the same profile${header.shop ? ` and --shop ${header.shop}` : ''}, or make a new plan`,
      ],
    })
  }
  await assertUnmoved(context, plan, (row) => isInShard(row, shard))
  await warnOfEarly(context, plan.totals['too early'] ?? 0)
  return plan
}

/** Compares the returns of the wanted rows with the plan. @throws AppError `rejected` */
export async function assertUnmoved(context: Context, plan: PlanFile, isWanted: (row: UpdateRow) => boolean) {
  const shipments = new Shipments(await context.connection.returns({ allShops: true }))
  for await (const rows of plan.rows())
    for (const row of rows) if (row.update && isWanted(row)) shipments.want(row.update)
  context.progress.start('Comparing the plan with the platform')
  await shipments.load((done) => context.progress.update(`Comparing: ${done}`))
  const moved: ErrorDetail[] = []
  let count = 0
  for await (const { row, seen, request } of plan.planned()) {
    const now = shipments.fingerprintOf(request)
    if (seen === undefined || now === undefined || now === seen) continue
    count += 1
    const [was, is] = [seen, now].map((state) => state.split(' ')[0])
    const what = was === is ? 'another transport or tracking number' : `${is} now, ${was} then`
    if (moved.length < MAX_MOVED) moved.push({ path: `row ${row}, ${request.shipmentId}`, message: what })
  }
  if (count === 0) return
  throw new AppError(
    'rejected',
    `${counted(count, 'shipment has', 'shipments have')} moved since the plan was made; nothing was sent.`,
    { details: moved, hints: ['make the plan again', 'or push the file with --only-new'] },
  )
}

const MAX_MOVED = 20

export async function warnOfEarly(context: Context, count: number) {
  if (count === 0) return
  const rows = counted(count, 'row is', 'rows are')
  await context.warn(
    `${rows} dated more than 30 days before the return was made; the platform may refuse that`,
  )
}
