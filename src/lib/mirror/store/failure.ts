import { AppError, appError, causedBy, errorCode } from '../../errors.ts'
import { isDamage } from '../../files/database-integrity.ts'
import { diskTrouble } from '../../files/file-failure.ts'

export class OtherSchemaError extends Error {
  override readonly name = 'OtherSchemaError'
}

/** PostgreSQL's code of a wait that took longer than `lock_timeout`. */
export const LOCK_TIME_OUT = '55P03'

/** PostgreSQL's code for tables that views use. */
const DEPENDENT = '2BP01'
const PASSWORD_HINT = 'the password comes from PGPASSWORD, ~/.pgpass, RMA_DATABASE or the profile'

/** Returns the error for removed rows whose bytes may still be in the files. */
export function notPurged(
  reason = 'another process still reads what was there',
  remedy = 'run it again when nothing else uses the mirror',
) {
  return appError('unavailable', `Removed, but ${reason}.`, remedy)
}

/** Codes of system calls and PostgreSQL classes of temporary failures. */
const UNREACHABLE = /^(?:ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT$|08|53|57P)/
const REFUSED = /^(?:28|3D|3F|42501)/

/** True if this version can't read the file, which is only a copy and can be made again. */
export function isUnusable(error: unknown) {
  return error instanceof OtherSchemaError || isDamage(errorCode(error) ?? '')
}

export function mirrorFailure(error: unknown, where: string): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error
  if (error instanceof OtherSchemaError) {
    return causedBy(
      error,
      'config',
      `The mirror in ${where} was made by another version of rma.`,
      'update rma, or leave it as it is and copy into another schema: ?schema=NAME',
      'remove it, when nobody uses the other version any more: rma mirror forget --all',
    )
  }
  const code = errorCode(error) ?? ''
  const trouble = code === '53100' ? diskTrouble({ ...error, code: 'ENOSPC' }) : diskTrouble(error)
  if (trouble) {
    const hint = `${trouble.remedy}, then run it again: it goes on where it was`
    return causedBy(error, 'unavailable', `The mirror in ${where} can't be written: ${trouble.words}.`, hint)
  }
  if (code.startsWith('SQLITE_BUSY') || code === LOCK_TIME_OUT)
    return causedBy(
      error,
      'unavailable',
      `Another process uses the mirror in ${where}.`,
      'the same again later',
    )
  if (code.startsWith('SQLITE_')) {
    const hint = 'check who may read and write the file and its folder'
    return causedBy(error, 'config', `The mirror in ${where} can't be used: ${error.message}`, hint)
  }
  return serverFailure(error, where)
}

function serverFailure(error: Error & { detail?: string }, where: string) {
  const { message } = error
  const code = errorCode(error) ?? ''
  if (/password must be a string/.test(message)) {
    return causedBy(error, 'config', `The database ${where} refuses: it asks for a password.`, PASSWORD_HINT)
  }
  if (REFUSED.test(code)) {
    const hint = code.startsWith('28')
      ? PASSWORD_HINT
      : 'check the names of database, schema and user, and what the user may do there'
    return causedBy(error, 'config', `The database ${where} refuses: ${message}.`, hint)
  }
  const isTimeOut = /timeout exceeded|Connection terminated|connection error/.test(message)
  if (UNREACHABLE.test(code) || isTimeOut || /certificate|SSL/.test(`${code} ${message}`)) {
    const hint = 'check address, server and network; outside this machine the server must speak TLS'
    return causedBy(error, 'unavailable', `The database ${where} can't be reached: ${message || code}.`, hint)
  }
  if (code === DEPENDENT) {
    const hint = 'drop what depends on the mirror first'
    return causedBy(error, 'config', `The database ${where} says: ${message}: ${error.detail}.`, hint)
  }
  // PostgreSQL's codes have five characters.
  return /^[0-9A-Z]{5}$/.test(code)
    ? causedBy(error, 'config', `The database ${where} says: ${message}.`)
    : error
}
