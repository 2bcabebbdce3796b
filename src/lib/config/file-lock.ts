import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, errorCode } from '../errors.ts'

const POLL_MS = 15

/**
 * Runs `action`, while no other process does so under the same lock file. The lock of a
 * process that died is taken over. Throws a config error that says `what` is written when the lock stays taken for
 * `timeoutMs`.
 */
export async function withFileLock<T>(
  lockPath: string,
  action: () => Promise<T>,
  timeoutMs = 10_000,
  what = 'the settings',
): Promise<T> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() })
  for (let waitedMs = 0; !createExclusively(lockPath, mine); waitedMs += POLL_MS) {
    if (breakStaleLock(lockPath)) continue
    if (waitedMs >= timeoutMs) {
      throw new AppError('config', `Another process is writing ${what}: ${lockPath} is taken.`, {
        hints: ['try again in a moment', `if no rma is running, delete ${lockPath}`],
      })
    }
    await sleep(POLL_MS)
  }
  try {
    return await action()
  } finally {
    rmSync(lockPath, { force: true })
  }
}

function createExclusively(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock of a dead process. Two waiters that see the same dead owner must not both remove "the lock": the
 * second would remove the lock that the first has just made. So the right to remove is a file of its own, named after
 * the dead owner's id, and the lock is read again once that right is held.
 */
function breakStaleLock(lockPath: string): boolean {
  const owner = readOwner(lockPath)
  if (!owner || isAlive(owner)) return false
  const right = `${lockPath}.${owner.id}`
  if (!createExclusively(right, '')) return false
  try {
    if (readOwner(lockPath)?.id === owner.id) rmSync(lockPath, { force: true })
  } finally {
    rmSync(right, { force: true })
  }
  return true
}

interface Owner {
  pid: number
  host: string
  id: string
}

function readOwner(lockPath: string): Owner | undefined {
  try {
    const owner: unknown = JSON.parse(readFileSync(lockPath, 'utf8'))
    return isOwner(owner) ? owner : undefined
  } catch {
    // Gone meanwhile, or not yet written.
    return undefined
  }
}

function isOwner(value: unknown): value is Owner {
  if (typeof value !== 'object' || value === null) return false
  if (!('pid' in value && 'host' in value && 'id' in value)) return false
  return typeof value.pid === 'number' && typeof value.host === 'string' && /^[\w-]+$/.test(String(value.id))
}

function isAlive({ pid, host }: Owner): boolean {
  // The processes of another machine on a shared home can't be seen from here.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}
