import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenSandbox } from '../../cli/open-sandbox.ts'

/** Fresh demo data, made once: a sandbox that is not there yet is filled as it is opened. */
export async function resetSandbox(
  openSandbox: OpenSandbox,
  dir: string,
  fill: { seed?: number | undefined; returns?: number | undefined },
): Promise<void> {
  const isThere = existsSync(join(dir, 'sandbox.db'))
  const sandbox = await openSandbox({ dir, ...fill })
  if (isThere) await sandbox.reset(fill)
}
