import { AppError, isOfKind, quotedWord } from '../errors.ts'
import type { LabelRequest, LabelSet, LabelUpdate, OldLabelRequest } from '../wire/labels.ts'
import { at, textOf } from '../wire/raw.ts'
import { ContainerError, readRecord, type SpecDeviations } from '../wire/read.ts'
import { labelSetShape } from '../wire/shapes.ts'
import type { LookupResult } from '../wire/tracking/history.ts'
import type { Http } from './http/client.ts'
import type { AnswerOwner } from './http/desync-guard.ts'
import type { AnswerFailure } from './http/error-map.ts'
import { listIn, readAnswer, recordIn } from './resource.ts'
import {
  type Accepted,
  ownerInText,
  PAUSES_AFTER_TIMEOUT_MS,
  readAcknowledgement,
  recovered,
  settledWrite,
} from './settle.ts'

export interface MadeLabels {
  set: LabelSet
  /** `recovered`: found by a lookup after an unclear answer. */
  outcome: 'created' | 'existing' | 'recovered'
  /** Number of the shipment's label sets; 0 if the set was found under another id. */
  sets: number
  /** True if an earlier request of the same purchase may have made a label, too. */
  isRepeated?: boolean
}

/** Labels that a shipment had before a purchase. */
interface KnownLabels {
  sets: number
  codes: readonly string[]
}

interface CreateOptions {
  /** Chooses an existing label instead of a new one. Default: the newest. */
  existing?: (own: readonly LabelSet[]) => Promise<LabelSet | undefined>
  beforeSend?: (known: KnownLabels) => Promise<void>
  /** Stops further attempts, not the request under way. */
  noRepeat?: AbortSignal
}

interface LabelsApiOptions {
  deviations: SpecDeviations
  shop?: string
  sleep: (ms: number) => Promise<void>
}

export type LabelsApi = ReturnType<typeof createLabelsApi>

const PATH = '/shipping_labels'
const MAX_BYTES = 48 * 2 ** 20

function ownerByShipment(id: string) {
  return ({ body, text }: AnswerFailure): AnswerOwner => {
    const ids = [body].flat().flatMap((set) => String(at(set, 'clientShipmentId') ?? '') || [])
    if (ids.length === 0) return ownerInText(text, id)
    return ids.some((one) => isSameId(one, id)) ? 'own' : 'other'
  }
}

/** Normalises a shipment's id, whose case platforms may change. */
export function shipmentKey(id: string): string {
  return id.trim().toUpperCase()
}

function isSameId(shown: string, id: string) {
  return shipmentKey(shown) === shipmentKey(id)
}

function createLabelReader(http: Http, { deviations, shop }: LabelsApiOptions) {
  const readSet = (body: unknown): LabelSet => {
    const set = readRecord(labelSetShape, recordIn(body), 'labels[]', deviations)
    if (Array.isArray(set.shippingLabels)) return set
    throw new ContainerError('an object with a list under "shippingLabels"', 'none there')
  }

  /** An answer without a label does not prove that one was made. */
  const readMade = (body: unknown, id: string): LabelSet => {
    const set = readSet(body)
    const shown = String(set.clientShipmentId ?? id)
    if (!isSameId(shown, id)) throw new ContainerError(`a label of ${id}`, `one of ${shown}`)
    if (set.shippingLabels.length > 0) return set
    throw new ContainerError('a label under "shippingLabels"', 'an empty list')
  }

  /** Returns label sets, oldest first. @throws AppError `not-found` */
  const get = async (id: string, ofShop: string | null = null): Promise<LabelSet[]> => {
    const query = { client_shipment_id: id, shopCode: ofShop ?? shop }
    const answer = await http.request({
      method: 'GET',
      path: PATH,
      query,
      maxBytes: MAX_BYTES,
      ownerOf: ownerByShipment(id),
    })
    const sets = readAnswer(answer, (body) => listIn(body, readSet))
    // The service may ignore the parameter: never adopt another shipment's label.
    const own = sets.filter((set) => isSameId(String(set.clientShipmentId ?? id), id))
    if (own.length > 0) return own
    throw new AppError('not-found', `The shipment ${id} has no label`, { status: answer.status })
  }

  const find = async (id: string, ofShop?: string | null): Promise<LabelSet[]> => {
    try {
      return await get(id, ofShop)
    } catch (error) {
      if (isNoLabel(error)) return []
      throw error
    }
  }

  return { readMade, get, find }
}

