import { AppError } from '../errors.ts'

/** @throws AppError `interrupted` after Ctrl-C */
export function assertNotInterrupted(interrupt: AbortSignal): void {
  if (interrupt.aborted) throw new AppError('interrupted', 'Interrupted.')
}

/** Waits for a promise or for Ctrl-C. @throws AppError `interrupted` */
export function untilInterrupted<T>(waiting: Promise<T>, interrupt: AbortSignal): Promise<T> {
  const interrupted = new AppError('interrupted', 'Interrupted.')
  if (interrupt.aborted) return Promise.reject(interrupted)
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(interrupted)
    interrupt.addEventListener('abort', stop, { once: true })
    waiting.then(resolve, reject).finally(() => interrupt.removeEventListener('abort', stop))
  })
}
