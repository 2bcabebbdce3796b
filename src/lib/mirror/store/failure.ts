import { AppError, errorCode } from '../../errors.ts'
import { isDamage } from '../../files/database-integrity.ts'
import { diskTrouble } from '../../files/file-failure.ts'

export class OtherSchema extends Error {
  override readonly name = 'OtherSchema'
}

/** Codes of system calls and PostgreSQL classes of temporary failures. */
const UNREACHABLE = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT$|08|53|57P)/
const REFUSED = /^(?:28|3D|3F|42501)/

/** True if this version can't read the file, which is only a copy and can be made again. */
export function isUnusable(error: unknown) {
  return error instanceof OtherSchema || isDamage(errorCode(error) ?? '')
}

export function mirrorFailure(error: unknown, where: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  if (error instanceof OtherSchema) {
    return new AppError('config', `The mirror in ${where} was made by another version of rma.`, {
      hints: [
        'update rma, or leave it as it is and copy into another schema: ?schema=NAME',
        'remove it, when nobody uses the other version any more: rma mirror forget --all',
      ],
      cause: error,
    })
  }
  const code = errorCode(error) ?? ''
  const trouble = code === '53100' ? diskTrouble({ ...error, code: 'ENOSPC' }) : diskTrouble(error)
  if (trouble) {
    return new AppError('unavailable', `The mirror in ${where} can't be written: ${trouble.words}.`, {
      hints: [`${trouble.remedy}, then run it again: it goes on where it was`],
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new AppError('unavailable', `Another process writes to the mirror in ${where}.`, {
      hints: ['the same again later'],
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_')) {
    return new AppError('config', `The mirror in ${where} can't be used: ${error.message}`, {
      hints: ['check who may read and write the file and its folder'],
      cause: error,
    })
  }
  const isPasswordMissing = /password must be a string/.test(error.message)
  if (REFUSED.test(code) || isPasswordMissing) {
    return new AppError(
      'config',
      `The database ${where} refuses: ${isPasswordMissing ? 'it asks for a password' : error.message}.`,
      {
        hints: [
          isPasswordMissing || code.startsWith('28')
            ? 'the password comes from PGPASSWORD, ~/.pgpass, RMA_DATABASE or the profile'
            : 'check the names of database, schema and user, and what the user may do there',
        ],
        cause: error,
      },
    )
  }
  const isTimeOut = /timeout exceeded|Connection terminated|connection error/.test(error.message)
  if (UNREACHABLE.test(code) || isTimeOut || /certificate|SSL/.test(`${code} ${error.message}`)) {
    return new AppError('unavailable', `The database ${where} can't be reached: ${error.message || code}.`, {
      hints: ['check address, server and network; outside this machine the server must speak TLS'],
      cause: error,
    })
  }
  // Five characters are PostgreSQL's.
  if (!/^[0-9A-Z]{5}$/.test(code)) return error
  return new AppError('config', `The database ${where} says: ${error.message}.`, { cause: error })
}