export function createLabelsApi(http: Http, options: LabelsApiOptions) {
  const { sleep, deviations } = options
  const { readMade, get, find } = createLabelReader(http, options)

  return {
    get,
    find,

    /** Takes an existing label or makes one. Looks the label up after an unclear answer. */
    async create(request: LabelRequest | OldLabelRequest, choices: CreateOptions = {}): Promise<MadeLabels> {
      const id = request.clientShipmentId
      const lookUp = () => find(id, request.shopCode)
      const before = await lookUp()
      const { existing = async () => before.at(-1), beforeSend, noRepeat } = choices
      const found = await existing(before)
      if (found) return { set: found, outcome: 'existing', sets: before.length }
      const known = { sets: before.length, codes: before.flatMap(codesOf) }
      let isRepeated = false
      return http.write<MadeLabels>(
        { method: 'POST', path: PATH, body: request, maxBytes: MAX_BYTES, ownerOf: ownerByShipment(id) },
        {
          noRepeat,
          before: async () => beforeSend?.(known),
          read: (answer) => ({
            set: readAnswer(answer, (body) => readMade(body, id)),
            outcome: 'created',
            sets: before.length + 1,
            isRepeated,
          }),
          lookUp: async (error) => {
            const shop = request.shopCode ? ` --shop ${quotedWord(request.shopCode)}` : ''
            const what = `the label of ${id} was made`
            const hints = [
              `in a minute, see whether it is there: rma labels get ${quotedWord(id)}${http.targetFlags}${shop}`,
              'the next run waits for the label, which is saved and not made twice',
            ]
            // The carrier may still be processing the request.
            const inDoubt = { error, what, hints, sleep, pauses: PAUSES_AFTER_TIMEOUT_MS, mayApplyLate: true }
            const seen = await settledWrite(inDoubt, async () => {
              const now = await lookUp()
              return now.findLast((set) => isNewSet(set, now.length, known)) ?? 'not-happened'
            })
            if (seen) return { set: seen, outcome: 'recovered', sets: before.length + 1, isRepeated }
            isRepeated = true
            return undefined
          },
        },
      )
    },

    /**
     * Spec §4.4. An unclear answer is settled by `lookUp`.
     * @param again called before each further attempt; a throw prevents it
     */
    update: (
      body: LabelUpdate,
      lookUp: () => Promise<LookupResult>,
      again: () => Promise<void>,
    ): Promise<Accepted> =>
      http.write<Accepted>(
        { method: 'PUT', path: PATH, body, ownerOf: ({ text }) => ownerInText(text, body.shipmentId) },
        {
          before: async (attempt) => (attempt > 1 ? again() : undefined),
          read: (answer) => ({ ...readAcknowledgement(answer, deviations), outcome: 'accepted' }),
          lookUp: async (error) => {
            const hints = [
              `see what it has now: rma labels get ${quotedWord(body.shipmentId)}${http.targetFlags}`,
              'an update sets values and adds nothing: it may be sent again as it is',
            ]
            const inDoubt = {
              error,
              what: `${body.shipmentId} was updated`,
              hints,
              sleep,
              mayApplyLate: true,
            }
            const seen = await settledWrite(inDoubt, lookUp)
            return seen && recovered()
          },
        },
      ),
  }
}

function isNoLabel(error: unknown) {
  if (!isOfKind(error, 'not-found')) return false
  const codes = error.details.map(({ code }) => code)
  return error.status === 200 || (codes.length > 0 && !codes.includes('NF01'))
}

export function codesOf({ shippingLabels }: LabelSet): string[] {
  return shippingLabels.flatMap((label) => textOf(label?.carrierTrackingCode) ?? [])
}

/** False for the set of an update, whose tracking codes are known or missing. @param sets present number of sets */
export function isNewSet(set: LabelSet, sets: number, known: KnownLabels) {
  const codes = codesOf(set)
  if (codes.length > 0) return codes.some((code) => !known.codes.includes(code))
  return known.codes.length === 0 && sets > known.sets
}
