import { EXIT_CODES } from '../errors.ts'
import { ClosedPipe, outputFailure } from '../output/streams.ts'
import { neverEnded, reportError, toAppError } from './error-report.ts'
import { type Io, processIo } from './process-io.ts'

/** Whichever way the process ends, 0 means that `run` came to its end and said so. */
export async function runToEnd(argv: readonly string[], run: (io: Io) => Promise<number>): Promise<void> {
  process.exitCode = EXIT_CODES.bug
  const io = processIo()
  const fail = (error: unknown) => void endWith(error, argv, io)
  const onIdle = () => fail(neverEnded())
  process.once('beforeExit', onIdle)
  process.once('uncaughtException', fail)
  process.exitCode = await run(io)
  process.off('beforeExit', onIdle)
  // Interrupted work that can't be cancelled would keep the process alive.
  if (io.interrupt.aborted) process.exit()
}

/** The end of a process that could not write its only line. */
export async function lostOutput(error: Error, argv: readonly string[]): Promise<void> {
  const failure = outputFailure(error)
  if (!(failure instanceof ClosedPipe)) await endWith(failure, argv, processIo())
}

async function endWith(error: unknown, argv: readonly string[], io: Io): Promise<void> {
  const failure = toAppError(error)
  await reportError(failure, argv, io)
  process.exit(failure.exitCode)
}
