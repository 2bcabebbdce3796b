import { lstatSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { AppError, errorCode } from '../../errors.ts'
import { at } from '../../wire/raw.ts'

/** The only folder that files are written below, by its real path. */
export interface RootFolder {
  path: string
}

/** @throws AppError `usage` for one that is not there */
export function openRoot(given: string): RootFolder {
  try {
    const path = realpathSync(given)
    if (lstatSync(path).isDirectory()) return { path }
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such folder' : (errorCode(cause) ?? 'unknown')
    throw new AppError('usage', `--root ${given}: ${why}.`, { cause })
  }
  throw new AppError('usage', `--root ${given} is no folder.`)
}

/**
 * A folder of plain names below the root, with a slash at its end; it may have to be made.
 * @throws AppError `usage` where a link leads away, or a name is no folder's
 */
export function folderInside({ path: root }: RootFolder, names = ''): string {
  let folder = root
  for (const name of names.split('/').filter((part) => part !== '')) {
    folder = join(folder, name)
    const there = lstatSync(folder, { throwIfNoEntry: false })
    if (there === undefined || there.isDirectory()) continue
    throw new AppError('usage', `${names}: ${name} is a link or a file, and no folder.`, {
      hints: ['name another folder'],
    })
  }
  return `${folder}${sep}`
}

/** The files of a result, by their paths below the root: where that is on the machine is nobody's business. */
export function relativeTo({ path: root }: RootFolder, printed: unknown): unknown {
  const files = at(printed, 'files')
  if (!Array.isArray(files)) return printed
  return { files: files.map((file: object) => ({ ...file, path: relative(root, String(at(file, 'path'))) })) }
}
