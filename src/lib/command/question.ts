import { createInterface } from 'node:readline/promises'
import { AppError } from '../errors.ts'
import type { Context } from './context.ts'

/** Whether someone is there to answer: what is not a terminal belongs to a script, or to its loop. */
export function canAsk({ io }: Context): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true
}

/**
 * Asks on standard error, which no progress draws on meanwhile.
 *
 * @param otherwise what a no means: `nothing was sent`
 * @throws AppError `usage` for a no, `interrupted` for Ctrl-C
 */
export async function ask({ io, progress }: Context, question: string, otherwise: string): Promise<void> {
  progress.stop()
  const lines = createInterface({ input: io.stdin, output: io.stderr })
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal: io.interrupt })
    if (/^y(es)?$/i.test(answer.trim())) return
  } catch (cause) {
    throw new AppError('interrupted', `Interrupted, ${otherwise}.`, { cause })
  } finally {
    lines.close()
  }
  throw new AppError('usage', `Not confirmed: ${otherwise}.`)
}
