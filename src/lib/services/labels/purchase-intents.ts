import { hash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { isNewSet } from '../../api/labels.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { makeDataFolder } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { appError, causedBy, errorCode, quotedWord } from '../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../files/file-failure.ts'
import { withLock } from '../../files/lock.ts'
import { replaceFile, syncFolder } from '../../files/temporary-file.ts'
import { jsonOrUndefined } from '../../wire/json.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { at } from '../../wire/raw.ts'
import type { WantedLabel } from './requests.ts'

/** Longer than a purchase with all retries and look-ups. */
const WAIT_MS = 300_000

export async function openShipmentLock(context: Context) {
  const { dataDir, lockDir } = context.paths
  await (lockDir === join(dataDir, 'locks') ? makeDataFolder(lockDir) : assertShared(lockDir))
  const { interrupt: signal } = context.io
  return async <T>(id: string, action: () => Promise<T>): Promise<T> => {
    const path = join(lockDir, `label-${hash('sha256', id).slice(0, 32)}.lock`)
    const wait = { what: `The label of ${id}`, waitMs: WAIT_MS, kind: 'usage', signal } as const
    let isHeld = false
    try {
      return await withLock(path, wait, () => {
        isHeld = true
        return action()
      })
    } catch (error) {
      if (isHeld) throw error
      context.assertNotInterrupted()
      throw fileFailure(error, `The lock of ${id} can't be made`, path, DATA_FOLDER)
    }
  }
}

/** Refuses a folder where everybody could hold or remove locks. */
async function assertShared(folder: string) {
  const quoted = quotedWord(folder)
  const refused = (what: string, cause?: unknown) =>
    causedBy(
      cause,
      'config',
      `RMA_LOCK_DIR: ${what}.`,
      `one for a group of users: mkdir -p ${quoted} && chgrp GROUP ${quoted} && chmod 2770 ${quoted}`,
    )
  const found = await lstat(folder).catch((cause: unknown) => {
    throw refused(`${folder} is not a folder (${errorCode(cause)})`, cause)
  })
  if (!found.isDirectory()) throw refused(`${folder} is not a folder`)
  // Windows lacks these modes.
  if (process.getuid && (found.mode & 0o002) !== 0) throw refused(`everybody may write into ${folder}`)
}

/** Prefix of a buyer whose shop is unknown. */
const UNSURE = '?'

const intentSchema = z.object({
  clientShipmentId: z.string(),
  /** Epoch milliseconds of the request. */
  at: z.number(),
  timeoutMs: z.number(),
  /** Number of label sets that the shipment had before, and their tracking codes. */
  sets: z.number(),
  codes: z.array(z.string()).readonly().default([]),
  /** Shop, or `?` and the token's owner. Earlier versions wrote neither this nor codes. */
  buyer: z.string().default(UNSURE),
  /** Absent for the built-in sandbox. */
  baseUrl: z.string().optional(),
})

export type PurchaseIntent = z.infer<typeof intentSchema>
type Request = WantedLabel['request']

/** Other users of a shared folder read the file; it holds nothing personal. */
const MODE = 0o644

/**
 * Purchases whose label is not saved yet. Each shipment id has a file with a line per shop and platform, written under
 * the shipment's lock: beside the locks, and in the data folder for runs without `RMA_LOCK_DIR`.
 */
export class PurchaseIntents {
  private constructor(
    private readonly context: Context,
    private readonly pathsOf: (clientShipmentId: string) => string[],
    private readonly settings: Settings,
  ) {}

  /** Paths ignore shop and address, as the same platform may be reached through a tunnel. */
  static async open(context: Context): Promise<PurchaseIntents> {
    const settings = await context.settingsWithToken()
    const { dataDir, lockDir } = context.paths
    const own = join(dataDir, 'locks')
    await makeDataFolder(own)
    const pathsOf = (id: string) => {
      const key = hash('sha256', JSON.stringify([settings.isSandbox ? dataDir : 'remote', id]))
      return [...new Set([lockDir, own])].map((folder) => join(folder, `label-${key.slice(0, 32)}.intent`))
    }
    return new PurchaseIntents(context, pathsOf, settings)
  }

  /** Returns the latest purchase that may be of the same shop, at any address. */
  read(request: Request): PurchaseIntent | undefined {
    const buyer = this.#buyerOf(request)
    return this.#all(request).findLast((intent) => !isOfOtherShop(intent, buyer))
  }

  /** True if the purchase surely made this set. @param sets number of the shipment's sets by now */
  hasMade(request: Request, set: LabelSet, sets: number) {
    const intent = this.#all(request).findLast((one) => this.#isOwn(one, request))
    return intent !== undefined && isNewSet(set, sets, intent)
  }

  /** Writes and syncs an intent, replacing all that may be of the same shop at this address. */
  async write(request: Request, known: Pick<PurchaseIntent, 'sets' | 'codes'>) {
    const { clientShipmentId } = request
    const { baseUrl, timeoutMs } = this.settings
    const [at, buyer] = [this.context.io.now(), this.#buyerOf(request)]
    const intent = {
      clientShipmentId,
      at,
      timeoutMs: timeoutMs.value,
      ...known,
      buyer,
      baseUrl: baseUrl?.value,
    }
    const isOther = (one: PurchaseIntent) => isOfOtherShop(one, buyer) || !this.#isHere(one.baseUrl)
    try {
      await this.#change(clientShipmentId, (intents) => [...intents.filter(isOther), intent])
    } catch (error) {
      // The next run must not wait for a label that nobody asked for.
      await this.#change(clientShipmentId, (intents) => intents.filter((one) => one.at !== at)).catch(
        () => {},
      )
      const doing = `The purchase of ${clientShipmentId} can't be noted down, so it was not made,`
      throw fileFailure(error, doing, this.pathsOf(clientShipmentId)[0] ?? '', DATA_FOLDER)
    }
  }

  /** Removes the shop's intent. If that fails, a later run saves the label again. */
  async remove(request: Request) {
    try {
      await this.#change(request.clientShipmentId, (intents) =>
        intents.filter((intent) => !this.#isOwn(intent, request)),
      )
    } catch (error) {
      if (errorCode(error) === undefined) throw error
    }
  }

  async #change(id: string, change: (intents: readonly PurchaseIntent[]) => readonly PurchaseIntent[]) {
    for (const path of this.pathsOf(id)) {
      const intents = change(intentsIn(path, id))
      if (intents.length === 0) rmSync(path, { force: true })
      else {
        await replaceFile(path, intents.map((intent) => `${JSON.stringify(intent)}\n`).join(''), MODE)
        await syncFolder(dirname(path))
      }
    }
  }

  #all({ clientShipmentId: id }: Request) {
    return this.pathsOf(id)
      .flatMap((path) => intentsIn(path, id))
      .sort((one, other) => one.at - other.at)
  }

  #isOwn({ buyer, baseUrl }: PurchaseIntent, request: Request) {
    return buyer === this.#buyerOf(request) && this.#isHere(baseUrl)
  }

  /** Earlier versions noted no address. */
  #isHere(baseUrl: string | undefined) {
    return baseUrl === undefined || baseUrl === this.settings.baseUrl?.value
  }

  #buyerOf({ shopCode }: Request) {
    const { shops, owner = `of ${shops}` } = merchantOf(this.settings)
    return shopCode ?? (shops.length === 1 ? shops[0] : undefined) ?? `${UNSURE}${owner}`
  }
}

function isOfOtherShop({ buyer }: PurchaseIntent, other: string) {
  return buyer !== other && !buyer.startsWith(UNSURE) && !other.startsWith(UNSURE)
}

function intentsIn(path: string, id: string): PurchaseIntent[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw fileFailure(error, `The purchase of ${id} can't be read`, path, DATA_FOLDER)
  }
  return text.split('\n').flatMap((line) => {
    const value = jsonOrUndefined(line)
    // An unfinished line means that nothing was sent. Earlier versions added one with an outcome.
    if (value === undefined || at(value, 'outcome') !== undefined) return []
    const { success, data } = intentSchema.safeParse(value)
    if (success) return data
    throw appError('config', `${path} is not what rma wrote.`, 'update rma')
  })
}
