import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { AppError, errorCode } from '../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../files/file-failure.ts'
import { createSynced } from '../../files/temporary-file.ts'
import { jsonOrUndefined } from '../../wire/json.ts'
import { shipmentPaths } from './shipment-lock.ts'

const intentSchema = z.object({
  clientShipmentId: z.string(),
  /** Epoch milliseconds of the request. */
  at: z.number(),
  timeoutMs: z.number(),
  /** How many label sets the shipment had before. */
  sets: z.number(),
})

export type PurchaseIntent = z.infer<typeof intentSchema>

/** A second line of this marks a purchase that ended without an answer. */
const UNKNOWN = '{"outcome":"unknown"}\n'
/** Other users of a shared folder read it; it holds nothing personal. */
const MODE = 0o644

/**
 * Purchases that were begun and whose outcome is not known yet: a file each, beside the lock of the shipment, which
 * whoever writes holds.
 */
export class PurchaseIntents {
  private constructor(
    private readonly context: Pick<Context, 'io' | 'paths'>,
    private readonly stemOf: (clientShipmentId: string) => string,
    private readonly timeoutMs: number,
  ) {}

  static async open(context: Pick<Context, 'io' | 'paths' | 'settings'>): Promise<PurchaseIntents> {
    const { timeoutMs } = await context.settings()
    return new PurchaseIntents(context, await shipmentPaths(context), timeoutMs.value)
  }

  /** Returns the items that have an intent. */
  async among<T>(items: readonly T[], idOf: (item: T) => string): Promise<T[]> {
    const { lockDir } = this.context.paths
    const files = await readdir(lockDir).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw fileFailure(error, "Earlier purchases can't be read", lockDir, DATA_FOLDER)
    })
    const names = new Set(files.filter((name) => name.endsWith('.intent')))
    if (names.size === 0) return []
    return items.filter((item) => names.has(basename(this.#pathOf(idOf(item)))))
  }

  /** @throws AppError `config` for a file that is not what rma writes */
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

  /** Synced with its name; takes the place of an earlier one. */
  async write(id: string, sets: number): Promise<void> {
    const path = this.#pathOf(id)
    const intent = { clientShipmentId: id, at: this.context.io.now(), timeoutMs: this.timeoutMs, sets }
    try {
      // Removed first: it may be another user's.
      this.remove(id)
      await createSynced(path, `${JSON.stringify(intent)}\n`, MODE)
    } catch (error) {
      throw fileFailure(
        error,
        `The purchase of ${id} can't be noted down, so it was not made,`,
        path,
        DATA_FOLDER,
      )
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

/** An intent that stays, or stays unmarked, costs a later run a look at most: the label goes first. */
function attempt(change: () => void): void {
  try {
    change()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}
