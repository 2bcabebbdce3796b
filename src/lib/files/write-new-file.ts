import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, rewordError } from '../errors.ts'
import { digestFile, type FileDigest } from './file-digest.ts'
import { fileFailure } from './file-failure.ts'
import { installNew, syncFolder, withTemporaryFile } from './temporary-file.ts'

interface LabelToWrite {
  /** Words for errors: `label of SHP-1, parcel 2`. */
  what: string
  path: string
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Replaces a file with other content, never a link or a folder. */
  force?: boolean
  signal?: AbortSignal
  /** The caller syncs the folder once for many files. */
  skipFolderSync?: boolean
}

interface WrittenLabel extends FileDigest {
  path: string
  unchanged: boolean
}

/** Syncs the file before it gets its name. @throws AppError; nothing has changed then */
export async function writeLabel(label: LabelToWrite): Promise<WrittenLabel> {
  const { what, path, signal } = label
  const hash = createHash('sha256')
  let bytes = 0
  try {
    const written = await withTemporaryFile(
      path,
      async (write) => {
        for await (const chunk of label.content) {
          write(chunk)
          hash.update(chunk)
          bytes += chunk.length
        }
      },
      async (temporary) => {
        const sha256 = hash.digest('hex')
        return { path, bytes, sha256, unchanged: await install(temporary, label, sha256) }
      },
      signal,
    )
    if (!(written.unchanged || label.skipFolderSync)) await syncFolder(dirname(path))
    return written
  } catch (error) {
    if (signal?.aborted)
      throw new AppError('interrupted', `Interrupted: the ${what} is not saved.`, { cause: error })
    throw fileFailure(error, `The ${what} can't be saved`, path)
  }
}

async function install(temporary: string, label: LabelToWrite, sha256: string): Promise<boolean> {
  const { what, path, force } = label
  // Another process may have freed the name.
  for (let attempt = 0; attempt < 3; attempt++) {
    if (await installNew(temporary, path)) return false
    const existing = await digestFile(path)
    if (existing === 'other') {
      throw new AppError('usage', `The ${what} can't be saved: ${path} is a link, a folder or a device.`, {
        hints: ['move it away, or choose another place with --out'],
      })
    }
    if (existing?.sha256 === sha256) return true
    if (existing && !force) {
      throw new AppError('usage', `The ${what} is not saved: ${path} is there with other content.`, {
        hints: ['--force replaces the file', 'or choose another place with --out'],
      })
    }
    if (existing) {
      // Links are replaced, not followed.
      await rename(temporary, path)
      return false
    }
  }
  throw new AppError('unavailable', `The ${what} is not saved: others keep changing ${path}.`)
}

interface PageToWrite {
  what: string
  path: string
  html: string
  force: boolean
  /** Flag that named the path. */
  flag: string
  signal: AbortSignal
}

/** @throws AppError `usage` for a bad or taken name */
export async function writePage({ what, path, html, force, flag, signal }: PageToWrite): Promise<void> {
  if (path === '-')
    throw new AppError('usage', `${flag} takes the name of a file.`, { hints: [`${flag} ${what}.html`] })
  try {
    await writeLabel({ what, path, content: [Buffer.from(html)], force, signal })
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'usage') throw error
    const isTaken = error.hints.some((hint) => hint.startsWith('--force'))
    const other = `choose another file with ${flag}`
    const hints = isTaken ? ['--force replaces the file', `or ${other}`] : [other]
    throw rewordError(error, error.message, { hints })
  }
}
