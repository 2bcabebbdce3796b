import { AppError, errorCode } from '../errors.ts'

/** The reader of standard output has gone (`| head`): an end, not a failure. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe'
}

/** Windows says EOF for a broken pipe. */
const CLOSED_CODES: ReadonlySet<string> = new Set([
  'EPIPE',
  'EOF',
  'ECONNRESET',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
])

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'your quota is used up',
  EFBIG: 'the file would become too large',
  EBADF: 'it is closed',
  EIO: 'the device reports an error',
}

export function outputFailure(error: Error): ClosedPipe | AppError {
  const code = errorCode(error) ?? ''
  if (error instanceof ClosedPipe) return error
  if (CLOSED_CODES.has(code)) return new ClosedPipe('The reader has gone away', { cause: error })
  const reason = REASONS[code]
  return new AppError(
    'unavailable',
    `Standard output could not be written: ${reason === undefined ? error.message : `${reason} (${code})`}.`,
    { cause: error },
  )
}
