import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { AppError, errorCode } from '../../../errors.ts'
import { stringifyJson } from '../../../wire/json.ts'
import { type TrackingRequest, trackingRequestSchema } from '../../../wire/tracking.ts'
import { type RowVerdict, VERDICTS } from './row-effect.ts'

const VERSION = 1

const headerSchema = z.object({
  rmaPlan: z.literal(VERSION),
  /** What was planned, and its SHA-256. */
  input: z.string(),
  sha256: z.string(),
  /** Undefined for the built-in sandbox. */
  baseUrl: z.string().nullish(),
  shop: z.string().nullish(),
  created: z.string(),
})
/** The first line of a plan. */
export type PlanHeader = z.infer<typeof headerSchema>

/** A row with what it would do. */
export interface PlannedRow {
  row: number
  verdict: RowVerdict
  /** What the platform had of the shipment; in the first row of each shipment only. */
  seen?: string | undefined
  request: TrackingRequest
}

export type Totals = Record<RowVerdict, number>

function noTotals(): Totals {
  return { new: 0, 'no-op': 0, backward: 0, illegal: 0, stale: 0, missing: 0, future: 0 }
}

/** Writes a plan under a temporary name, so that one that has its name is whole. */
export class PlanWriter {
  readonly totals = noTotals()
  readonly #hash = createHash('sha256')
  #lines: string[] = []
  #size = 0

  private constructor(
    private readonly path: string,
    private readonly temporary: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws AppError `config` if the place can't be written to, `usage` if something else is there */
  static async create(path: string, header: PlanHeader): Promise<PlanWriter> {
    await refuseOther(path)
    const temporary = `${path}.${process.pid}.tmp`
    const file = await open(temporary, 'wx', 0o600).catch((cause: unknown) => {
      throw unwritable('config', path, cause)
    })
    const writer = new PlanWriter(path, temporary, file)
    writer.#lines.push(JSON.stringify(header))
    return writer
  }

  async add(row: PlannedRow): Promise<void> {
    this.totals[row.verdict] += 1
    const line = stringifyJson(row)
    this.#lines.push(line)
    this.#size += line.length
    if (this.#size > 256 * 1024) await this.#write()
  }

  /** Ends the plan with its totals and the hash of all before, and gives it its name. */
  async finish(): Promise<void> {
    await this.#write()
    const end = { end: this.totals, sha256: this.#hash.digest('hex') }
    await this.#writing(async () => {
      await this.file.appendFile(`${JSON.stringify(end)}\n`)
      await this.file.sync()
      await this.file.close()
      await rename(this.temporary, this.path)
    })
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.file.close()
    await rm(this.temporary, { force: true })
  }

  async #writing(write: () => Promise<void>): Promise<void> {
    await write().catch((cause: unknown) => {
      throw unwritable('unavailable', this.path, cause)
    })
  }

  async #write(): Promise<void> {
    const text = this.#lines.map((line) => `${line}\n`).join('')
    this.#hash.update(text)
    await this.#writing(() => this.file.appendFile(text))
    this.#lines = []
    this.#size = 0
  }
}

function unwritable(kind: 'config' | 'unavailable', path: string, cause: unknown): AppError {
  const message = `The plan ${path} can't be written: ${errorCode(cause) ?? cause}.`
  return new AppError(kind, message, { hints: ['choose another --out'], cause })
}

/** A plan may replace a plan, and nothing else. */
async function refuseOther(path: string): Promise<void> {
  try {
    for await (const line of linesOf(path)) {
      if (line.startsWith('{"rmaPlan"')) return
      break
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw new AppError('config', `${path} can't be read: ${errorCode(error) ?? error}.`, { cause: error })
  }
  throw new AppError('usage', `${path} is there already, and is no plan.`, {
    hints: ['choose another --out'],
  })
}

/** A plan that was made before. Only the rows that would move a shipment on are its rows. */
export class PlanFile {
  private constructor(
    readonly path: string,
    readonly header: PlanHeader,
    readonly bytes: number,
    readonly sha256: string,
    readonly totals: Totals,
  ) {}

  /** @throws AppError `usage` if it can't be read, is no plan, or not a whole one */
  static async open(path: string): Promise<PlanFile> {
    const hash = createHash('sha256')
    let bytes = 0
    let first: unknown
    let end: z.infer<typeof endSchema> | undefined
    let isAsWritten = false
    for await (const line of readable(path)) {
      first ??= parsed(line)
      end = line.startsWith('{"end"') ? endSchema.safeParse(parsed(line)).data : undefined
      isAsWritten = end !== undefined && end.sha256 === hash.copy().digest('hex')
      hash.update(line).update('\n')
      bytes += Buffer.byteLength(line) + 1
    }
    const header = headerSchema.safeParse(first)
    if (!header.success) {
      throw new AppError('usage', `${path} is not a plan.`, {
        hints: ['make one with: rma tracking plan --file FILE --out PLAN', 'a file of rows goes with --file'],
      })
    }
    if (end === undefined || !isAsWritten) {
      const what = end === undefined ? 'is not whole: its end is missing' : 'is not as it was written'
      throw new AppError('usage', `${path} ${what}.`, {
        hints: ['make the plan again', 'leave rows out of the file that is planned, not out of the plan'],
      })
    }
    return new PlanFile(path, header.data, bytes, hash.digest('hex'), end.end)
  }

  /** All rows, those that are not to be sent included. */
  async *rows(): AsyncGenerator<PlannedRow> {
    for await (const line of readable(this.path)) {
      const row = rowSchema.safeParse(parsed(line))
      if (row.success) yield row.data
    }
  }
}

const endSchema = z.object({ end: z.record(z.enum(VERDICTS), z.number()), sha256: z.string() })
const rowSchema = z.object({
  row: z.number(),
  verdict: z.enum(VERDICTS),
  seen: z.string().optional(),
  request: trackingRequestSchema,
})

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function* readable(path: string): AsyncGenerator<string> {
  try {
    yield* linesOf(path)
  } catch (cause) {
    const code = errorCode(cause)
    if (code === undefined) throw cause
    throw new AppError(
      'usage',
      `${path} can't be read: ${code === 'ENOENT' ? 'there is no such file' : code}.`,
      { cause },
    )
  }
}

function linesOf(path: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })
}
