import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, causedBy, usageError } from '../errors.ts'
import { digestFile } from './file-digest.ts'
import { fileFailure } from './file-failure.ts'
import { installNew, syncFolder, withTemporaryFile } from './temporary-file.ts'

interface NewFile {
  /** Words for errors: `label of SHP-1, parcel 2`. */
  what: string
  path: string
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Replaces a file with other content, never a link or a folder. */
  force?: boolean
  /** True to check everything, and leave no file. */
  isDry?: boolean
  signal?: AbortSignal
  /** Flag that names the path. Default: `--out`. */
  flag?: string
  /** The caller syncs the folder once for many files. */
  skipFolderSync?: boolean
}

/** Syncs the file before it gets its name. @throws AppError; nothing has changed then */
export async function writeNewFile(file: NewFile) {
  const { what, path, signal } = file
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const written = await withTemporaryFile(
      path,
      async (write) => {
        for await (const chunk of file.content) {
          write(chunk)
          hash.update(chunk)
          bytes += chunk.length
        }
      },
      async (temporary) => {
        const sha256 = hash.digest('hex')
        return { bytes, sha256, unchanged: await install(temporary, file, sha256) }
      },
      signal,
    )
    if (!(written.unchanged || file.skipFolderSync)) await syncFolder(dirname(path))
    return written
  } catch (error) {
    if (signal?.aborted) throw causedBy(error, 'interrupted', `Interrupted: the ${what} is not saved.`)
    const { flag = '--out' } = file
    throw fileFailure(error, `The ${what} can't be saved`, path, `give ${flag} a place that you may write to`)
  }
}

async function install(temporary: string, file: NewFile, sha256: string) {
  const { what, path, force, isDry, flag = '--out' } = file
  // Another process may have freed the name.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (!isDry && (await installNew(temporary, path))) return false
    const existing = await digestFile(path)
    if (existing === 'other') {
      throw usageError(
        `The ${what} can't be saved: ${path} is a link, a folder or a device.`,
        `move it away, or choose another place with ${flag}`,
      )
    }
    if (existing?.sha256 === sha256) return true
    if (existing && !force) {
      throw usageError(
        `The ${what} is not saved: ${path} is there with other content.`,
        '--force replaces the file',
        `or choose another place with ${flag}`,
      )
    }
    if (isDry) return true
    if (existing) {
      // Links are replaced, not followed.
      await rename(temporary, path)
      return false
    }
  }
  throw new AppError('unavailable', `The ${what} is not saved: others keep changing ${path}.`)
}

interface PageToWrite extends Required<Pick<NewFile, 'what' | 'path' | 'force' | 'flag' | 'signal'>> {
  html: string
}

/** @throws AppError `usage` for a bad or taken name */
export async function writePage({ html, ...page }: PageToWrite) {
  const { what, path, flag } = page
  if (path === '-') throw usageError(`${flag} takes the name of a file.`, `${flag} ${what}.html`)
  await writeNewFile({ ...page, content: [Buffer.from(html)] })
}
