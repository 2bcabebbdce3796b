import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../files/file-failure.ts'
import { withLock } from '../../files/lock.ts'
import { makeFolders } from '../../files/make-folder.ts'

/** Runs an action while no other process of this user on this machine does so for the same shipment. */
export type ShipmentLock = <T>(clientShipmentId: string, action: () => Promise<T>) => Promise<T>

/** Longer than a label takes with all its retries and looks. */
const WAIT_MS = 300_000

/**
 * The lock of each shipment of the platform, whichever way its shop is named. A home or a data directory of its own is
 * no way around it, hence the place that the machine has for such.
 */
export async function openShipmentLock(
  context: Pick<Context, 'io' | 'paths' | 'settings'>,
): Promise<ShipmentLock> {
  const { baseUrl, isSandbox } = await context.settings()
  const { dataDir } = context.paths
  const platform = isSandbox || !baseUrl ? dataDir : new URL(baseUrl.value).href.replace(/\/+$/, '')
  const folder = (await usableFolder(machineFolder())) ?? (await usableFolder(join(dataDir, 'locks')))
  if (folder === undefined) {
    throw new AppError('config', `There is no place for a lock: neither ${machineFolder()} nor ${dataDir}.`, {
      hints: [DATA_FOLDER],
    })
  }
  return async (id, action) => {
    const key = createHash('sha256')
      .update(JSON.stringify([platform, id]))
      .digest('hex')
    const path = join(folder, `label-${key.slice(0, 32)}.lock`)
    const wait = { what: `The label of ${id}`, waitMs: WAIT_MS, kind: 'usage' as const }
    try {
      return await withLock(path, { ...wait, signal: context.io.interrupt }, action)
    } catch (error) {
      throw fileFailure(error, `The lock of ${id} can't be made`, path, DATA_FOLDER)
    }
  }
}

/** Not by TMPDIR, which differs between a desktop and a cron job. */
function machineFolder(): string {
  const uid = process.getuid?.()
  return uid === undefined ? join(tmpdir(), 'rma-locks') : `/tmp/rma-${uid}`
}

/** The folder, made if it isn't there; undefined if others could put locks into it, or nobody can. */
async function usableFolder(folder: string): Promise<string | undefined> {
  try {
    await makeFolders(folder, 0o700)
    const found = await lstat(folder)
    const uid = process.getuid?.()
    // Windows has neither, and a folder for such that is the user's own.
    const isOwn = uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0)
    return found.isDirectory() && isOwn ? folder : undefined
  } catch {
    return undefined
  }
}
