import { errorCode } from '../errors.ts'

/** The disk is at fault, not what was asked: the same command may work later. */
export interface DiskTrouble {
  /** `the disk is full` */
  words: string
  /** `make room` */
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
