import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes an empty folder, removed when the run ends. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'rma-test-'))

/** Writes a file of this name into a new folder. */
export function newFile(name: string, content: string | Uint8Array): string {
  const path = join(newFolder(), name)
  writeFileSync(path, content)
  return path
}

/** Paths of all files below a folder whose names have an ending, relative to the folder. */
export const filesBelow = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))

export const textFile = (path: string) => readFileSync(path, 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: each test knows what it reads
export const jsonFile = (path: string): any => JSON.parse(textFile(path))

/** Asserts that only the owner can read and write files, without vitest, which tools/fuzz.mjs lacks. */
export function expectPrivate(...files: string[]): void {
  for (const file of files) assert.equal(statSync(file).mode & 0o777, 0o600, file)
}
