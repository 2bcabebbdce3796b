import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { isOfKind, usageError } from '../../errors.ts'
import type { SandboxActions } from '../../sandbox/actions/sandbox-actions.ts'
import { SHOP_CODES } from '../../sandbox/demo/catalogue.ts'
import type { FaultInput } from '../../sandbox/faults/fault.ts'
import type { Scenario } from '../../sandbox/scenarios/scenario.ts'
import { durationSeconds } from '../../wire/time.ts'
import { openControl, type SandboxControl } from './running-sandboxes.ts'
import { advanceSchema, faultRecordSchema } from './sandbox.result.ts'

/** Sandbox of another process, or of this one. */
export type ControlledSandbox = Awaited<ReturnType<typeof openControlledSandbox>>

/** @throws AppError `usage` if several run, `unavailable` if none does at the base URL */
export async function openControlledSandbox(context: Context, dir: string | undefined) {
  const control = await findControl(context, dir)
  if (control !== undefined) return remote(control)
  context.progress.start('Opening the sandbox')
  const { issueToken, control: actions, play, faults } = await context.openSandbox({ dir })
  return {
    where: `in ${dir ?? context.paths.dataDir}`,
    shops: () => SHOP_CODES,
    issueToken,
    advance: actions.advance,
    play,
    faults,
  }
}

async function findControl(context: Context, dir: string | undefined) {
  const { baseUrl } = await context.settings()
  try {
    return await openControl(context, dir)
  } catch (error) {
    const isNone = isOfKind(error, 'unavailable')
    // A named address means a running sandbox.
    if (isNone && (baseUrl === undefined || baseUrl.source === 'profile')) return undefined
    throw error
  }
}

function remote(control: SandboxControl) {
  return {
    where: 'that runs',
    shops: async () => statusSchema.parse(await control.call('GET', '/status')).shops,
    issueToken: async (wanted: { shops: readonly string[]; lifetimeSeconds: number }) =>
      tokenSchema.parse(await control.call('POST', '/tokens', wanted)).token,
    advance: async (seconds: number) =>
      (await advanceSchema()).parse(await control.call('POST', '/advance', { seconds })),
    play: async (part: Scenario) => {
      const { playedStepSchema } = await import('../../sandbox/scenarios/play.ts')
      const answer = await control.call('POST', '/play', part)
      return z.object({ steps: z.array(playedStepSchema) }).parse(answer).steps
    },
    faults: {
      list: async () => {
        const faults = z.array((await faultRecordSchema()).loose())
        return z.object({ faults }).parse(await control.call('GET', '/faults')).faults
      },
      set: (faults: readonly FaultInput[]) => control.call('PUT', '/faults', { faults }),
      add: (fault: FaultInput) => control.call('POST', '/faults', fault),
      remove: (id: string) => control.call('DELETE', `/faults/${encodeURIComponent(id)}`),
      clear: () => control.call('DELETE', '/faults'),
    },
  }
}

const tokenSchema = z.object({ token: z.string() })

const statusSchema = z.object({ shops: z.array(z.string()) })

export async function advanceSandbox(
  context: Context,
  { duration, dir }: { duration: string; dir: string | undefined },
): ReturnType<SandboxActions['advance']> {
  const seconds = durationSeconds(duration)
  if (seconds === undefined) {
    throw usageError(
      `${JSON.stringify(duration)} is not a duration to move the clock by.`,
      'for example 30m, 12h, 3d, 2w',
    )
  }
  const sandbox = await openControlledSandbox(context, dir)
  context.progress.start('Moving the clock')
  const happened = await sandbox.advance(seconds)
  context.progress.stop()
  await context.note(`Moved the clock of the sandbox ${sandbox.where}`)
  return happened
}

export async function resetSandbox(
  context: Context,
  { data, yes }: { data?: string; yes?: boolean },
  fill: { seed?: number; returns?: number },
): Promise<void> {
  const control = await findControl(context, data)
  const dir = data ?? context.paths.dataDir
  const where = control ? `at ${control.baseUrl}` : `in ${dir}`
  await context.questions.confirmRemoval(`Replace the data of the sandbox ${where}?`, {
    yes,
    profile: 'mock',
  })
  context.progress.start('Making demo data')
  if (control) return void (await control.call('POST', '/reset', fill))
  const isThere = existsSync(join(dir, 'sandbox.db'))
  // A new sandbox is filled as it is opened.
  const sandbox = await context.openSandbox({ dir, ...fill })
  if (isThere) await sandbox.reset(fill)
}
