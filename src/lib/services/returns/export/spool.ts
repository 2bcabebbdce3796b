import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readFile, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import * as z from 'zod'
import { errorCode, usageError } from '../../../errors.ts'
import { fileFailure } from '../../../files/file-failure.ts'
import { parseJson, stringifyJson } from '../../../wire/json.ts'
import { returnKey } from '../../../wire/plain.ts'
import type { Return } from '../../../wire/returns.ts'
import { parseServiceDate } from '../../../wire/time.ts'

const originSchema = z.object({
  rmaExport: z.literal(1),
  platform: z.string(),
  merchant: z.object({ shops: z.array(z.string()), owner: z.string().optional() }),
})
type ExportOrigin = Omit<z.infer<typeof originSchema>, 'rmaExport'>

const OTHER_PLACE = 'move it away, or choose another file with --out'

/** @throws AppError `usage` if `out` exists and is not an export of the same returns */
export async function refuseOtherExports(out: string, is: ExportOrigin) {
  const there = await lstat(out).catch(() => undefined)
  if (there === undefined) return
  const was = there.isFile() ? await originOf(out) : undefined
  if (!was) throw usageError(`${out} is there, and no export of this version made it.`, OTHER_PLACE)
  const [former, here] = [was, is].map(shownOrigin)
  if (former === here) return
  throw usageError(`${out} is an export of ${former}, not of ${here}.`, OTHER_PLACE)
}

export function shownOrigin({ platform, merchant: { shops, owner } }: ExportOrigin): string {
  const unnamed = owner === undefined ? 'all shops' : `profile and token ${owner}`
  return `${platform}, ${shops.length > 0 ? `shops ${shops.join(', ')}` : unnamed}`
}

export function manifestPath(file: string): string {
  return `${file}.manifest.json`
}

/** Reads the origin of an export. Returns undefined for other files. */
async function originOf(file: string) {
  try {
    return originSchema.safeParse(JSON.parse(await readFile(manifestPath(file), 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Prefix of the header and of progress lines. No record begins with it. */
const MARK = '#'

const headerSchema = originSchema.extend({
  shop: z.string().nullable(),
  filters: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.string()),
  startedAt: z.string(),
  /** Platform time in epoch milliseconds. Returns created earlier must be in the file. */
  untilMs: z.number(),
})
export type SpoolHeader = z.infer<typeof headerSchema>

const stateSchema = z.object({
  /** Epoch milliseconds. Returns created later are in the file. */
  position: z.number().nullable(),
  isWalked: z.boolean(),
  duplicates: z.number(),
})
type SpoolState = z.infer<typeof stateSchema>

const NOTHING_YET: SpoolState = { position: null, isWalked: false, duplicates: 0 }

/**
 * Log of an export: the header, then records, and a progress line after each page. Records after the last
 * progress line were cut off by a kill, and are read again.
 */
export class Spool {
  state: SpoolState = NOTHING_YET
  /** Creation of each return by its key, in epoch milliseconds; NaN if it can't be read. */
  readonly created = new Map<string, number>()
  private end = 0

  private constructor(
    readonly path: string,
    readonly header: SpoolHeader,
    private readonly file: FileHandle,
  ) {}

  static async create(path: string, header: SpoolHeader): Promise<Spool> {
    return onDisk(path, async () => {
      // Removes a link of that name instead of writing through it.
      await rm(path, { force: true })
      const spool = new Spool(path, header, await open(path, 'wx+', 0o600))
      await spool.#write(`${MARK}${JSON.stringify(header)}\n${MARK}${JSON.stringify(NOTHING_YET)}\n`)
      return spool
    })
  }

  /**
   * Resumes a file. Returns undefined if it is missing or ends before its first progress line.
   * @throws AppError `usage` for a file that no export made
   */
  static async reopen(path: string): Promise<Spool | undefined> {
    const file = await open(path, 'r+').catch(() => undefined)
    if (file === undefined) return undefined
    let spool: Spool | undefined
    try {
      let end = 0
      let page: Return[] = []
      const { size } = await file.stat()
      for await (const { line, length } of linesOf(path)) {
        end += length
        // The last line is cut off.
        if (end > size) break
        if (spool === undefined) {
          spool = new Spool(path, readHeader(path, line), file)
          continue
        }
        const state = line.startsWith(MARK) ? readState(line) : undefined
        if (state === undefined) {
          page.push(parseJson(line) as Return)
          continue
        }
        for (const record of page) spool.created.set(returnKey(record), createdAtOf(record))
        spool.state = state
        spool.end = end
        page = []
      }
    } catch (error) {
      // Cut off in the middle of a line.
      if (!(error instanceof SyntaxError)) {
        await file.close()
        throw error
      }
    }
    if (spool === undefined || spool.end === 0) {
      await file.close()
      return undefined
    }
    await file.truncate(spool.end)
    return spool
  }

  /** Writes new records and the progress after them in one write. @throws AppError if the disk is full */
  async append(records: readonly Return[], progress: Partial<SpoolState>) {
    const fresh = new Map(records.map((record) => [returnKey(record), record]))
    for (const key of fresh.keys()) if (this.created.has(key)) fresh.delete(key)
    const lines = [...fresh.values()].map((record) => `${stringifyJson(record)}\n`).join('')
    const duplicates = this.state.duplicates + records.length - fresh.size
    const state = { ...this.state, ...progress, duplicates }
    await onDisk(this.path, () => this.#write(`${lines}${MARK}${JSON.stringify(state)}\n`))
    for (const [key, record] of fresh) this.created.set(key, createdAtOf(record))
    this.state = state
  }

  async *each(): AsyncGenerator<Return> {
    for await (const { line } of linesOf(this.path, this.end)) {
      if (!line.startsWith(MARK)) yield parseJson(line) as Return
    }
  }

  async close() {
    await this.file.close()
  }

  async remove() {
    await rm(this.path, { force: true })
  }

  async #write(text: string) {
    const bytes = Buffer.from(text)
    await this.file.write(bytes, 0, bytes.length, this.end)
    await this.file.datasync()
    this.end += bytes.length
  }
}

async function onDisk<T>(path: string, action: () => Promise<T>) {
  try {
    return await action()
  } catch (error) {
    throw fileFailure(error, "What was read so far can't be kept", path)
  }
}

async function* linesOf(
  path: string,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<{ line: string; length: number }> {
  if (end === 0) return
  const input = createReadStream(path, { end: end - 1 })
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    yield { line, length: Buffer.byteLength(line) + 1 }
  }
}

function readHeader(path: string, line: string) {
  const header = line.startsWith(MARK) ? headerSchema.safeParse(parseJson(line.slice(1))) : undefined
  if (header?.success) return header.data
  throw usageError(
    `${path} is there, and no export of this version made it.`,
    'move it away, or begin anew with --restart',
    'or choose another file with --out',
  )
}

function readState(line: string) {
  const state = stateSchema.safeParse(parseJson(line.slice(1)))
  if (state.success) return state.data
  throw new SyntaxError('not a mark')
}

function createdAtOf({ createdAt }: Return) {
  return parseServiceDate(createdAt) ?? Number.NaN
}
