import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openMirror } from '../../src/lib/mirror/store/open.ts'
import { newFolder } from './files.ts'

/** Makes an empty mirror, open until the end of the test. */
export async function newMirror() {
  const file = join(newFolder(), 'mirror.db')
  const mirror = await openMirror({ file })
  onTestFinished(() => mirror.db.destroy())
  return { mirror, file }
}
