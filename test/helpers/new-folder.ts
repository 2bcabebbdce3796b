import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes an empty folder, removed when the run ends. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'rma-test-'))
