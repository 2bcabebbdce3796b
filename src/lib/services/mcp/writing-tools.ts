import { lstatSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { errorCode, usageError } from '../../errors.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import { type Tool, tool } from './tools.ts'

/** Commands for one thing each, without the flags that go past a safeguard. */
export function writingTools(root: string | undefined): Tool[] {
  return [...(root === undefined ? [] : [createLabel(root)]), tool('report_tracking')]
}

function createLabel(root: string): Tool {
  const relativePaths = (printed: unknown) => {
    const files = list(at(printed, 'files')).filter(isRecord)
    return { files: files.map((file) => ({ ...file, path: relative(root, String(file.path)) })) }
  }
  return tool('create_label', relativePaths, ({ folder, ...given }) => ({
    ...given,
    folder: folderInside(root, folder as string | undefined),
  }))
}

export function openRoot(given: string): string {
  try {
    const path = realpathSync(given)
    if (lstatSync(path).isDirectory()) return path
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such folder' : (errorCode(cause) ?? 'unknown')
    throw usageError(`--root ${given}: ${why}.`)
  }
  throw usageError(`--root ${given} is no folder.`)
}

/** Returns a folder below the root. @throws AppError `usage` where a link leads away */
function folderInside(root: string, names = ''): string {
  let folder = root
  for (const name of names.split('/').filter(Boolean)) {
    folder = join(folder, name)
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true) continue
    throw usageError(`${names}: ${name} is a link or a file, and no folder.`, 'name another folder')
  }
  return `${folder}${sep}`
}
