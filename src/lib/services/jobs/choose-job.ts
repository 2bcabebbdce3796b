import { join } from 'node:path'
import { Args } from '@oclif/core'
import { type Job, openJob } from '../../bulk/job/job-folder.ts'
import { PushMemory } from '../../bulk/job/push-memory.ts'
import type { Context } from '../../cli/context.ts'
import { switchFlag } from '../../config/flag-kinds.ts'
import { usageError } from '../../errors.ts'

export const jobArgs = {
  job: Args.string({ description: 'id of the job, or its last four letters', ignoreStdin: true }),
}

export const lastFlag = switchFlag('The job that was begun last')

export interface JobChoice {
  job?: string
  last?: boolean
}

export function jobsDir({ paths }: Context): string {
  return join(paths.dataDir, 'jobs')
}

export function pushMemory(context: Context): PushMemory {
  return new PushMemory(join(context.paths.dataDir, 'sent'), jobsDir(context))
}

export async function chosenJob(context: Context, { job, last = false }: JobChoice): Promise<Job> {
  if ((job !== undefined) === last) {
    throw usageError('Name one job, or the last one with --last.', 'rma jobs list')
  }
  return openJob(jobsDir(context), job ?? { last: true })
}
