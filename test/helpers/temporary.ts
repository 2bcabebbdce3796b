import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that tests leave behind lies in one folder, which goes when the run ends. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rma-run-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
