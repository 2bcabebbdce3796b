import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { type Job, jobIds, readJob } from './job-folder.ts'

async function removeJob(job: Job) {
  const lock = await job.lock()
  try {
    await rm(job.directory, { recursive: true })
  } finally {
    lock.release()
  }
}

interface Pruning {
  endedBefore: Date
  /** Includes jobs with rows left or unknown, and jobs whose run was killed. */
  force: boolean
  /** Wraps each removal: has to call `remove`. */
  around: (job: Job, remove: () => Promise<void>) => Promise<void>
}

export type KeepReason = 'running' | 'recent' | 'open' | 'unreadable'

/** Keeps jobs that a process works on, and folders that can't be read. */
export async function pruneJobs(jobsDir: string, pruning: Pruning) {
  const removed: string[] = []
  const kept: KeepReason[] = []
  for (const id of await jobIds(jobsDir)) {
    const job = await readJob(jobsDir, id).catch(() => undefined)
    const why = job ? await whyKept(job, pruning) : 'unreadable'
    if (why !== undefined) kept.push(why)
    else if (job) {
      await pruning.around(job, () => removeJob(job))
      removed.push(id)
    }
  }
  return { removed, kept }
}

async function whyKept(job: Job, { endedBefore, force }: Pruning): Promise<KeepReason | undefined> {
  if (await job.holder()) return 'running'
  const result = await job.result()
  const { mtimeMs = 0 } = statSync(job.journalPath, { throwIfNoEntry: false }) ?? {}
  const lastActiveMs = result ? Date.parse(result.ended) : Math.max(Date.parse(job.info.created), mtimeMs)
  if (lastActiveMs >= endedBefore.getTime()) return 'recent'
  const left = result ? result.remaining + result.unknown + result.failed : 1
  return left === 0 || force ? undefined : 'open'
}
