import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where all sandboxes in memory of a test process have their drop-off points, which are the same for all. */
export const SHARED_PUDOS = join(mkdtempSync(join(tmpdir(), 'rma-pudos-')), 'pudos')
