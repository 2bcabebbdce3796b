import { Flags } from '@oclif/core'
import { isProtected } from '../config/profile.ts'
import { AppError } from '../errors.ts'
import type { Context } from './context.ts'

/** Of a command that asks before it removes something of this machine; a script is not asked. */
export const removalFlags = {
  yes: Flags.boolean({ char: 'y', summary: 'Answer the question that is asked on a terminal' }),
}

/** Whether someone is there to answer: what is not a terminal belongs to a script, or to its loop. */
export function canAsk({ io }: Context): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true
}

/** The failure of what would have to be asked. @param reason of the question: `The profile live is protected` */
export function nobodyToAsk(reason: string, ...hints: string[]): AppError {
  return new AppError('usage', `${reason}, and there is no terminal to ask on.`, {
    hints: ['--yes answers the question', ...hints],
  })
}

/**
 * Asks before something is removed that cannot be brought back. A script is not asked, unless the profile is protected.
 *
 * @param profile that it is about
 * @throws AppError `usage` if the answer is no, or if there is nobody to ask about a protected profile
 */
export async function confirmRemoval(
  context: Context,
  question: string,
  { yes, profile }: { yes: boolean | undefined; profile: string },
): Promise<void> {
  if (yes) return
  if (canAsk(context)) return ask(context, question, 'nothing was changed')
  if (isProtected(await context.profiles.get(profile))) {
    throw nobodyToAsk(`The profile ${profile} is protected`)
  }
}

/**
 * Asks on standard error, which no progress draws on meanwhile. Anything but yes is a no, the end of input included.
 *
 * @param otherwise what a no means: `nothing was sent`
 * @throws AppError `usage` for a no, `interrupted` for Ctrl-C
 */
export async function ask({ io, progress, streams }: Context, question: string, otherwise: string) {
  progress.stop()
  await streams.flush()
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  const ended = new AbortController()
  let isInterrupted = false
  // The terminal hands Ctrl-C to whoever reads its keys, and it is no signal then.
  lines.on('SIGINT', () => {
    isInterrupted = true
    lines.close()
  })
  lines.on('close', () => ended.abort())
  const signal = AbortSignal.any([io.interrupt, ended.signal])
  const answer = await lines.question(`${question} [y/N] `, { signal }).catch(() => '')
  lines.close()
  if (isInterrupted || io.interrupt.aborted) throw new AppError('interrupted', `Interrupted, ${otherwise}.`)
  if (!/^y(es)?$/i.test(answer.trim())) throw new AppError('usage', `Not confirmed: ${otherwise}.`)
}
