import { randomBytes } from 'node:crypto'
import { closeSync, constants, fchmodSync, fsync, linkSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../errors.ts'

/**
 * A round writes the journal of a file system such as ext4 once; as no file is made meanwhile, the one thread that
 * reads from the network never waits for it.
 */
export class GroupSync {
  #waiting: { file: number; resolve: () => void; reject: (error: unknown) => void }[] = []
  #round: Promise<void> | undefined

  constructor(private readonly syncOne: (file: number) => Promise<void>) {}

  /** Between rounds files can be made and written without a wait. */
  async quiet(): Promise<void> {
    while (this.#round) await this.#round
  }

  /** Resolves when what was written to an open file is on the disk. One that fails does not concern the others. */
  sync(file: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ file, resolve, reject })
      // All that waited for quiet write first.
      if (this.#waiting.length === 1 && !this.#round) setImmediate(() => this.#begin())
    })
  }

  #begin(): void {
    const files = this.#waiting
    this.#waiting = []
    const syncAll = files.map(({ file, resolve, reject }) => this.syncOne(file).then(resolve, reject))
    this.#round = Promise.all(syncAll).then(() => {
      this.#round = undefined
      if (this.#waiting.length > 0) setImmediate(() => this.#begin())
    })
  }
}

/** A file that is being written, or that a killed process left. */
const TEMPORARY = /^\..+\.tmp-[0-9a-f]{16,}$/
const STALE_MS = 60 * 60 * 1000

/** Unlike any other process's, and unlike any other of this one. */
const ownPart = randomBytes(5).toString('hex')
let made = 0
const nextSuffix = () => {
  made += 1
  return `.tmp-${ownPart}${made.toString(16).padStart(6, '0')}`
}

/** Left by killed processes and untouched for an hour. */
export async function removeStaleFiles(directory: string, nowMs = Date.now()): Promise<void> {
  for (const name of (await readdir(directory)).filter((one) => TEMPORARY.test(one))) {
    const file = join(directory, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: nowMs }))
    if (nowMs - mtimeMs > STALE_MS) await rm(file, { force: true })
  }
}

type Fill = (write: (piece: Uint8Array | string) => void) => Promise<void> | void

/** Whole and synced, or as it was before. Mode 0600. @throws what `fill` throws, or the system call that failed */
export async function replaceFile(path: string, content: string | Fill): Promise<void> {
  const fill: Fill = typeof content === 'string' ? (write) => write(content) : content
  await withTemporaryFile(path, fill, (temporary) => rename(temporary, path))
}

/**
 * The temporary file beside `path`, filled and synced, is gone afterwards: on an abort at once, as the process may end
 * in the same turn.
 */
export async function withTemporaryFile<T>(
  path: string,
  fill: Fill,
  install: (temporary: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  await disk.quiet()
  signal?.throwIfAborted()
  const temporary = join(dirname(path), `.${basename(path)}${nextSuffix()}`)
  const removeOnAbort = () => {
    try {
      unlinkSync(temporary)
    } catch {
      // Some systems can't remove an open file: it is removed below.
    }
  }
  // O_EXCL and O_NOFOLLOW: whoever guesses the name can't have us write through a link. Made in one turn with the
  // listener, so that there is no moment in which an abort would miss it.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  // Labels, manifests and maps hold addresses of customers.
  const file = openSync(temporary, flags, 0o600)
  signal?.addEventListener('abort', removeOnAbort)
  try {
    try {
      await fill((piece) => {
        signal?.throwIfAborted()
        writeAll(file, typeof piece === 'string' ? Buffer.from(piece) : piece)
      })
      await disk.sync(file)
    } finally {
      closeSync(file)
    }
    signal?.throwIfAborted()
    return await install(temporary)
  } finally {
    signal?.removeEventListener('abort', removeOnAbort)
    remove(temporary)
  }
}

/** A new file of this mode, synced with its name. @throws the system call that failed: EEXIST where something is */
export async function createSynced(path: string, content: string, mode: number): Promise<void> {
  await disk.quiet()
  const file = openSync(path, 'wx', mode)
  try {
    // Whatever the umask takes away.
    fchmodSync(file, mode)
    writeAll(file, Buffer.from(content))
    await Promise.all([disk.sync(file), syncFolder(dirname(path))])
  } finally {
    closeSync(file)
  }
}

function remove(temporary: string): void {
  try {
    unlinkSync(temporary)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

/** Only syncs run in other threads: all other calls take less time than handing them over. */
const disk = new GroupSync(promisify(fsync))

/** Goes on after a short write. @throws the system call that failed */
export function writeAll(file: number, chunk: Uint8Array): void {
  for (let written = 0; written < chunk.length; ) written += writeSync(file, chunk, written)
}

/** Gives a file its final name, unless that is taken: false then. Nothing can take it in between. */
export async function installNew(temporary: string, path: string, link = linkSync): Promise<boolean> {
  try {
    link(temporary, path)
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return false
    // Disks without hard links (FAT, some network shares) leave a moment between the look and the name.
    if (
      code !== undefined &&
      ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'].includes(code)
    ) {
      if (await lstat(path).catch(() => undefined)) return false
      await rename(temporary, path)
      return true
    }
    throw error
  }
}

const UNSYNCED = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF']

/** Makes names given in a folder outlast a power cut, where the system can do that. */
export async function syncFolder(directory: string): Promise<void> {
  try {
    const folder = await open(directory, constants.O_RDONLY)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    // Windows opens no folders, and some file systems don't sync them.
    if (!UNSYNCED.includes(errorCode(error) ?? '')) throw error
  }
}
