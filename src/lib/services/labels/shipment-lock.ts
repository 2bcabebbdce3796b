import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, errorCode } from '../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../files/file-failure.ts'
import { withLock } from '../../files/lock.ts'

/** Runs an action while no other process that shares the folder of locks does so for the same shipment. */
export type ShipmentLock = <T>(clientShipmentId: string, action: () => Promise<T>) => Promise<T>

/** Longer than a label takes with all its retries and looks. */
const WAIT_MS = 300_000

/** The path, without an ending, of what is kept for a shipment of the platform, whichever way its shop is named. */
export async function shipmentPaths(
  context: Pick<Context, 'paths' | 'settings'>,
): Promise<(clientShipmentId: string) => string> {
  const { baseUrl, isSandbox } = await context.settings()
  const { dataDir, lockDir } = context.paths
  const platform = isSandbox || !baseUrl ? dataDir : new URL(baseUrl.value).href.replace(/\/+$/, '')
  return (id) => {
    const key = createHash('sha256')
      .update(JSON.stringify([platform, id]))
      .digest('hex')
    return join(lockDir, `label-${key.slice(0, 32)}`)
  }
}

/** @throws AppError `config` if no locks can be kept */
export async function openShipmentLock(
  context: Pick<Context, 'assertNotInterrupted' | 'io' | 'paths' | 'settings'>,
): Promise<ShipmentLock> {
  const pathOf = await shipmentPaths(context)
  const { dataDir, lockDir } = context.paths
  await (lockDir === join(dataDir, 'locks') ? makeDataFolder(lockDir) : assertShared(lockDir))
  return async (id, action) => {
    const path = `${pathOf(id)}.lock`
    const wait = { what: `The label of ${id}`, waitMs: WAIT_MS, kind: 'usage' as const }
    try {
      return await withLock(path, { ...wait, signal: context.io.interrupt }, action)
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') context.assertNotInterrupted()
      throw fileFailure(error, `The lock of ${id} can't be made`, path, DATA_FOLDER)
    }
  }
}

/** Anybody could hold up or remove the locks of a folder that is open to everybody. */
async function assertShared(folder: string): Promise<void> {
  const hints = [`one for a group of users: chgrp GROUP "${folder}" && chmod 2770 "${folder}"`]
  const found = await lstat(folder).catch((cause: unknown) => {
    throw new AppError('config', `RMA_LOCK_DIR: ${folder} is no folder (${errorCode(cause)}).`, {
      hints,
      cause,
    })
  })
  if (!found.isDirectory()) throw new AppError('config', `RMA_LOCK_DIR: ${folder} is no folder.`, { hints })
  // Windows has no such modes.
  if (process.getuid === undefined || (found.mode & 0o002) === 0) return
  throw new AppError('config', `RMA_LOCK_DIR: everybody may write into ${folder}.`, { hints })
}
