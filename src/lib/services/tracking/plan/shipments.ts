import { crc32 } from 'node:zlib'
import pMap, { pMapIterable } from 'p-map'
import { MAX_PAGE_SIZE } from '../../../api/paginate.ts'
import { LOOKUP_LIMITS } from '../../../api/resource.ts'
import type { ReturnsApi } from '../../../api/returns.ts'
import type { TrackingApi } from '../../../api/tracking.ts'
import { isRecord } from '../../../wire/raw.ts'
import { fitted } from '../../../wire/read.ts'
import { parseLabelId } from '../../../wire/return-names.ts'
import type { Return } from '../../../wire/returns.ts'
import { returnShape } from '../../../wire/shapes.ts'
import type { TrackingRequest } from '../../../wire/tracking.ts'
import {
  type ActiveReturn,
  isSent,
  judgeRow,
  type RowVerdict,
  type ShipmentState,
  stateOf,
} from './row-effect.ts'

/** Lookups that cost as much as a page of 500. */
const LOOKUPS_PER_PAGE = 10

type Named = Pick<TrackingRequest, 'shipmentId' | 'shopCode'>

interface Shipment {
  record: ActiveReturn
  rows: number
  state: ShipmentState | undefined
  hasFingerprint: boolean
}

export function nameInShop(name: string, shopCode: string | null | undefined): string {
  return shopCode ? `${name}\0${shopCode}` : name
}

export class Shipments {
  readonly #wanted = new Map<string, number>()
  readonly #found = new Map<string, Shipment>()

  constructor(private readonly returns: ReturnsApi) {}

  get size(): number {
    return this.#wanted.size
  }

  want({ shipmentId, shopCode }: Named) {
    const labelId = parseLabelId(shipmentId)
    for (const name of labelId ? [shipmentId, labelId.name] : [shipmentId]) {
      const key = nameInShop(name, shopCode)
      this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1)
    }
  }

  async load(onProgress: (done: number) => void) {
    const names = new Set([...this.#wanted.keys()].map((key) => key.split('\0', 1)[0] ?? ''))
    await readReturns(this.returns, names, (record) => this.#take(record), onProgress)
  }

  /** Digest that changes when a transport moves. Undefined for returns that no row names. */
  fingerprintOf(row: Named): string | undefined {
    if (!this.#wanted.has(nameInShop(row.shipmentId, row.shopCode))) return undefined
    const { active } = this.#shipmentOf(row)?.record ?? {}
    if (active === undefined) return 'none'
    const { id, createdAt, status, carrierReference, carrierTrackingUrl } = active
    const shown = JSON.stringify([id, createdAt, carrierReference, carrierTrackingUrl])
    return `${status} ${crc32(shown).toString(16)}`
  }

  /** Returns the fingerprint for the first row of a return only. */
  firstFingerprintOf(row: Named): string | undefined {
    const shipment = this.#shipmentOf(row)
    if (shipment?.hasFingerprint) return undefined
    if (shipment) shipment.hasFingerprint = true
    return this.fingerprintOf(row)
  }

  async read(rows: readonly Named[], transportsOf: TrackingApi['transportsOf']) {
    const fresh = new Set<Shipment>()
    for (const row of rows) {
      const shipment = this.#shipmentOf(row)
      if (shipment && !shipment.state) fresh.add(shipment)
    }
    const reading = async (shipment: Shipment) => {
      shipment.state = stateOf(shipment.record, await transportsOf(shipment.record))
    }
    await pMap(fresh, reading, LOOKUP_LIMITS)
  }

  /** Judges the next row as if this one had been applied. */
  judge(request: TrackingRequest, isUndated: boolean, isAfterEnd = false): RowVerdict {
    const shipment = this.#shipmentOf(request)
    if (!shipment?.state) return 'missing'
    const isExact = this.#found.has(nameInShop(request.shipmentId, request.shopCode))
    const transportId = isExact ? undefined : parseLabelId(request.shipmentId)?.transportId
    const { verdict, after } = judgeRow(request, shipment.state, { transportId, isUndated })
    const isRefused = isAfterEnd && isSent(verdict)
    shipment.rows -= 1
    // Frees histories after their last row: a million take a gigabyte.
    if (shipment.rows <= 0) shipment.state = undefined
    else if (!isRefused) shipment.state = after
    return isRefused ? 'illegal' : verdict
  }

  /** Tries the whole id as a name first, then the name inside it. */
  #shipmentOf({ shipmentId, shopCode }: Named) {
    const exact = this.#found.get(nameInShop(shipmentId, shopCode))
    const labelId = exact ? undefined : parseLabelId(shipmentId)
    return labelId ? this.#found.get(nameInShop(labelId.name, shopCode)) : exact
  }

  #take(sent: Return) {
    const record = activeReturn(sent)
    if (record === undefined) return
    const { name, shopCode } = sent
    const shipment: Shipment = { record, rows: 0, state: undefined, hasFingerprint: false }
    for (const key of [name, nameInShop(name, shopCode)]) {
      const rows = this.#wanted.get(key)
      if (rows === undefined || this.#found.has(key)) continue
      shipment.rows += rows
      this.#found.set(key, shipment)
    }
  }
}

/**
 * Reads page by page or one by one, whichever costs less. The newest return of a name, which updates mean (spec §4.1),
 * comes first. @returns true if all returns were read
 */
export async function readReturns(
  returns: ReturnsApi,
  names: ReadonlySet<string>,
  take: (record: Return) => void,
  onProgress: (done: number) => void = () => {},
): Promise<boolean> {
  let done = 0
  if (names.size > LOOKUPS_PER_PAGE) {
    const { totalPages = Number.POSITIVE_INFINITY } = await returns.listPage({}, MAX_PAGE_SIZE, 1)
    if (totalPages * LOOKUPS_PER_PAGE <= names.size) {
      for await (const record of returns.list({}, { all: true })) {
        if (isRecord(record)) take(fitted(returnShape, record))
        done += 1
        if (done % MAX_PAGE_SIZE === 0) onProgress(done)
      }
      return true
    }
  }
  const find = async (name: string) => {
    const { records } = await returns.listPage({ name })
    return records.filter((record) => record.name === name)
  }
  for await (const records of pMapIterable(names, find, LOOKUP_LIMITS)) {
    for (const record of records) take(record)
    done += 1
    onProgress(done)
  }
  return false
}

/** Returns undefined without an active transport. */
export function activeReturn({
  id,
  createdAt,
  status,
  activeTransportation,
}: Return): ActiveReturn | undefined {
  if (!activeTransportation?.status) return undefined
  const { id: transportId, createdAt: since, status: now } = activeTransportation
  const { carrierReference, carrierTrackingUrl } = activeTransportation
  const active = { id: transportId, createdAt: since, status: now, carrierReference, carrierTrackingUrl }
  return { id, createdAt, status, active }
}
