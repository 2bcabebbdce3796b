import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where all sandboxes in memory of a run have their drop-off points, which are the same for all: filled by the first. */
export const SHARED_PUDOS = join(tmpdir(), 'rma-pudos')
