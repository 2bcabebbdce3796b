import { AppError, type ErrorKind, errorCode } from '../errors.ts'

/** Failures that may pass. */
const PASSING: Readonly<Record<string, readonly [words: string, hint: string]>> = {
  EMFILE: ['too many files are open', 'lower --concurrency, or raise the limit (ulimit -n)'],
  ENFILE: ['too many files are open', 'lower --concurrency'],
}

const WRONG_PLACE: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'it is on a read-only disk',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the path is too long',
  ELOOP: 'it is a link',
}

export const DATA_FOLDER = 'RMA_DATA_DIR names a folder that you may write to'

/**
 * Returns an AppError for a failed system call, else `error`.
 * @param doing `The label of SHP-1 can't be saved`
 * @param hint for a wrong place
 */
export function fileFailure(
  error: unknown,
  doing: string,
  path: string,
  hint = 'give --out a folder that you may write to',
): unknown {
  const code = errorCode(error)
  if (error instanceof AppError || code === undefined || !/^E[A-Z0-9]+$/.test(code)) return error
  const trouble = diskTrouble(error)
  const passing = trouble
    ? [trouble.words, `${trouble.remedy}, then run it again: what is saved is not fetched again`]
    : PASSING[code]
  const kind: ErrorKind = passing ? 'unavailable' : 'usage'
  const words = passing?.[0] ?? WRONG_PLACE[code] ?? code
  return new AppError(kind, `${doing} at ${path}: ${words} (${code}).`, {
    hints: [passing?.[1] ?? hint],
    cause: error,
  })
}

/** Failure of the disk, not of the request. */
interface DiskTrouble {
  words: string
  remedy: string
}

const FULL: DiskTrouble = { words: 'the disk is full', remedy: 'make room on that disk' }
export const BROKEN_DISK: DiskTrouble = { words: 'the disk reports an error', remedy: 'check that disk' }
const TROUBLES: Readonly<Record<string, DiskTrouble>> = {
  ENOSPC: FULL,
  SQLITE_FULL: FULL,
  EDQUOT: { words: 'your quota is used up', remedy: 'make room on that disk' },
  EFBIG: { words: 'a file may not become larger here', remedy: 'raise the limit of file sizes (ulimit -f)' },
  EIO: BROKEN_DISK,
}

export function diskTrouble(error: unknown): DiskTrouble | undefined {
  const code = errorCode(error) ?? ''
  return TROUBLES[code] ?? (code.startsWith('SQLITE_IOERR') ? BROKEN_DISK : undefined)
}
