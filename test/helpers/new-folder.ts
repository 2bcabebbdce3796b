import { mkdtempSync, writeFileSync } from 'node:fs'
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
