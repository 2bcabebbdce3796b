import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { AppError, appError, causedBy, errorCode, nearHints, systemCode, usageError } from '../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../files/file-failure.ts'
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts'
import { type Lock, lockHolder, takeLock } from '../../files/lock.ts'
import { makeFolders, makeNewFolder } from '../../files/make-folder.ts'
import { syncFolder } from '../../files/temporary-file.ts'
import { createJournal, type Journal, openJournal } from './journal.ts'
import { type JournalReader, journalBytes, recover } from './journal-record.ts'

const JOB_VERSION = 1

const count = z.int().nonnegative()
const text = z.string()
const shardSchema = z.object({ index: z.int().positive(), of: z.int().positive() })

const jobInfoSchema = z.object({
  version: z.literal(JOB_VERSION),
  id: text,
  created: text,
  profile: text.optional(),
  baseUrl: text.optional(),
  /** Id of a sandbox's data, which a reset changes. */
  sandbox: text.optional(),
  shop: text.optional(),
  /** Shops of the token. */
  shops: z.array(text).readonly().optional(),
  /** Merchant of a token that names no shop. */
  owner: text.optional(),
  input: z.object({
    path: text,
    sha256: text,
    options: z.record(text, z.unknown()),
    /** Digest of the copy or plan of the input in the job's folder, if the job reads that. */
    ownSha256: text.optional(),
  }),
  options: z.record(text, z.unknown()),
  shard: shardSchema.optional(),
  fingerprint: text.optional(),
  total: count,
})
type JobInfo = z.infer<typeof jobInfoSchema>
export type NewJob = Omit<JobInfo, 'version' | 'id' | 'created'>

/** Counts by each row's latest outcome. */
const totalsSchema = z.object({
  total: count,
  succeeded: count,
  duplicate: count.default(0),
  stale: count.default(0),
  failed: count,
  unknown: count,
  skipped: count,
  remaining: count,
  /** Remaining rows that were sent and have no outcome; a resume looks them up first. */
  unsettled: count.default(0),
})
export type RowTotals = z.infer<typeof totalsSchema>

const jobResultSchema = totalsSchema.extend({
  version: z.literal(JOB_VERSION),
  ended: text,
  durationMs: z.number().nonnegative(),
  journalBytes: count.default(0),
  /** Why rows remain. */
  stopped: text.optional(),
})
type JobResult = z.infer<typeof jobResultSchema>

export const summarySchema = z.object({
  jobId: text,
  ...totalsSchema.shape,
  input: z.object({ path: text, sha256: text }),
  shard: shardSchema.optional(),
  unmatched: count.optional(),
  /** Null for the built-in sandbox. */
  baseUrl: text.nullable().optional(),
  shop: text.nullable().optional(),
})

/** `20261121-0931-x7k2` in UTC: sorts by time. */
const ID = /^\d{8}-\d{4}-[a-z0-9]{4}$/
const LETTERS = '23456789abcdefghjkmnpqrstuvwxyz'
const INFO = 'job.json'
const JOURNAL = 'journal'
export const INPUT = 'input'

export class Job {
  readonly journalPath: string
  readonly failedPath: string
  readonly unmatchedPath: string
  readonly #lockPath: string
  readonly #resultPath: string

  constructor(
    readonly directory: string,
    readonly info: JobInfo,
  ) {
    this.journalPath = join(directory, JOURNAL)
    this.failedPath = join(directory, 'failed.csv')
    this.unmatchedPath = join(directory, 'unmatched.csv')
    this.#lockPath = join(directory, 'lock')
    this.#resultPath = join(directory, 'result.json')
  }

  get id(): string {
    return this.info.id
  }

  /** Says what the job sends, and where: the shop named, else the only one of the token. */
  identity() {
    const { id: jobId, shard, baseUrl = null, shop, shops = [] } = this.info
    const { path, sha256 } = this.info.input
    const [own = null, ...others] = shops
    return {
      jobId,
      input: { path, sha256 },
      ...(shard && { shard }),
      baseUrl,
      shop: shop ?? (others.length === 0 ? own : null),
    }
  }

  failedFile(): string | null {
    return existsSync(this.failedPath) ? this.failedPath : null
  }

  /** Rows left out of the job, if any. */
  unmatched(): { unmatched?: number; unmatchedFile?: string } {
    const { unmatched } = this.info.options
    return typeof unmatched === 'number' ? { unmatched, unmatchedFile: this.unmatchedPath } : {}
  }

  async lock(): Promise<Lock> {
    return takeLock(this.#lockPath, `Job ${this.id}`).catch((error: unknown) => {
      throw fileFailure(error, `Job ${this.id} can't be locked`, this.#lockPath, DATA_FOLDER)
    })
  }

