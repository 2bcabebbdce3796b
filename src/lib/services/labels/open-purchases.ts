import pMap from 'p-map'
import type { LabelsApi } from '../../api/labels.ts'
import { LOOKUPS } from '../../api/resource.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { existingSet } from './find-label.ts'
import type { PurchaseIntent, PurchaseIntents } from './purchase-intents.ts'
import type { LabelOrder } from './requests.ts'

export interface OpenPurchaseOptions {
  context: Context
  labels: LabelsApi
  intents: PurchaseIntents
  another: boolean
  /** Buys where no label has appeared, instead of asking. */
  buysAfterUnknown: boolean
}

/** Time in which a label appears after its request, unless twice the time-out of that request is longer. */
const APPEARS_MS = 120_000
const PAUSES_MS = [1000, 2000, 4000, 8000]
const LAST_PAUSE_MS = 10_000

/** Purchases of earlier runs whose outcome nobody knows: waits for their labels, and says which label is there. */
export class OpenPurchases {
  /** The intents after which another purchase is allowed, by shipment: when they were written. */
  readonly #released = new Map<string, number>()

  constructor(private readonly options: OpenPurchaseOptions) {}

  /** Waits for the labels of all open purchases together; then asks on a terminal. */
  async settle(orders: readonly LabelOrder[]): Promise<void> {
    const { buysAfterUnknown, context, intents } = this.options
    const open = await this.#waitFor(await intents.among(orders, idOf))
    context.progress.stop()
    if (open.length === 0 || !(buysAfterUnknown || (await this.#isConfirmed(open)))) return
    for (const { intent } of open) this.#released.set(intent.clientShipmentId, intent.at)
  }

  /**
   * The label to take; undefined: one is to be bought. The caller holds the shipment's lock.
   * @throws AppError `unknown` if an earlier purchase is open
   */
  async existing(own: readonly LabelSet[], order: LabelOrder): Promise<LabelSet | undefined> {
    const { context, intents, labels } = this.options
    const { clientShipmentId: id, shopCode } = order.request
    const found = await this.#take(own, order)
    const intent = intents.read(id)
    if (found || !intent || this.#released.get(id) === intent.at) return found
    // It may be of a run that began after this one and was killed.
    if ((await this.#waitFor([order])).length === 0) {
      const later = await this.#take(await labels.find(id, shopCode), order)
      if (later) return later
    }
    const when = new Date(intent.at).toISOString()
    const get = await context.shellLine(['labels', 'get', id], shopCode ?? undefined)
    throw new AppError(
      'unknown',
      `It is not known whether the label of ${id} was made: it was asked for at ${when}, and has not appeared.`,
      {
        hints: [
          `in a minute, see whether it is there: ${get}`,
          'if the carrier has none either, buy one: the same command with --buy-after-unknown',
        ],
      },
    )
  }

  /** Looks at once and again until all have had their time. Returns those that are still open. */
  async #waitFor(orders: readonly LabelOrder[]): Promise<OpenPurchase[]> {
    const { context } = this.options
    const { io, progress } = context
    let open = await this.#stillOpen(orders)
    const until = Math.max(...open.map(({ intent }) => endOf(intent, io.now())))
    const left = () => `${Math.ceil((until - io.now()) / 1000)} s`
    for (let look = 0; open.length > 0 && io.now() < until; look++) {
      if (look === 0)
        await context.note(
          `Another run may have bought ${labelsOf(open)}: looking for ${left()} before any is bought`,
        )
      progress.start(`Looking for ${counted(open.length, 'label')} of another run: ${left()} left`)
      const pauseMs = PAUSES_MS[look] ?? LAST_PAUSE_MS
      await io.pause(Math.min(pauseMs, until - io.now()), io.interrupt)
      context.assertNotInterrupted()
      open = await this.#stillOpen(open.map(({ order }) => order))
    }
    return open
  }

  async #take(own: readonly LabelSet[], order: LabelOrder): Promise<LabelSet | undefined> {
    const { intents } = this.options
    const intent = intents.read(idOf(order))
    const found = await this.#found(own, order, intent)
    if (intent && own.length > intent.sets) intents.remove(idOf(order))
    return found
  }

  async #isConfirmed(open: readonly OpenPurchase[]): Promise<boolean> {
    const { questions } = this.options.context
    if (!questions.canAsk) return false
    try {
      const question = `Another run has asked for ${labelsOf(open)}, and none has appeared. Buy ${counted(open.length, 'label')} all the same?`
      await questions.ask(question, 'not bought')
      return true
    } catch (error) {
      if (error instanceof AppError && error.kind === 'usage') return false
      throw error
    }
  }

  async #stillOpen(orders: readonly LabelOrder[]): Promise<OpenPurchase[]> {
    const { intents, labels } = this.options
    const looked = await pMap(
      orders,
      async (order) => {
        const { clientShipmentId: id, shopCode } = order.request
        const own = await labels.find(id, shopCode)
        // Read after the look, since the run that wrote it may be at work and come to its end meanwhile.
        const intent = intents.read(id)
        const isOpen = intent && !(await this.#found(own, order, intent))
        return isOpen ? [{ order, intent }] : []
      },
      LOOKUPS,
    )
    return looked.flat()
  }

  /** With `--another` only the label that an open purchase has made. */
  async #found(own: readonly LabelSet[], order: LabelOrder, intent: PurchaseIntent | undefined) {
    const { another, context, labels } = this.options
    const isMade = intent !== undefined && own.length > intent.sets
    return another && !isMade ? undefined : existingSet(own, order, context, labels)
  }
}

interface OpenPurchase {
  order: LabelOrder
  intent: PurchaseIntent
}

function labelsOf(open: readonly OpenPurchase[]): string {
  const [first] = open
  return open.length === 1 ? `the label of ${first?.intent.clientShipmentId}` : `${open.length} labels`
}

/** A clock that was set back must not prolong it. */
function endOf({ at, timeoutMs }: PurchaseIntent, now: number): number {
  return Math.min(at, now) + Math.max(APPEARS_MS, 2 * timeoutMs)
}

function idOf({ request }: LabelOrder): string {
  return request.clientShipmentId
}
