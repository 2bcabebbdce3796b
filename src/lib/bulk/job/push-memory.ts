import { join } from 'node:path'
import * as z from 'zod'
import { causedBy, errorCode } from '../../errors.ts'
import { diskTrouble, unwritten } from '../../files/file-failure.ts'
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts'
import { assertLocksOwned, withLock } from '../../files/lock.ts'
import { makeFolders } from '../../files/make-folder.ts'
import { removeStaleFiles } from '../../files/temporary-file.ts'
import { findJob, type Job, summarySchema } from './job-folder.ts'

const VERSION = 1
const LOCK_WAIT_MS = 30_000

const endedSchema = summarySchema.omit({ unsettled: true }).extend({
  failedFile: z.string().nullable(),
  unmatchedFile: z.string().optional(),
  durationMs: z.number().nonnegative(),
})
type EndedJob = z.infer<typeof endedSchema>

const memorySchema = z.looseObject({
  version: z.literal(VERSION),
  jobId: z.string(),
  report: endedSchema.optional(),
})

export type EarlierPush =
  | { state: 'running'; jobId: string; pid: number }
  /**
   * `unfinished`: the job has rows left, or was killed before its end. `lost`: the job was removed, and not all of its
   * rows are known to have succeeded.
   */
  | { state: 'unfinished' | 'lost'; jobId: string }
  | { state: 'failed'; jobId: string; report: EndedJob }
  | { state: 'done'; jobId: string; report: EndedJob }

/** Jobs of sent inputs by the input's fingerprint, kept after the jobs are removed. */
export class PushMemory {
  constructor(
    private readonly dir: string,
    private readonly jobsDir: string,
  ) {}

  async exclusively<T>(action: () => Promise<T>): Promise<T> {
    await makeFolders(this.dir, 0o700).catch((cause: unknown) => {
      throw causedBy(
        cause,
        'config',
        `${this.dir} can't be made (${errorCode(cause)}).`,
        'check that you may write there',
        'or keep jobs elsewhere: RMA_DATA_DIR',
      )
    })
    const wait = { what: 'The record of sent files', waitMs: LOCK_WAIT_MS, kind: 'usage' } as const
    return withLock(join(this.dir, 'lock'), wait, async () => {
      await removeStaleFiles(this.dir)
      return action()
    }).catch((cause: unknown) => {
      const trouble = diskTrouble(cause)
      if (/^(EACCES|EPERM|EROFS)$/.test(errorCode(cause) ?? ''))
        throw unwritten(cause, this.dir, 'RMA_DATA_DIR', 'config')
      if (trouble === undefined) throw cause
      const message = `${this.dir} can't be written: ${trouble.words}.`
      throw causedBy(cause, 'unavailable', message, trouble.remedy)
    })
  }

  async remember(fingerprint: string, jobId: string, report?: EndedJob) {
    assertLocksOwned()
    await writeJsonFile(this.#pathOf(fingerprint), { version: VERSION, jobId, report })
  }

  async find(fingerprint: string): Promise<EarlierPush | undefined> {
    const memory = await readJsonFile(this.#pathOf(fingerprint), memorySchema, VERSION)
    if (memory === undefined) return undefined
    const { jobId, report } = memory
    if (report) return { state: 'done', jobId, report }
    const job = await findJob(this.jobsDir, jobId)
    if (job === 'unmade') return undefined
    if (job === undefined) return { state: 'lost', jobId }
    const holder = await job.holder()
    if (holder) return { state: 'running', jobId, pid: holder.pid }
    const ended = await endOf(job)
    if (ended === undefined || ended.remaining > 0) return { state: 'unfinished', jobId }
    return { state: isDone(ended) ? 'done' : 'failed', jobId, report: ended }
  }

  async rememberEnd(job: Job, remove: () => Promise<void>) {
    const { id, info } = job
    const { fingerprint } = info
    if (fingerprint === undefined) return remove()
    await this.exclusively(async () => {
      const memory = await readJsonFile(this.#pathOf(fingerprint), memorySchema, VERSION)
      const ended = await endOf(job)
      if (memory?.jobId === id && ended && isDone(ended))
        await this.remember(fingerprint, id, { ...ended, failedFile: null, unmatchedFile: undefined })
      await remove()
    })
  }

  #pathOf(fingerprint: string) {
    return join(this.dir, `${fingerprint}.json`)
  }
}

/** Returns undefined while the job runs, or if its run was killed. */
async function endOf(job: Job): Promise<EndedJob | undefined> {
  const result = await job.result()
  if (result === undefined) return undefined
  const files = { failedFile: job.failedFile(), ...job.unmatched() }
  return endedSchema.parse({ ...result, ...files, ...job.identity() })
}

function isDone({ remaining, failed, unknown }: EndedJob) {
  return remaining + failed + unknown === 0
}
