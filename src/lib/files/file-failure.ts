import { AppError, causedBy, type ErrorKind, errorCode } from '../errors.ts'
import { passing, unwritable } from '../system-errors.json'

const PASSING: Readonly<Record<string, { words: string; hint: string }>> = passing
const WRONG_PLACE: Readonly<Record<string, string>> = unwritable

export const DATA_FOLDER = 'RMA_DATA_DIR names a folder that you may write to'

/**
 * Returns an AppError for a failed system call, else `error`.
 * @param doing `The label of SHP-1 can't be saved`
 * @param hint shown for a wrong folder
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
  const mayPass = trouble
    ? {
        words: trouble.words,
        hint: `${trouble.remedy}, then run it again`,
      }
    : PASSING[code]
  const kind: ErrorKind = mayPass ? 'unavailable' : 'usage'
  const words = mayPass?.words ?? WRONG_PLACE[code] ?? code
  return causedBy(error, kind, `${doing} at ${path}: ${words} (${code}).`, mayPass?.hint ?? hint)
}

/** Returns an AppError for a failed system call, else `error`. @param flag flag to write elsewhere */
export function unwritten(error: unknown, what: string, flag: string, kind: ErrorKind): unknown {
  const code = errorCode(error)
  if (error instanceof AppError || code === undefined) return error
  return causedBy(error, kind, `${what} can't be written: ${code}.`, `choose another ${flag}`)
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
