import { existsSync } from 'node:fs'
import { jobIds, readJob } from '../../bulk/job/job-folder.ts'
import type { Context } from '../../cli/context.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError } from '../../errors.ts'
import { readState } from '../../mirror/store/state.ts'
import { counted } from '../../wire/counted.ts'
import { lookIntoMirror, syncLine } from '../mirror/place.ts'
import { allOf, type Examination, type Finding, failed, found, skipped, well } from './examination.ts'

const DAY_MS = 86_400_000
const MAX_NAMED = 3

/** Checks the mirror and the jobs. */
export function keptDataExaminations(
  context: Context,
  settings: Settings | undefined,
  jobsDir: string,
): Examination[] {
  return [
    {
      id: 'mirror.state',
      look: async () =>
        settings === undefined ? skipped('the settings can not be read') : lookAtMirror(context),
    },
    { id: 'jobs.unfinished', look: () => lookAtJobs(jobsDir) },
  ]
}

/** Leaves the mirror as it is, even if it is damaged. */
async function lookAtMirror(context: Context): Promise<Finding> {
  const seen = await lookIntoMirror(context, async (mirror) => readState(mirror.db))
  if (seen === undefined) return skipped('there is none of these returns')
  const { where, result: state } = seen
  const sync = await syncLine(context)
  const ageMs = state.syncedMs === null ? undefined : context.io.now() - state.syncedMs
  const days = ageMs === undefined ? 0 : Math.floor(ageMs / DAY_MS)
  return allOf(
    [
      state.full === null ? undefined : found('a copy of everything has not come to its end', sync),
      ageMs !== undefined && ageMs < -DAY_MS
        ? found('its last sync lies in the future: a clock was wrong, or is', sync)
        : undefined,
      state.full === null && state.syncedMs !== null && !state.isComplete
        ? found('it does not hold all that the platform does', await syncLine(context, '--full'))
        : undefined,
    ],
    well(
      ageMs === undefined
        ? `${where}, empty`
        : `${where}, ${days === 0 ? 'synced today' : `${days} days old`}`,
    ),
  )
}

/** Looks at results: reading journals takes a while. */
async function lookAtJobs(dir: string): Promise<Finding> {
  if (!existsSync(dir)) return skipped('there are none')
  const ids = await jobIds(dir)
  const states = await Promise.all(
    ids.map((id) =>
      stateOf(dir, id).catch((error: unknown) => {
        if (error instanceof AppError) return failed(error)
        throw error
      }),
    ),
  )
  const problems = states.flatMap((state) => state ?? []).reverse()
  const named = problems.slice(0, MAX_NAMED)
  const others = problems.length - named.length
  return allOf(
    [...named, others > 0 ? found(`${others} more`, 'rma jobs list') : undefined],
    well(counted(ids.length, 'job, ended', 'jobs, all ended')),
  )
}

async function stateOf(dir: string, id: string): Promise<Finding | undefined> {
  const job = await readJob(dir, id)
  if ((await job.holder()) !== undefined) return undefined
  const result = await job.result()
  if (result === undefined) return found(`the run of job ${id} was killed`, `rma jobs resume ${id}`)
  if (result.remaining > 0)
    return found(`job ${id} has ${result.remaining} of ${result.total} rows to do`, `rma jobs resume ${id}`)
  if (result.unknown > 0)
    return found(`of ${result.unknown} rows of job ${id} nobody knows the outcome`, `rma jobs show ${id}`)
  return undefined
}
