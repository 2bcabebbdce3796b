import { randomUUID } from 'node:crypto'
import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { appError, errorCode } from '../errors.ts'
import { holdLiveness, Observer, removeIfDead, shareFile } from './liveness.ts'

export interface Lock {
  release(): void
}

interface LockHolder {
  /** Only for messages, as it may be of another PID namespace. */
  pid: number
  host: string
}

interface Owner extends LockHolder {
  id: string
  /** Name of its liveness file. */
  alive: string
}

type FoundOwner = Owner | 'unreadable'

const POLL_MS = 15
/** Age of an abandoned empty lock. Disks without hard links show locks before their content. */
const EMPTY_LOCK_MS = 10_000
/** Time for which an ownership check holds; on network disks it takes a round trip. */
const OWNERSHIP_VALID_MS = 10

/** Takes over a dead process's lock, after three missed heartbeats without a socket. @throws AppError `usage` */
export function takeLock(path: string, what: string): Promise<Lock> {
  return waitForLock(path, { kind: 'usage', what, waitMs: 0 })
}

interface LockWait {
  what: string
  waitMs: number
  kind: 'usage' | 'config'
  signal?: AbortSignal
}

/** Waits for other holders, within this process too. @throws AppError if the lock stays taken */
export async function withLock<T>(path: string, wait: LockWait, action: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(path, wait)
  try {
    return await action()
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string, wait: LockWait) {
  const observer = new Observer(dirname(path))
  for (const until = performance.now() + wait.waitMs; ; ) {
    const found = await tryLock(path, wait.what, observer)
    if (isLock(found)) return found
    if (performance.now() >= until && !(await isUnclear(found, observer)))
      throw lockedError(path, found, wait)
    await sleep(POLL_MS, undefined, { signal: wait.signal })
  }
}

/** Returns undefined if the holder is known to be dead. */
export async function lockHolder(path: string): Promise<LockHolder | undefined> {
  const owner = readOwner(path)
  if (typeof owner !== 'object' || (await isDead(path, owner, new Observer(dirname(path))))) return undefined
  return { pid: owner.pid, host: owner.host }
}

interface OwnLock extends Lock {
  path: string
  what: string
  id: string
  checkedAt: number
}

const ownLocks = new Set<OwnLock>()

/** Call before each send, as a suspended process may have lost its lock. @throws AppError `unavailable` */
export function assertLocksOwned() {
  const now = performance.now()
  for (const lock of ownLocks) {
    if (now - lock.checkedAt < OWNERSHIP_VALID_MS) continue
    const owner = readOwner(lock.path)
    if (typeof owner !== 'object' || owner.id !== lock.id) {
      throw appError(
        'unavailable',
        `${lock.what} is no longer locked by this process; nothing more is sent.`,
        'this process was suspended, and another one took over: see what that one has done',
        'or somebody removed the lock: run it again',
      )
    }
    lock.checkedAt = now
  }
}

function isLock(lock: Lock | FoundOwner): lock is Lock {
  return typeof lock === 'object' && 'release' in lock
}

async function tryLock(path: string, what: string, observer: Observer): Promise<Lock | FoundOwner> {
  for (;;) {
    const owner = readOwner(path)
    if (owner === 'gone') {
      const lock = await createLock(path, what)
      if (lock) return lock
    } else {
      if (!(await isDead(path, owner, observer))) return owner
      // Removal has a lock of its own, named after the dead owner: a second remover would remove the first one's lock.
      const removalLock = await tryLock(`${path}.${idOf(owner)}`, what, observer)
      if (!isLock(removalLock)) return removalLock
      try {
        removeOwned(path, idOf(owner))
        if (owner !== 'unreadable') await removeIfDead(dirname(path), owner.alive)
      } finally {
        removalLock.release()
      }
    }
  }
}

async function createLock(path: string, what: string): Promise<Lock | undefined> {
  const liveness = await holdLiveness(dirname(path))
  const id = randomUUID()
  const checkedAt = performance.now()
  let isMade = false
  try {
    isMade = createWhole(path, { pid: process.pid, host: hostname(), id, alive: liveness.name })
  } finally {
    if (!isMade) liveness.release()
  }
  if (!isMade) return undefined
  const lock: OwnLock = {
    path,
    what,
    id,
    checkedAt,
    release: () => {
      if (!ownLocks.delete(lock)) return
      try {
        removeOwned(path, id)
      } finally {
        liveness.release()
      }
    },
  }
  ownLocks.add(lock)
  return lock
}

/** Makes the file with its content or not at all: a crash or a full disk leaves no empty lock. */
function createWhole(path: string, owner: Owner) {
  const draft = join(dirname(path), `${owner.alive}.${owner.id}`)
  try {
    writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
    shareFile(draft)
    linkSync(draft, path)
    return true
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST') return false
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return createPlainly(path, owner)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Creates a lock on disks without hard links. */
function createPlainly(path: string, owner: Owner) {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(path, JSON.stringify(owner))
    return true
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

function idOf(owner: FoundOwner) {
  return owner === 'unreadable' ? 'empty' : owner.id
}

async function isDead(path: string, owner: FoundOwner, observer: Observer) {
  if (owner === 'unreadable') return isEmpty(path)
  return (await observer.judge(owner.alive)) === 'dead'
}

async function isUnclear(owner: FoundOwner, observer: Observer) {
  return owner !== 'unreadable' && (await observer.judge(owner.alive)) === 'unclear'
}

function isEmpty(path: string) {
  const file = statSync(path, { throwIfNoEntry: false })
  return file?.size === 0 && Date.now() - file.mtimeMs > EMPTY_LOCK_MS
}

function removeOwned(path: string, id: string) {
  const owner = readOwner(path)
  if (owner === 'unreadable' ? isEmpty(path) : owner !== 'gone' && owner.id === id)
    rmSync(path, { force: true })
}

function readOwner(path: string): FoundOwner | 'gone' {
  try {
    const owner: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isOwner(owner) ? owner : 'unreadable'
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unreadable'
  }
}

function isOwner(value: unknown): value is Owner {
  // `id` and `alive` become parts of paths.
  const isName = (text: unknown) => typeof text === 'string' && /^\.?[\w-]+(\.\w+)?$/.test(text)
  const { id, alive, pid, host } = Object(value)
  return isName(id) && isName(alive) && typeof pid === 'number' && typeof host === 'string'
}

function lockedError(path: string, owner: FoundOwner, { what, kind }: Pick<LockWait, 'what' | 'kind'>) {
  if (owner === 'unreadable') {
    const message = `${what} is locked, by a lock that can't be read: ${path}`
    return appError(kind, message, `if no rma works on it, delete ${path}`)
  }
  const elsewhere = owner.host === hostname() ? '' : ` on ${owner.host}`
  return appError(
    kind,
    `${what} is being worked on by process ${owner.pid}${elsewhere}.`,
    'wait until it ends, or end it: it stops cleanly on Ctrl-C and on SIGTERM',
  )
}
