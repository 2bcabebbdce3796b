import { FRESH_RETURN_MS } from '../../api/returns.ts'
import type { TrackingApi } from '../../api/tracking.ts'
import type { BulkRow } from '../../bulk/run/run-request.ts'
import { rethrowInterruption } from '../../errors.ts'
import { parseLabelId, returnNameIn } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import { type ActiveReturn, judgeRow, stateOf } from './plan/row-effect.ts'
import { activeReturn, nameInShop, readReturns } from './plan/shipments.ts'

/** Rows whose returns are read ahead, page by page. */
const LOOK_AHEAD_ROWS = 20_000

type Row = BulkRow<TrackingRequest>

export type RowTarget =
  | { kind: 'send'; request: TrackingRequest; transportId?: string }
  | { kind: 'skipped' | 'failed'; code: string; message: string }

interface Seen {
  /** Absent if there is no such return. */
  record: ActiveReturn | undefined
  readAt: number
}

/**
 * Rows that name a transport, by id (`R#-LU1-T4711`) or tracking number. The platform moves the active transport of a
 * return (spec §4.1), so they are sent by the return's name, and only while their transport is the active one.
 */
export class NamedTransports {
  /** Keyed by name, then by `nameInShop`. */
  readonly #seen = new Map<string, Map<string, Seen>>()

  constructor(
    private readonly tracking: () => Promise<Pick<TrackingApi, 'returns' | 'transportsOf'>>,
    private readonly now: () => number,
    private readonly isByNumber = false,
  ) {}

  /** True for rows whose return must be read before they are sent. */
  concerns({ shipmentId }: TrackingRequest): boolean {
    return this.isByNumber || parseLabelId(shipmentId) !== undefined
  }

  /** Reads the returns of rows before it yields them. */
  async *ahead(
    batches: AsyncIterable<readonly Row[]>,
    hasEnded: (ordinal: number) => boolean,
  ): AsyncGenerator<readonly Row[]> {
    let held: (readonly Row[])[] = []
    let rows = 0
    let ordinal = 0
    let named: TrackingRequest[] = []
    for await (const batch of batches) {
      for (const { value, skip } of batch) {
        if (!skip && !hasEnded(ordinal) && this.concerns(value)) named.push(value)
        ordinal += 1
      }
      if (named.length === 0) {
        yield batch
        continue
      }
      held.push(batch)
      rows += batch.length
      if (rows < LOOK_AHEAD_ROWS) continue
      await this.#readAll(named)
      yield* held
      held = []
      rows = 0
      named = []
    }
    if (named.length > 0) await this.#readAll(named)
    yield* held
  }

  /** @throws AppError if the platform can't be asked */
  async target(request: TrackingRequest): Promise<RowTarget> {
    const { shipmentId, shopCode } = request
    if (this.isByNumber) return this.#targetByNumber(request)
    const labelId = parseLabelId(shipmentId)
    if (labelId === undefined) return { kind: 'send', request }
    const { name, transportId } = labelId
    const record = await this.#find(name, shopCode)
    if (record?.active.id === transportId)
      return { kind: 'send', request: { ...request, shipmentId: name }, transportId }
    // The whole id may be the name of a return; if not, the platform refuses the row.
    if (record === undefined || (await this.#find(shipmentId, shopCode))) return { kind: 'send', request }
    const { transportsOf } = await this.tracking()
    const state = stateOf(record, await transportsOf(record))
    const { verdict } = judgeRow(request, state, { transportId })
    const active = `the active one of ${name} is ${record.active.id ?? 'none'}`
    if (verdict === 'no-op')
      return { kind: 'skipped', code: 'KNOWN', message: `known of transport ${transportId}; ${active}` }
    // The order of the states decides if there are no events.
    if (verdict === 'stale' || (verdict === 'backward' && !state.known))
      return {
        kind: 'skipped',
        code: 'OLDER',
        message: `older than what is known of transport ${transportId}; ${active}`,
      }
    return { kind: 'failed', code: 'ENDED', message: `transport ${transportId} has ended; ${active}` }
  }

  async #targetByNumber(request: TrackingRequest): Promise<RowTarget> {
    const { shipmentId, shopCode, trackingNumber } = request
    const { active } = (await this.#find(shipmentId, shopCode)) ?? {}
    const number = active?.carrierReference
    if (trackingNumber && number === trackingNumber) return { kind: 'send', request }
    const message = `the active transport of ${shipmentId} has ${number ? `the number ${number}` : 'no number'} now, not ${trackingNumber}`
    return { kind: 'failed', code: 'MOVED', message }
  }

  /** Forces the return to be read again: another transport may be active now. */
  forget({ shipmentId }: TrackingRequest) {
    this.#seen.delete(returnNameIn(shipmentId))
  }

  async #find(name: string, shopCode: string | null | undefined) {
    const key = nameInShop(name, shopCode)
    const seen = this.#seen.get(name)?.get(key)
    if (seen && this.now() - seen.readAt < FRESH_RETURN_MS) return seen.record
    await this.#read([{ name, shopCode }])
    return this.#seen.get(name)?.get(key)?.record
  }

  async #readAll(rows: readonly TrackingRequest[]) {
    const now = this.now()
    for (const [name, shops] of this.#seen)
      if ([...shops.values()].some(({ readAt }) => now - readAt >= FRESH_RETURN_MS)) this.#seen.delete(name)
    try {
      await this.#read(
        rows.map(({ shipmentId, shopCode }) => ({ name: returnNameIn(shipmentId), shopCode, shipmentId })),
      )
    } catch (error) {
      // `target` reads the returns that are missing.
      rethrowInterruption(error)
    }
  }

  /** Also looks for returns whose name is the whole id. */
  async #read(wanted: readonly { name: string; shopCode: string | null | undefined; shipmentId?: string }[]) {
    const readAt = this.now()
    const fresh = new Map<string, Seen>()
    for (const { name, shipmentId = name, shopCode } of wanted)
      for (const one of [name, shipmentId])
        fresh.set(nameInShop(one, shopCode), { record: undefined, readAt })
    const names = new Set(wanted.map(({ name }) => name))
    const { returns } = await this.tracking()
    const isWhole = await readReturns(returns, names, (sent) => {
      const { id, createdAt, status } = sent
      const record = activeReturn(sent) ?? { id, createdAt, status, active: {} }
      for (const key of [nameInShop(sent.name, undefined), nameInShop(sent.name, sent.shopCode)]) {
        const seen = fresh.get(key)
        if (seen) seen.record ??= record
      }
    })
    for (const [key, seen] of fresh) {
      const [name = ''] = key.split('\0', 1)
      if (!isWhole && !names.has(name)) continue
      const shops = this.#seen.get(name) ?? new Map<string, Seen>()
      this.#seen.set(name, shops.set(key, seen))
    }
  }
}
