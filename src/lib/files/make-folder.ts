import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../errors.ts'

/**
 * A folder with those above it, new ones of this mode. Node.js's own `recursive` never ends where a file system has no place for new folders
 * and says so by ENOENT, as `/proc` does.
 *
 * @throws the system call that failed; EEXIST or ENOTDIR where something else is in its way
 */
export async function makeFolders(path: string, mode = 0o777): Promise<void> {
  if (await isThere(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolders(parent, mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have made it.
    if (!(errorCode(error) === 'EEXIST' && (await isThere(path)))) throw error
  })
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
