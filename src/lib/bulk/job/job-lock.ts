import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { AppError, errorCode } from '../../errors.ts'

export interface JobLock {
  release(): void
}

interface Owner {
  pid: number
  host: string
  /** When the process started, as its system counts: another process may have got the number of a dead one. */
  started: string
  id: string
}

/**
 * Makes this process the only one that works on what `path` stands for, until `release` or its end: the lock of a
 * process that died is taken over.
 *
 * @throws AppError `usage` that says `what` is being worked on, and by which process
 */
export function lockJob(path: string, what: string): JobLock {
  const mine = ownMark()
  for (;;) {
    if (createWhole(path, mine)) return { release: () => release(path, mine) }
    const owner = readOwner(path)
    if (owner === 'gone') continue
    if (owner === 'unreadable' || isAlive(owner)) throw taken(path, what, owner)
    takeAway(path, owner, what)
  }
}

/** The process that holds the lock; undefined if none does, or none that lives. */
export function lockHolder(path: string): { pid: number; host: string } | undefined {
  const owner = readOwner(path)
  return typeof owner === 'object' && isAlive(owner) ? { pid: owner.pid, host: owner.host } : undefined
}

function ownMark(): Owner {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? '', id: randomUUID() }
}

/** The file appears with its content or not at all, so that nobody meets an empty lock. */
function createWhole(path: string, owner: Owner): boolean {
  const draft = `${path}.${owner.id}.tmp`
  writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST') return false
    // A disk without hard links: a crash between making the file and filling it leaves a lock to be removed by hand.
    if (['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(code)) return createPlainly(path, owner)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function createPlainly(path: string, owner: Owner): boolean {
  try {
    writeFileSync(path, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock of a dead owner. Two that see the same dead owner must not both remove "the lock", as the second
 * would remove the one that the first has made since. So the right to remove is a lock of its own, named after the
 * dead owner, and the lock is read again once that right is held. Whoever dies holding it is dealt with the same way.
 */
function takeAway(path: string, dead: Owner, what: string): void {
  const right = lockJob(`${path}.${dead.id}`, what)
  try {
    const owner = readOwner(path)
    if (typeof owner === 'object' && owner.id === dead.id) rmSync(path, { force: true })
  } finally {
    right.release()
  }
}

function release(path: string, mine: Owner): void {
  const owner = readOwner(path)
  if (typeof owner === 'object' && owner.id === mine.id) rmSync(path, { force: true })
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

function taken(path: string, what: string, owner: Owner | 'unreadable'): AppError {
  if (owner === 'unreadable') {
    return new AppError('usage', `${what} is locked, by a lock that can't be read: ${path}`, {
      hints: [`if no rma works on it, delete ${path}`],
    })
  }
  const elsewhere = owner.host === hostname() ? '' : ` on ${owner.host}`
  const hints = ['wait until it ends, or end it: it stops cleanly on Ctrl-C and on SIGTERM']
  if (elsewhere) hints.push(`if that machine no longer works on it, delete ${path}`)
  return new AppError('usage', `${what} is being worked on by process ${owner.pid}${elsewhere}.`, { hints })
}