  holder(): ReturnType<typeof lockHolder> {
    return lockHolder(this.#lockPath)
  }

  /** Returns undefined if no run has ended, or a later one goes on. */
  async result(): Promise<JobResult | undefined> {
    const result = await this.#lastResult()
    const { size = 0 } = statSync(this.journalPath, { throwIfNoEntry: false }) ?? {}
    return result && size > result.journalBytes ? undefined : result
  }

  writeResult(result: Omit<JobResult, 'version'>) {
    return writeJsonFile(this.#resultPath, { version: JOB_VERSION, ...result })
  }

  /** @throws AppError `config` if the journal is damaged, gone, or shorter than a run has left it */
  async recover(reader?: JournalReader): ReturnType<typeof recover> {
    return recover(journalBytes(this.journalPath), this.journalPath, await this.#journalBytes(), reader)
  }

  async openJournal(): Promise<Journal> {
    return openJournal(this.journalPath, await this.#journalBytes())
  }

  async #journalBytes() {
    return (await this.#lastResult())?.journalBytes ?? 0
  }

  #lastResult(): Promise<JobResult | undefined> {
    return readJsonFile(this.#resultPath, jobResultSchema, JOB_VERSION)
  }
}

export interface JobCreation {
  now: Date
  random: () => number
  /** Called before job.json makes the folder a job; may throw. */
  announce?: (id: string, directory: string) => Promise<void>
}

export async function createJob(
  jobsDir: string,
  job: NewJob,
  { now, random, announce }: JobCreation,
): Promise<Job> {
  try {
    await makeFolders(jobsDir, 0o700)
    for (;;) {
      const id = newId(now, random)
      const directory = join(jobsDir, id)
      if (!(await makeNewFolder(directory))) continue
      // Created before job.json, so that a job without a journal has lost it.
      await createJournal(join(directory, JOURNAL))
      await announce?.(id, directory)
      const info = jobInfoSchema.parse({ version: JOB_VERSION, id, created: now.toISOString(), ...job })
      await writeJsonFile(join(directory, INFO), info)
      await syncFolder(directory)
      await syncFolder(jobsDir)
      return new Job(directory, info)
    }
  } catch (cause) {
    const code = systemCode(cause)
    throw causedBy(
      cause,
      'config',
      `A folder for the job can't be made in ${jobsDir} (${code}).`,
      'check that you may write there',
      'or keep jobs elsewhere: RMA_DATA_DIR',
    )
  }
}

function newId(now: Date, random: () => number) {
  const digits = now.toISOString().replace(/[-:]/g, '')
  const letter = () => LETTERS[Math.floor(random() * LETTERS.length)] ?? '2'
  return `${digits.slice(0, 8)}-${digits.slice(9, 13)}-${letter()}${letter()}${letter()}${letter()}`
}

/** Returns the ids of all jobs, oldest minute first. Skips unmade jobs (`findJob`). */
export async function jobIds(jobsDir: string): Promise<string[]> {
  try {
    const ids = (await readdir(jobsDir)).filter((name) => ID.test(name)).sort()
    return ids.filter((id) => existsSync(join(jobsDir, id, INFO)))
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    const message = `The jobs in ${jobsDir} can't be listed (${errorCode(error)}).`
    throw causedBy(error, 'config', message)
  }
}

/** @param wanted id, or a unique end of one */
export async function openJob(jobsDir: string, wanted: string | { last: true }): Promise<Job> {
  const ids = await jobIds(jobsDir)
  if (typeof wanted === 'object') return lastJob(jobsDir, ids)
  const meant = ids.filter((one) => one === wanted || one.endsWith(`-${wanted}`))
  const [id] = meant
  if (id !== undefined && meant.length === 1) return readJob(jobsDir, id)
  if (id !== undefined)
    throw usageError(`${meant.length} jobs end in -${wanted}.`, `give one whole: ${meant.join(', ')}`)
  const hints = [...nearHints(wanted, ids), 'rma jobs list shows them all']
  throw appError('not-found', `There is no job ${wanted}.`, ...hints)
}

/** Fails for a job that can't be read: it may be the last. */
async function lastJob(jobsDir: string, ids: readonly string[]): Promise<Job> {
  let last: Job | undefined
  for (const id of ids.toReversed()) {
    if (last && id.slice(0, 13) !== last.id.slice(0, 13)) break
    const job = await readJob(jobsDir, id)
    if (!last || job.info.created > last.info.created) last = job
  }
  if (last) return last
  throw new AppError('not-found', 'There is no job yet.')
}

/** Returns `unmade` for a job that was killed before it had sent anything. */
export async function findJob(jobsDir: string, id: string): Promise<Job | 'unmade' | undefined> {
  const directory = join(jobsDir, id)
  if (existsSync(join(directory, INFO))) return readJob(jobsDir, id)
  return existsSync(directory) ? 'unmade' : undefined
}

export async function readJob(jobsDir: string, id: string): Promise<Job> {
  const path = join(jobsDir, id, INFO)
  const info = await readJsonFile(path, jobInfoSchema, JOB_VERSION)
  if (info?.id === id) return new Job(join(jobsDir, id), info)
  throw new AppError('config', `${path} is missing: this is not the folder of a job.`)
}
