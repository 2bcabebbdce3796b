import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that tests leave behind lies in one folder, which goes when the run ends. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'rma-run-'))
  // PostgreSQL runs as another user, and has to come through to its own folder in there.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
