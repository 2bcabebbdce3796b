import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { errorCode } from '../errors.ts'

/** Hashes a file or its beginning. @returns undefined if nothing is there, `other` for anything but a file */
export async function digestFile(path: string, maxBytes = Number.POSITIVE_INFINITY) {
  try {
    if (!(await lstat(path)).isFile()) return 'other'
    // Absent on Windows.
    const noFollow = constants.O_NOFOLLOW ?? 0
    const file = await open(path, constants.O_RDONLY | noFollow)
    try {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const chunk of file.createReadStream({ autoClose: false, end: maxBytes - 1 })) {
        hash.update(chunk)
        bytes += chunk.length
      }
      return { bytes, sha256: hash.digest('hex') }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    if (code === 'ELOOP') return 'other'
    throw error
  }
}
