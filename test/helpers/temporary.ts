import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that tests leave behind lies in one folder, which goes when the run ends. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rma-run-'))
  // A database server runs as another user, in a folder of its own in here.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
