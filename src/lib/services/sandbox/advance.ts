import type { Context } from '../../cli/context.ts'
import type { OpenSandbox } from '../../cli/open-sandbox.ts'
import { AppError } from '../../errors.ts'
import type { Advance } from '../../sandbox/actions/advance-clock.ts'
import { durationSeconds } from '../../wire/time.ts'
import { openSteered } from './target.ts'

/** Moves the clock by `30m`, `12h`, `3d` or `2w`. @throws AppError `usage` for no duration, or too long a one */
export async function advanceSandbox(
  context: Context,
  open: OpenSandbox,
  { duration, dir }: { duration: string; dir: string | undefined },
): Promise<Advance> {
  const seconds = durationSeconds(duration)
  if (seconds === undefined) {
    throw new AppError('usage', `${JSON.stringify(duration)} is not a duration to move the clock by.`, {
      hints: ['for example 30m, 12h, 3d, 2w'],
    })
  }
  const sandbox = await openSteered(context, open, dir)
  context.progress.start('Moving the clock')
  const happened = await sandbox.advance(seconds)
  context.progress.stop()
  await context.note(`Moved the clock of the sandbox ${sandbox.where}`)
  return happened
}
