import { lstat, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { errorCode } from '../errors.ts'

/**
 * Makes a folder with its parents. Node.js's `recursive` never ends where a file system answers ENOENT, like `/proc`.
 * @throws the system call that failed
 */
export async function makeFolders(path: string, mode = 0o777) {
  if ((await kindOf(path)) === 'folder') return
  const parent = dirname(path)
  if (parent !== path && (await kindOf(parent)) === undefined) await makeFolders(parent, mode)
  await mkdir(path, { mode }).catch(async (error: unknown) => {
    // Another process may have made it.
    if (!(errorCode(error) === 'EEXIST' && (await kindOf(path)) === 'folder')) throw error
  })
}

/** Returns false if the name is taken. */
export async function makeNewFolder(path: string) {
  try {
    await mkdir(path, { mode: 0o700 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Returns true if the folder exists. Else checks, under another name, that it can be made.
 * @throws the system call that failed
 */
export async function isFolderThere(path: string) {
  let above = path
  while (above !== dirname(above) && !(await lstat(above).catch(() => undefined))) above = dirname(above)
  if (above === path) return true
  const trial = await mkdtemp(join(above, '.rma-'))
  try {
    await makeFolders(join(trial, relative(above, path)))
  } finally {
    await rm(trial, { recursive: true })
  }
  return false
}

async function kindOf(path: string) {
  const found = await stat(path).catch(() => undefined)
  return found && (found.isDirectory() ? 'folder' : 'other')
}
