import { crc32 } from 'node:zlib'
import { pMapIterable } from 'p-map'
import { LOOKUPS } from '../../../api/lookups.ts'
import type { ReturnsApi } from '../../../api/returns.ts'
import { KeyTable, longHashOf, withRoom } from '../../../bulk/rows/compact-key-table.ts'
import { fitted } from '../../../wire/fitted.ts'
import { isRecord } from '../../../wire/raw.ts'
import type { Return } from '../../../wire/returns.ts'
import { returnShape } from '../../../wire/shapes.ts'
import { parseServiceDate } from '../../../wire/time.ts'
import type { KnownState } from './row-effect.ts'

const PAGE_SIZE = 500
const FIRST_ROOM = 1024

interface Shipment {
  shipmentId: string
  shopCode?: string | null | undefined
}

function keyOf({ shipmentId, shopCode }: Shipment): string {
  return shopCode ? `${shipmentId}\0${shopCode}` : shipmentId
}

/** About 45 bytes a shipment. Asked for page by page or one by one, whichever takes fewer requests. */
export class ShipmentStates {
  readonly #names = new KeyTable()
  readonly #statuses: string[] = ['']
  /** Position of the status; 0: not there. */
  #status = new Uint8Array(FIRST_ROOM)
  #number = new Float64Array(FIRST_ROOM)
  /** Seconds since the epoch, as far as 32 bits go; 0 for not known. */
  #since = new Uint32Array(FIRST_ROOM)
  #until = new Uint32Array(FIRST_ROOM)
  /** Of the platform's own state, whatever rows make of it. */
  #print = new Uint32Array(FIRST_ROOM)
  #isAsked = new Uint8Array(FIRST_ROOM)

  constructor(private readonly returns: ReturnsApi) {}

  get size(): number {
    return this.#names.size
  }

  want(shipment: Shipment): void {
    this.#names.add(keyOf(shipment))
  }

  /** What stands for a tracking number in `KnownState`. */
  numberOf(trackingNumber: string | null | undefined): number {
    return trackingNumber ? longHashOf(trackingNumber) : 0
  }

  /** Undefined if there is no such return, or nothing under way for it. */
  get(shipment: Shipment): KnownState | undefined {
    const at = this.#names.find(keyOf(shipment))
    const status = this.#statuses[this.#status[at] ?? 0]
    if (at === -1 || !status) return undefined
    return {
      status,
      number: this.#number[at] ?? 0,
      since: this.#since[at] || undefined,
      until: this.#until[at] || undefined,
    }
  }

  /** The platform's state in short, `none` if it has none: equal as long as it is the same. Undefined if asked before. */
  firstSeen(shipment: Shipment): string | undefined {
    const at = this.#names.find(keyOf(shipment))
    if (at === -1 || this.#isAsked[at] === 1) return undefined
    this.#isAsked[at] = 1
    const status = this.#statuses[this.#status[at] ?? 0]
    return status ? `${status} ${(this.#print[at] ?? 0).toString(16)}` : 'none'
  }

  set(shipment: Shipment, { status, number, since, until }: KnownState): void {
    this.#store(this.#names.find(keyOf(shipment)), status, number, since, until)
  }

  /** `names` are the wanted ones once more: they are not kept. */
  async load(
    names: () => AsyncIterable<readonly string[]>,
    onProgress: (done: number) => void,
  ): Promise<void> {
    const size = this.#names.size
    this.#status = withRoom(this.#status, size)
    this.#number = withRoom(this.#number, size)
    this.#since = withRoom(this.#since, size)
    this.#until = withRoom(this.#until, size)
    this.#print = withRoom(this.#print, size)
    this.#isAsked = withRoom(this.#isAsked, size)
    const first = await this.returns.listPage({}, PAGE_SIZE, 1)
    const pages = Number(first.pageInfo?.totalPages ?? Number.POSITIVE_INFINITY)
    let done = 0
    if (pages <= size) {
      // Newest first: of several returns of one name, the first to come is the last made (spec §4.1).
      for await (const record of this.returns.list({}, { all: true })) {
        if (isRecord(record)) this.#take(fitted(returnShape, record))
        done += 1
        if (done % PAGE_SIZE === 0) onProgress(done)
      }
      return
    }
    const asked = new KeyTable()
    for await (const batch of names()) {
      const fresh = batch.filter((name) => asked.add(name).isNew)
      for await (const records of pMapIterable(fresh, (name) => this.#find(name), LOOKUPS)) {
        for (const record of records) this.#take(record)
        done += 1
        onProgress(done)
      }
    }
  }

  async #find(name: string): Promise<readonly Return[]> {
    return (await this.returns.listPage({ name })).records.filter((record) => record.name === name)
  }

  #take(record: Return): void {
    const { activeTransportation: transport, name: shipmentId, shopCode } = record
    if (!transport?.status || !shipmentId) return
    const { status, carrierReference, carrierTrackingUrl, createdAt } = transport
    for (const shipment of [{ shipmentId }, { shipmentId, shopCode }]) {
      const at = this.#names.find(keyOf(shipment))
      if (at === -1 || this.#status[at] !== 0) continue
      const updated = seconds(record.updatedAt)
      this.#print[at] = crc32(JSON.stringify([transport.id, createdAt, carrierReference, carrierTrackingUrl]))
      this.#store(at, status, this.numberOf(carrierReference), seconds(createdAt), updated)
    }
  }

  #store(
    at: number,
    status: string,
    number: number,
    since: number | undefined,
    until: number | undefined,
  ): void {
    let index = this.#statuses.indexOf(status)
    if (index === -1) index = this.#statuses.push(status) - 1
    this.#status[at] = index
    this.#number[at] = number
    this.#since[at] = asUint32(since)
    this.#until[at] = asUint32(until)
  }
}

function asUint32(seconds = 0): number {
  return Math.min(Math.max(seconds, 0), 0xffffffff)
}

function seconds(date: string | null | undefined): number | undefined {
  const ms = parseServiceDate(date ?? '')
  return ms === undefined ? undefined : Math.floor(ms / 1000)
}
