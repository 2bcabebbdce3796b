import { readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Candidate } from './answer.ts'

const MAX_FILES = 1000

/** Files that end so, or any for none, and folders, with a slash. Hidden ones where a dot was typed. */
export function filesFor(typed: string, extensions: readonly string[] | 'folders', cwd: string): Candidate[] {
  const [, before = '', start = ''] = /^(.*[/\\])?([^/\\]*)$/s.exec(typed) ?? []
  const folder = resolve(cwd, before.replace(/^~(?=\/)/, homedir()) || '.')
  const found: Candidate[] = []
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const { name } = entry
    if (!name.startsWith(start) || (name.startsWith('.') && !start.startsWith('.'))) continue
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && isFolderAt(join(folder, name)))
    if (isFolder) found.push({ value: `${before}${name}/` })
    else if (extensions !== 'folders' && hasExtension(name, extensions)) found.push({ value: before + name })
    if (found.length === MAX_FILES) break
  }
  return found
}

function isFolderAt(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

function hasExtension(name: string, extensions: readonly string[]): boolean {
  const lower = name.toLowerCase()
  return extensions.length === 0 || extensions.some((one) => lower.endsWith(`.${one}`))
}
