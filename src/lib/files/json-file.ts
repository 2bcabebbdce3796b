import { readFile } from 'node:fs/promises'
import type * as z from 'zod'
import { AppError, appError, causedBy, errorCode, systemCode } from '../errors.ts'
import { diskTrouble } from './file-failure.ts'
import { replaceFile } from './temporary-file.ts'

/** @param version latest known @returns undefined if there is no file @throws AppError `config` */
export async function readJsonFile<T>(
  path: string,
  schema: z.ZodType<T>,
  version: number,
  hints: readonly string[] = [],
): Promise<T | undefined> {
  let value: unknown
  try {
    value = JSON.parse(await readFile(path, 'utf8'))
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    const why = cause instanceof SyntaxError ? 'is not valid JSON' : `can't be read (${errorCode(cause)})`
    throw causedBy(cause, 'config', `${path} ${why}.`, ...hints)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (isLater(value, version))
    throw appError('config', `${path} was written by a later version of rma.`, 'update rma')
  const details = parsed.error.issues.map(({ message, path: place }) => ({ message, path: place.join('.') }))
  throw new AppError('config', `${path} is not what rma wrote.`, { details: details.slice(0, 10), hints })
}

function isLater(value: unknown, known: number) {
  const { version } = Object(value)
  return typeof version === 'number' && version > known
}

/** Replaces the file atomically, with mode 0600. */
export async function writeJsonFile(path: string, value: unknown) {
  try {
    await replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`)
  } catch (cause) {
    const message = `${path} can't be written (${systemCode(cause)}).`
    const hint = diskTrouble(cause)?.remedy ?? 'check that you may write there'
    throw causedBy(cause, 'unavailable', message, hint)
  }
}
