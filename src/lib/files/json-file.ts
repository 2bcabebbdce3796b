import { readFile } from 'node:fs/promises'
import type * as z from 'zod'
import { AppError, errorCode, systemCode } from '../errors.ts'
import { diskTrouble } from './file-failure.ts'
import { replaceFile } from './temporary-file.ts'

/** @param version latest known @returns undefined without the file @throws AppError `config` */
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
    throw new AppError('config', `${path} ${why}.`, { hints, cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  if (isLater(value, version)) {
    throw new AppError('config', `${path} was written by a later version of rma.`, { hints: ['update rma'] })
  }
  const details = parsed.error.issues.map(({ message, path: place }) => ({ message, path: place.join('.') }))
  throw new AppError('config', `${path} is not what rma wrote.`, { details: details.slice(0, 10), hints })
}

function isLater(value: unknown, known: number) {
  if (typeof value !== 'object' || value === null || !('version' in value)) return false
  return typeof value.version === 'number' && value.version > known
}

/** Replaces the file whole. Mode 0600. */
export async function writeJsonFile(path: string, value: unknown) {
  try {
    await replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`)
  } catch (cause) {
    const code = systemCode(cause)
    const hints = [diskTrouble(cause)?.remedy ?? 'check that you may write there']
    throw new AppError('unavailable', `${path} can't be written (${code}).`, { hints, cause })
  }
}
