import { readFile } from 'node:fs/promises'
import { AppError, errorCode } from '../errors.ts'
import type { Context } from './context.ts'

/** The text of a file, or of standard input for `-`. @throws AppError `usage` if there is no such file */
export async function readInput(path: string, context: Context): Promise<string> {
  if (path === '-') return untilInterrupted(context, context.streams.readAllInput())
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    const reason = errorCode(cause) ?? String(cause)
    const words = reason === 'ENOENT' ? 'there is no such file' : reason
    throw new AppError('usage', `${path} can't be read: ${words}.`, { cause })
  }
}

/** How errors call it. */
export function inputName(path: string): string {
  return path === '-' ? 'The standard input' : path
}

/** For long work that waits for nothing. @throws AppError `interrupted` after Ctrl-C */
export function assertNotInterrupted({ io }: Context): void {
  if (io.interrupt.aborted) throw new AppError('interrupted', 'Interrupted.')
}

/** Gives up waiting on Ctrl-C, for what can't be cancelled: someone who never types. */
export function untilInterrupted<T>({ io }: Context, waiting: Promise<T>): Promise<T> {
  const { interrupt } = io
  const interrupted = new AppError('interrupted', 'Interrupted.')
  if (interrupt.aborted) return Promise.reject(interrupted)
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(interrupted)
    interrupt.addEventListener('abort', stop, { once: true })
    waiting.then(resolve, reject).finally(() => interrupt.removeEventListener('abort', stop))
  })
}
