import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, errorCode } from '../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../files/file-failure.ts'
import { withLock } from '../../files/lock.ts'
import { createSynced } from '../../files/temporary-file.ts'
import { jsonOrUndefined } from '../../wire/json.ts'

/** Runs an action while no other process does so for the same shipment. */
type ShipmentLock = <T>(clientShipmentId: string, action: () => Promise<T>) => Promise<T>

/** Longer than a label takes with all its retries and looks. */
const WAIT_MS = 300_000

/** Paths are the same whichever way the shop is named. */
async function shipmentPaths(context: Context): Promise<(clientShipmentId: string) => string> {
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

export async function openShipmentLock(context: Context): Promise<ShipmentLock> {
  const pathOf = await shipmentPaths(context)
  const { dataDir, lockDir } = context.paths
  await (lockDir === join(dataDir, 'locks') ? makeDataFolder(lockDir) : assertShared(lockDir))
  const { interrupt: signal } = context.io
  return async (id, action) => {
    const path = `${pathOf(id)}.lock`
    try {
      return await withLock(
        path,
        { what: `The label of ${id}`, waitMs: WAIT_MS, kind: 'usage', signal },
        action,
      )
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') context.assertNotInterrupted()
      throw fileFailure(error, `The lock of ${id} can't be made`, path, DATA_FOLDER)
    }
  }
}

/** Anybody could hold up or remove the locks of an open folder. */
async function assertShared(folder: string): Promise<void> {
  const refused = (what: string, cause?: unknown) =>
    new AppError('config', `RMA_LOCK_DIR: ${what}.`, {
      hints: [`one for a group of users: chgrp GROUP "${folder}" && chmod 2770 "${folder}"`],
      cause,
    })
  const found = await lstat(folder).catch((cause: unknown) => {
    throw refused(`${folder} is no folder (${errorCode(cause)})`, cause)
  })
  if (!found.isDirectory()) throw refused(`${folder} is no folder`)
  // Windows has no such modes.
  if (process.getuid && (found.mode & 0o002) !== 0) throw refused(`everybody may write into ${folder}`)
}

const intentSchema = z.object({
  clientShipmentId: z.string(),
  /** Epoch milliseconds of the request. */
  at: z.number(),
  timeoutMs: z.number(),
  /** Number of label sets that the shipment had before. */
  sets: z.number(),
})

export type PurchaseIntent = z.infer<typeof intentSchema>

/** Second line of a purchase that ended without an answer. */
const UNKNOWN = '{"outcome":"unknown"}\n'
/** Other users of a shared folder read the file; it holds nothing personal. */
const MODE = 0o644

/** Purchases with an open outcome: a file each, written under the shipment's lock. */
export class PurchaseIntents {
  private constructor(
    private readonly context: Context,
    private readonly stemOf: (clientShipmentId: string) => string,
    private readonly timeoutMs: number,
  ) {}

  static async open(context: Context): Promise<PurchaseIntents> {
    const { timeoutMs } = await context.settings()
    return new PurchaseIntents(context, await shipmentPaths(context), timeoutMs.value)
  }

  async among<T extends { request: { clientShipmentId: string } }>(wanted: readonly T[]): Promise<T[]> {
    const { lockDir } = this.context.paths
    const files = await readdir(lockDir).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw fileFailure(error, "Earlier purchases can't be read", lockDir, DATA_FOLDER)
    })
    const names = new Set(files.filter((name) => name.endsWith('.intent')))
    if (names.size === 0) return []
    return wanted.filter(({ request }) => names.has(basename(this.#pathOf(request.clientShipmentId))))
  }

  read(id: string): PurchaseIntent | undefined {
    const path = this.#pathOf(id)
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      throw fileFailure(error, `The purchase of ${id} can't be read`, path, DATA_FOLDER)
    }
    const value = jsonOrUndefined(text.split('\n', 1)[0] ?? '')
    // An unfinished line means that nothing was sent.
    if (value === undefined) return undefined
    const { success, data } = intentSchema.safeParse(value)
    if (success) return data
    throw new AppError('config', `${path} is not what rma wrote.`, { hints: ['update rma'] })
  }

  /** Writes an intent, synced with its name, in place of an earlier one. */
  async write(id: string, sets: number): Promise<void> {
    const path = this.#pathOf(id)
    const intent = { clientShipmentId: id, at: this.context.io.now(), timeoutMs: this.timeoutMs, sets }
    try {
      // Removed first: it may be another user's.
      this.remove(id)
      await createSynced(path, `${JSON.stringify(intent)}\n`, MODE)
    } catch (error) {
      const doing = `The purchase of ${id} can't be noted down, so it was not made,`
      throw fileFailure(error, doing, path, DATA_FOLDER)
    }
  }

  markUnknown(id: string): void {
    attempt(() => appendFileSync(this.#pathOf(id), UNKNOWN))
  }

  remove(id: string): void {
    attempt(() => rmSync(this.#pathOf(id), { force: true }))
  }

  #pathOf(id: string): string {
    return `${this.stemOf(id)}.intent`
  }
}

/** An intent that stays costs a later run a look at most: the label goes first. */
function attempt(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}
