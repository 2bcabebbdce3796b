import { randomUUID } from 'node:crypto'
import {
  closeSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, errorCode } from '../errors.ts'

export interface Lock {
  release(): void
}

export interface LockHolder {
  pid: number
  host: string
}

interface Owner extends LockHolder {
  /** The system's start time of the process: numbers of dead ones are used again. */
  started: string
  id: string
}

const POLL_MS = 15
/** Between making a lock and filling it, on a disk without hard links, lie some microseconds. */
const EMPTY_MS = 10_000

/**
 * A dead process's lock is taken over. The folder must be there.
 * @throws AppError `usage` that says `what` ("Job 7") is being worked on, and by which process
 */
export function takeLock(path: string, what: string): Lock {
  const lock = tryLock(path)
  if (isLock(lock)) return lock
  throw taken(path, lock, { kind: 'usage', what })
}

export interface LockWait {
  /** What the lock stands for, as a sentence begins with it. */
  what: string
  /** How long another process may keep it. */
  waitMs: number
  /** Of the error when it is kept longer. */
  kind: 'usage' | 'config'
  signal?: AbortSignal | undefined
}

/** Waits for its turn, within this process too. @throws AppError of the given kind when the lock stays taken */
export async function withLock<T>(path: string, wait: LockWait, action: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(path, wait)
  try {
    return await action()
  } finally {
    lock.release()
  }
}

async function waitForLock(path: string, wait: LockWait): Promise<Lock> {
  for (const until = performance.now() + wait.waitMs; ; ) {
    const lock = tryLock(path)
    if (isLock(lock)) return lock
    if (performance.now() >= until) throw taken(path, lock, wait)
    await sleep(POLL_MS, undefined, { signal: wait.signal })
  }
}

/** The process that holds the lock; undefined if none does, or none that lives. */
export function lockHolder(path: string): LockHolder | undefined {
  const owner = readOwner(path)
  return typeof owner === 'object' && isAlive(owner) ? { pid: owner.pid, host: owner.host } : undefined
}

function isLock(lock: Lock | Owner | 'unreadable'): lock is Lock {
  return typeof lock === 'object' && 'release' in lock
}

function tryLock(path: string): Lock | Owner | 'unreadable' {
  for (;;) {
    const owner = readOwner(path)
    if (owner === 'gone') {
      const mine = ownMark()
      if (createWhole(path, mine)) return { release: () => removeOwned(path, mine.id) }
    } else {
      const dead = deadId(path, owner)
      if (dead === undefined) return owner
      const right = takeAway(path, dead)
      if (right !== undefined) return right
    }
  }
}

function ownMark(): Owner {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '', id: randomUUID() }
}

/** The file appears with its content or not at all, so that neither a crash nor a full disk leaves an empty lock. */
function createWhole(path: string, owner: Owner): boolean {
  const draft = `${path}.${owner.id}.tmp`
  try {
    writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
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

/** For disks without hard links. */
function createPlainly(path: string, owner: Owner): boolean {
  let file: number
  try {
    file = openSync(path, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    writeSync(file, JSON.stringify(owner))
    return true
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

const EMPTY_ID = 'empty'

/** The id of an owner that will never let go; undefined if it may. */
function deadId(path: string, owner: Owner | 'unreadable'): string | undefined {
  if (owner !== 'unreadable') return isAlive(owner) ? undefined : owner.id
  const file = statSync(path, { throwIfNoEntry: false })
  return file?.size === 0 && Date.now() - file.mtimeMs > EMPTY_MS ? EMPTY_ID : undefined
}

/**
 * The right to remove is a lock of its own, named after the dead owner: of two that see the same one, the second would
 * remove the first's new lock. Returns who has that right, if another has.
 */
function takeAway(path: string, dead: string): Owner | 'unreadable' | undefined {
  const right = tryLock(`${path}.${dead}`)
  if (!isLock(right)) return right
  try {
    removeOwned(path, dead)
  } finally {
    right.release()
  }
  return undefined
}

function removeOwned(path: string, id: string): void {
  const owner = readOwner(path)
  if (owner === 'gone') return
  const current = owner === 'unreadable' ? deadId(path, owner) : owner.id
  if (current === id) rmSync(path, { force: true })
}

function readOwner(path: string): Owner | 'gone' | 'unreadable' {
  try {
    const owner: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isOwner(owner) ? owner : 'unreadable'
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'gone' : 'unreadable'
  }
}

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  if (!('pid' in value && 'host' in value && 'started' in value && 'id' in value)) return false
  const { pid, host, started, id } = value
  // The id becomes part of a path.
  const isMark = typeof id === 'string' && /^[\w-]+$/.test(id)
  return typeof pid === 'number' && typeof host === 'string' && typeof started === 'string' && isMark
}

function isAlive({ pid, host, started }: Owner): boolean {
  // The processes of another machine on a shared home can't be seen from here.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) === 'ESRCH') return false
  }
  const current = startOf(pid)
  return started === '' || current === undefined || current === started
}

/** Linux: clock ticks from the system's start to the process's. Elsewhere a process is known by its number alone. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets, which may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  } catch {
    return undefined
  }
}

function taken(
  path: string,
  owner: Owner | 'unreadable',
  { what, kind }: Pick<LockWait, 'what' | 'kind'>,
): AppError {
  if (owner === 'unreadable') {
    return new AppError(kind, `${what} is locked, by a lock that can't be read: ${path}`, {
      hints: [`if no rma works on it, delete ${path}`],
    })
  }
  const elsewhere = owner.host === hostname() ? '' : ` on ${owner.host}`
  const hints = ['wait until it ends, or end it: it stops cleanly on Ctrl-C and on SIGTERM']
  if (elsewhere) hints.push(`if that machine no longer works on it, delete ${path}`)
  return new AppError(kind, `${what} is being worked on by process ${owner.pid}${elsewhere}.`, { hints })
}
