import pMap from 'p-map'
import type { LabelsApi, MadeLabels } from '../../api/labels.ts'
import { LOOKUP_LIMITS } from '../../api/resource.ts'
import type { Context } from '../../cli/context.ts'
import { appError, unless } from '../../errors.ts'
import { hasFiles, newestLabels } from '../../labels/folder/served-labels.ts'
import { counted } from '../../wire/counted.ts'
import type { LabelSet } from '../../wire/labels.ts'
import type { PurchaseIntent, PurchaseIntents } from './purchase-intents.ts'
import type { WantedLabel } from './requests.ts'
import { existingSet } from './return-parcel.ts'

interface OpenPurchaseOptions {
  context: Context
  labels: LabelsApi
  intents: PurchaseIntents
  another: boolean
  buysAfterUnknown: boolean
}

interface OpenPurchase {
  wanted: WantedLabel
  intent: PurchaseIntent
}

/** Minimum wait for a label. Twice its request's time-out if longer. */
const MIN_WAIT_MS = 120_000
const PAUSES_MS = [1000, 2000, 4000, 8000]
const LAST_PAUSE_MS = 10_000

/** Waits for labels of purchases whose outcome is unknown. */
export class OpenPurchases {
  /** Times of intents that no longer block a purchase, by shipment. */
  readonly #released = new Map<string, number>()

  constructor(private readonly options: OpenPurchaseOptions) {}

  async settle(wanted: readonly WantedLabel[]) {
    const { buysAfterUnknown, context, intents } = this.options
    const open = await this.#waitFor(wanted.filter(({ request }) => intents.read(request)))
    context.progress.stop()
    if (open.length === 0 || !(buysAfterUnknown || (await this.#isConfirmed(open)))) return
    for (const { intent } of open) this.#released.set(intent.clientShipmentId, intent.at)
  }

  /**
   * Returns the existing label, or undefined to buy one. The caller holds the shipment's lock.
   * @throws AppError `unknown` if the outcome of an earlier purchase is unknown
   */
  async existing(own: readonly LabelSet[], wanted: WantedLabel): Promise<LabelSet | undefined> {
    const { context, intents, labels } = this.options
    const { clientShipmentId: id, shopCode } = wanted.request
    const found = await this.#find(own, wanted)
    const intent = intents.read(wanted.request)
    if (found || !intent || this.#released.get(id) === intent.at) return found
    // A later run may have written the intent and been killed.
    await this.#waitFor([wanted])
    const later = await this.#find(await labels.find(id, shopCode), wanted)
    if (later) return later
    const when = new Date(intent.at).toISOString()
    const get = await context.shellLine(['labels', 'get', id], shopCode)
    throw appError(
      'unknown',
      `It is not known whether the label of ${id} was made: it was asked for at ${when}, and has not appeared.`,
      `in a minute, see whether it is there: ${get}`,
      'if the carrier has none either, buy one: the same command with --buy-after-unknown',
    )
  }

  /** True if this run or an open purchase made the label. */
  isBought({ request }: WantedLabel, { outcome, set, sets }: MadeLabels): boolean {
    return outcome !== 'existing' || (sets > 0 && this.options.intents.hasMade(request, set, sets))
  }

  /** Forgets the purchase of a saved label. The caller holds the shipment's lock. */
  async endSaved(wanted: WantedLabel, made: MadeLabels) {
    if (this.isBought(wanted, made)) await this.options.intents.remove(wanted.request)
  }

  async #waitFor(wanted: readonly WantedLabel[]) {
    const { context } = this.options
    const { io, progress } = context
    let open = await this.#stillOpen(wanted)
    // A clock that was set back must not prolong the wait.
    const ends = open.map(
      ({ intent: { at, timeoutMs } }) => Math.min(at, io.now()) + Math.max(MIN_WAIT_MS, 2 * timeoutMs),
    )
    const until = Math.max(...ends)
    const left = () => `${Math.ceil((until - io.now()) / 1000)} s`
    for (let look = 0; open.length > 0 && io.now() < until; look++) {
      if (look === 0)
        await context.note(
          `Another run may have bought ${namesOf(open)}: looking for ${left()} before any is bought`,
        )
      progress.start(`Looking for ${counted(open.length, 'label')} of another run: ${left()} left`)
      const pauseMs = PAUSES_MS[look] ?? LAST_PAUSE_MS
      await io.pause(Math.min(pauseMs, until - io.now()), io.interrupt)
      context.assertNotInterrupted()
      open = await this.#stillOpen(open.map((one) => one.wanted))
    }
    return open
  }

  async #isConfirmed(open: readonly OpenPurchase[]) {
    const { questions } = this.options.context
    if (!questions.canAsk) return false
    const question = `Another run has asked for ${namesOf(open)}, and none has appeared. Buy ${counted(open.length, 'label')} all the same?`
    const answer = questions.ask(question, 'not bought').then(() => true)
    return (await unless(answer, 'usage')) ?? false
  }

  async #stillOpen(all: readonly WantedLabel[]) {
    const { intents, labels } = this.options
    const look = async (wanted: WantedLabel) => {
      const { clientShipmentId: id, shopCode } = wanted.request
      const own = await labels.find(id, shopCode)
      // Read after the lookup, as the run that wrote it may end meanwhile.
      const intent = intents.read(wanted.request)
      const isOpen = intent && !(await this.#find(own, wanted))
      return isOpen ? [{ wanted, intent }] : []
    }
    return (await pMap(all, look, LOOKUP_LIMITS)).flat()
  }

  /** With `--another`, finds only the label that an open purchase made, unless its missing file is given up. */
  async #find(own: readonly LabelSet[], wanted: WantedLabel) {
    const { another, buysAfterUnknown, context, intents, labels } = this.options
    if (!another) return existingSet(own, wanted, context, labels)
    const made = own.filter((set) => intents.hasMade(wanted.request, set, own.length))
    return newestLabels(buysAfterUnknown ? made.filter(hasFiles) : made)
  }
}

function namesOf(open: readonly OpenPurchase[]) {
  const [first] = open
  return open.length === 1 ? `the label of ${first?.intent.clientShipmentId}` : `${open.length} labels`
}
