import { quotedWord } from '../errors.ts'
import type { SpecDeviations } from '../wire/read.ts'
import type { Return } from '../wire/returns.ts'
import {
  knownReturn,
  type LookupResult,
  proofInEvents,
  proofInTransport,
  trackingFactsOf,
} from '../wire/tracking/history.ts'
import type { TrackingRequest } from '../wire/tracking.ts'
import type { Transportation } from '../wire/transportations.ts'
import type { Http } from './http/client.ts'
import type { AnswerFailure, HttpResponse } from './http/error-map.ts'
import type { HttpRequest } from './http/request.ts'
import { transportsOfReturn } from './return-lookup.ts'
import type { ReturnsApi } from './returns.ts'
import { type Accepted, ownerInText, readAcknowledgement, recovered, settledWrite } from './settle.ts'

interface TrackingApiOptions {
  deviations: SpecDeviations
  returns: ReturnsApi
  sleep: (ms: number) => Promise<void>
}

export type TrackingApi = ReturnType<typeof createTrackingApi>

export const TRACKING_PATH = '/shipping_trackings'

export function createTrackingApi(http: Http, { deviations, returns, sleep }: TrackingApiOptions) {
  const read = (answer: HttpResponse) => readAcknowledgement(answer, deviations)

  const post = (update: TrackingRequest, onAnswer?: () => void): HttpRequest => {
    const ownerOf = (answer: AnswerFailure) => ownerInText(answer.text, update.shipmentId)
    return { method: 'POST', path: TRACKING_PATH, body: update, ownerOf, onAnswer }
  }

  const attempt = (update: TrackingRequest, onAnswer?: () => void) =>
    http.attempt(post(update, onAnswer), read)

  const lookUp = (update: TrackingRequest, transportId?: string) => lookUpUpdate(update, returns, transportId)

  return {
    attempt,
    lookUp,

    returns,

    transportsOf: (record: Pick<Return, 'id'>) => transportsOfReturn(record, returns),

    /**
     * Looks the update up after an unclear answer, and sends it again only if it was not applied.
     * @param before called before each attempt; a throw prevents it
     * @throws AppError `unknown`
     */
    push: (
      update: TrackingRequest,
      transportId?: string,
      before?: () => Promise<unknown>,
    ): Promise<Accepted> =>
      http.write<Accepted>(post(update), {
        before,
        read: (answer) => ({ ...read(answer), outcome: 'accepted' }),
        lookUp: async (error) => {
          const id = update.shipmentId
          const hints = [
            `see what the platform has: rma returns transportations ${quotedWord(id)}${http.targetFlags}`,
          ]
          const inDoubt = { error, what: `the update of ${id} was taken`, hints, sleep }
          const seen = await settledWrite(inDoubt, () => lookUp(update, transportId))
          return seen && recovered()
        },
      }),
  }
}

/** Looks up whether an update was applied. @param transportId transport that the update is about, if known */
async function lookUpUpdate(
  update: TrackingRequest,
  returns: ReturnsApi,
  transportId: string | undefined,
): Promise<LookupResult> {
  const found = await findShipment(update, returns)
  // A missing return can't have been updated.
  if (found === undefined) return 'not-happened'
  if (found === 'open') return found
  const isMeant = ({ id }: Pick<Transportation, 'id'>) => transportId === undefined || id === transportId
  const active = found.activeTransportation ?? undefined
  const isAboutActive = !active || isMeant(active)
  const listed = await transportsOfReturn(found, returns)
  // A list without the active transport is out of date.
  if (active && listed.length > 0 && !listed.some(({ id }) => id === active.id)) return 'open'
  const transports = listed.filter(isMeant)
  // The return has no such transport, so nothing can have been sent about it.
  if (listed.length > 0 && transports.length === 0 && !isAboutActive) return 'not-happened'
  const known = knownReturn(found, transports)
  if (known) {
    const proof = proofInEvents(trackingFactsOf(update), known.transports)
    // A repeat would update the active transport, which is another.
    return proof === 'not-happened' && !isAboutActive ? 'open' : proof
  }
  return isAboutActive ? proofInTransport(trackingFactsOf(update), transports, active) : 'open'
}

/** Finds the newest return of that name with an active transport (spec §4.1). */
async function findShipment(
  { shipmentId, shopCode }: TrackingRequest,
  returns: ReturnsApi,
): Promise<Return | 'open' | undefined> {
  const { records } = await returns.listPage({ name: shipmentId })
  const named = records.filter(({ name }) => name === shipmentId)
  const matches = named.filter((one) => !(shopCode && one.shopCode) || one.shopCode === shopCode)
  // The filter may be ignored.
  if (matches.length === 0 && records.length > 0) return 'open'
  // Records without a shop may belong to several.
  if (shopCode && matches.length > 1 && matches.some((one) => !one.shopCode)) return 'open'
  return matches.find(({ activeTransportation }) => activeTransportation) ?? matches[0]
}
