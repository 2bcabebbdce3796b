import { randomBytes } from 'node:crypto'
import { closeSync, constants, fsync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { chmod, lstat, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../errors.ts'

/**
 * Group commit: syncs files in rounds, as file systems such as ext4 write their journal once a round. Creating a file
 * meanwhile would block the main thread, so callers first await `quiet`.
 */
export class GroupSync {
  #waiting: { file: number; resolve: () => void; reject: (error: unknown) => void }[] = []
  #round: Promise<void> | undefined

  constructor(private readonly syncOne: (file: number) => Promise<void>) {}

  async quiet() {
    while (this.#round) await this.#round
  }

  /** Resolves when the data is on the disk. Files fail independently. */
  sync(file: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ file, resolve, reject })
      if (this.#waiting.length === 1 && !this.#round) setImmediate(() => this.#begin())
    })
  }

  #begin() {
    const files = this.#waiting
    this.#waiting = []
    const syncAll = files.map(({ file, resolve, reject }) => this.syncOne(file).then(resolve, reject))
    this.#round = Promise.all(syncAll).then(() => {
      this.#round = undefined
      if (this.#waiting.length > 0) setImmediate(() => this.#begin())
    })
  }
}

/** Name of a file being written, or left by a killed process. */
const TEMPORARY = /^\..+\.tmp-[0-9a-f]{16,}$/
const STALE_MS = 60 * 60 * 1000

const ownPart = randomBytes(5).toString('hex')
let made = 0
const nextSuffix = () => {
  made += 1
  return `.tmp-${ownPart}${made.toString(16).padStart(6, '0')}`
}

/** Removes files that killed processes left over an hour ago. */
export async function removeStaleFiles(directory: string, nowMs = Date.now()) {
  for (const name of (await readdir(directory)).filter((one) => TEMPORARY.test(one))) {
    const file = join(directory, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: nowMs }))
    if (nowMs - mtimeMs > STALE_MS) await rm(file, { force: true })
  }
}

type Fill = (write: (piece: Uint8Array | string) => void) => Promise<void> | void

/** Replaces a file atomically, and syncs it. @throws what `fill` throws, or the system call that failed */
export async function replaceFile(path: string, content: string | Fill, mode = 0o600) {
  const fill: Fill = typeof content === 'string' ? (write) => write(content) : content
  await withTemporaryFile(path, fill, async (temporary) => {
    await chmod(temporary, mode)
    await rename(temporary, path)
  })
}

/**
 * Fills and syncs a temporary file beside `path`, and removes it. An abort removes it at once, since the process may
 * end.
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
      rmSync(temporary)
    } catch {
      // Some systems can't remove an open file yet.
    }
  }
  // O_EXCL and O_NOFOLLOW: nobody can have us write through a link. No abort comes between file and listener.
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
    rmSync(temporary, { force: true })
  }
}

/** Only syncs are slow enough to run in another thread. */
const disk = new GroupSync(promisify(fsync))

/** @throws the system call that failed */
export function writeAll(file: number, chunk: Uint8Array) {
  for (let written = 0; written < chunk.length; ) written += writeSync(file, chunk, written)
}

/** Names a file without replacing another. @returns false if the name is taken */
export async function installNew(temporary: string, path: string, link = linkSync) {
  try {
    link(temporary, path)
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return false
    // Disks without hard links allow a race between check and rename.
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

const SYNC_UNSUPPORTED = ['EISDIR', 'EPERM', 'EACCES', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF']

/** Makes new names in a folder survive a power cut. */
export async function syncFolder(directory: string) {
  try {
    const folder = await open(directory, constants.O_RDONLY)
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    // Windows opens no folders, and some file systems don't sync them.
    if (!SYNC_UNSUPPORTED.includes(errorCode(error) ?? '')) throw error
  }
}
