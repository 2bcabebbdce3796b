import { existsSync } from 'node:fs'
import { jobIds, readJob } from '../../bulk/job/job-folder.ts'
import type { Context } from '../../cli/context.ts'
import { readEnv } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError, nearHints, rethrowBug } from '../../errors.ts'
import { readState } from '../../mirror/store/state.ts'
import { counted } from '../../wire/counted.ts'
import { inspectMirror, syncLine } from '../mirror/location.ts'
import { allOf, type Checks, type Finding, failed, found, skipped } from './examination.ts'
import VARIABLES from './variables.json'

const DAY_MS = 86_400_000
const MAX_NAMED = 3

export function settingsChecks({ io: { env } }: Context, settings: Settings | AppError): Checks {
  return {
    'settings.values': () => (settings instanceof AppError ? failed(settings) : summary(settings)),
    'settings.overrides': () =>
      settings instanceof AppError ? skipped('the settings can not be read') : overrides(env, settings),
    'settings.variables': () => misspelt(Object.keys(env)),
  }
}

function summary(settings: Settings) {
  const { profile, baseUrl, isSandbox, shop, isProtected } = settings
  return [
    profile ? `profile ${profile.value} (${profile.origin})` : 'no profile',
    baseUrl?.value ?? 'the built-in sandbox',
    shop && `shop ${shop.value}`,
    isProtected && 'protected',
    isSandbox || tokenOrigin(settings),
  ]
    .filter((part) => typeof part === 'string')
    .join(', ')
}

function tokenOrigin({ credentialProcess, keyring, token }: Settings) {
  if (credentialProcess) return 'token by a credential process'
  if (keyring) return 'token in the keyring'
  if (!token) return 'no token'
  return token.source === 'profile' ? 'token in the settings file' : `token from ${token.origin}`
}

/** Names variables that override the profile, since people seldom suspect them. */
function overrides(env: Context['io']['env'], settings: Settings): Finding | string {
  const { profile, profileBaseUrl, baseUrl, token, warnings } = settings
  const [warning] = warnings
  if (warning !== undefined) return found(warning.replace(/\.$/, ''), 'unset RMA_BASE_URL')
  if (profile && baseUrl?.source === 'environment' && baseUrl.value !== profileBaseUrl) {
    return found(
      `RMA_BASE_URL takes precedence over the profile ${profile.value}: requests go to ${baseUrl.value}`,
      'unset RMA_BASE_URL',
    )
  }
  return profile === undefined && token?.source === 'environment' && !readEnv(env, 'RMA_PROFILE')
    ? 'address and token come from the environment alone'
    : 'no variable hides the profile'
}

function misspelt(variables: readonly string[]) {
  const unknown = variables.filter((name) => /^RMA_/i.test(name) && !VARIABLES.includes(name))
  const problems = unknown
    .sort()
    .map((name) => found(`${name} means nothing to rma`, nearHints(name, VARIABLES)[0] ?? `unset ${name}`))
  return allOf(problems, 'all variables RMA_… are known')
}

export function keptDataChecks(context: Context, settings: Settings | undefined, jobsDir: string): Checks {
  return {
    'mirror.state': () =>
      settings === undefined ? skipped('the settings can not be read') : checkMirror(context),
    'jobs.unfinished': () => checkJobs(jobsDir),
  }
}

async function checkMirror(context: Context) {
  const seen = await inspectMirror(context, async (mirror) => readState(mirror.db))
  if (seen === undefined) return skipped('there is no mirror of these returns')
  const { full, isComplete, syncedMs } = seen.result
  const sync = await syncLine(context)
  if (full !== null) return found('a full copy is unfinished', sync)
  if (syncedMs === null) return `${seen.where}, empty`
  const days = Math.floor((context.io.now() - syncedMs) / DAY_MS)
  return allOf(
    [
      days < -1 && found('its last sync lies in the future: a clock was wrong, or is', sync),
      !isComplete && found('it lacks returns that the platform has', await syncLine(context, '--full')),
    ],
    `${seen.where}, ${days <= 0 ? 'synced today' : `${days} days old`}`,
  )
}

/** Reads results only, since journals take long to read. */
async function checkJobs(dir: string) {
  if (!existsSync(dir)) return skipped('there are none')
  const ids = await jobIds(dir)
  const states = await Promise.all(
    ids.map((id) =>
      jobProblem(dir, id).catch((error: unknown) => {
        rethrowBug(error)
        return failed(error)
      }),
    ),
  )
  const problems = states.filter((state) => state !== undefined).reverse()
  const others = problems.length - MAX_NAMED
  return allOf(
    [...problems.slice(0, MAX_NAMED), others > 0 && found(`${others} more`, 'rma jobs list')],
    counted(ids.length, 'job, ended', 'jobs, all ended'),
  )
}

async function jobProblem(dir: string, id: string) {
  const job = await readJob(dir, id)
  if ((await job.holder()) !== undefined) return undefined
  const result = await job.result()
  if (result === undefined) return found(`the run of job ${id} was killed`, `rma jobs resume ${id}`)
  const { remaining, total, unknown } = result
  if (remaining > 0)
    return found(`job ${id} has ${remaining} of ${total} rows to do`, `rma jobs resume ${id}`)
  if (unknown === 0) return undefined
  return found(`job ${id} has ${unknown} rows of unknown outcome`, `rma jobs show ${id}`)
}
