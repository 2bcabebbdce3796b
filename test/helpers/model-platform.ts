import fc from 'fast-check'
import type { MirrorSource } from '../../src/lib/mirror/sync/details.ts'
import type { PageQuery, SourcePage } from '../../src/lib/walk/page-source.ts'
import type { Return } from '../../src/lib/wire/returns.ts'
import { formatServiceDate, parseServiceDate } from '../../src/lib/wire/time.ts'

/** Differences between a platform and the sandbox. */
export interface ModelQuirks {
  ignoresUpdatedFrom?: boolean
  ignoresCreated?: boolean
  /** True if answers are unsorted. */
  isUnsorted?: boolean
  tellsNoTime?: boolean
}

const START_MS = Date.parse('2026-04-01T00:00:00Z')

/** A platform backed by a list of returns, with time and events advancing between requests. */
export class ModelPlatform implements MirrorSource {
  returns: Return[] = []
  nowMs = START_MS
  requests: PageQuery[] = []
  sandboxId: string | undefined
  /** Called before each answer. */
  happening: (requests: number) => void = () => {}
  readonly quirks: ModelQuirks
  #made = 0

  constructor(quirks: ModelQuirks = {}) {
    this.quirks = quirks
  }

  add(more: Partial<Return> = {}): Return {
    this.#made += 1
    const now = formatServiceDate(this.nowMs, 'UTC')
    const id = `${1000 + this.#made}`
    const record = {
      id,
      name: `R#-${id}`,
      shopCode: 'MODEL',
      createdAt: now,
      updatedAt: now,
      customer: { fullName: `Customer ${id}`, email: `c${id}@example.com` },
      ecommerceOrder: { id: `O${id}` },
      returnLineItems: [],
      ...more,
    } as unknown as Return
    this.returns.push(record)
    return record
  }

  change(index: number): void {
    const at = index % Math.max(1, this.returns.length)
    const before = this.returns[at]
    if (before === undefined) return
    const totalTax = Number(before.totalTax ?? 0) + 1
    this.returns[at] = { ...before, totalTax, updatedAt: formatServiceDate(this.nowMs, 'UTC') }
  }

  delete(index: number): void {
    if (this.returns.length > 0) this.returns.splice(index % this.returns.length, 1)
  }

  async page(query: PageQuery): Promise<SourcePage> {
    this.requests.push(query)
    this.happening(this.requests.length)
    const { ignoresUpdatedFrom, ignoresCreated, isUnsorted, tellsNoTime } = this.quirks
    const {
      createdFromMs = 0,
      createdToMs = Number.POSITIVE_INFINITY,
      updatedFromMs = 0,
      updatedToMs = Number.POSITIVE_INFINITY,
      limit,
      page,
    } = query
    const matching = this.returns.filter((one) => {
      const [created, updated] = [ms(one.createdAt), ms(one.updatedAt)]
      const isCreated = ignoresCreated || (created >= createdFromMs && created <= createdToMs)
      return isCreated && (ignoresUpdatedFrom || (updated >= updatedFromMs && updated <= updatedToMs))
    })
    const key = (one: Return) => (isUnsorted ? [...String(one.id)].reverse().join('') : '')
    matching.sort(
      (one, other) =>
        key(one).localeCompare(key(other)) ||
        ms(other.createdAt) - ms(one.createdAt) ||
        Number(one.id) - Number(other.id),
    )
    return {
      records: structuredClone(matching.slice((page - 1) * limit, page * limit)),
      totalRecords: matching.length,
      nowMs: tellsNoTime ? undefined : this.nowMs,
      sandboxId: this.sandboxId,
    }
  }

  async transportations() {
    return []
  }

  async refunds() {
    return []
  }
}

function ms(date: string | null | undefined): number {
  return parseServiceDate(date ?? '') ?? Number.NaN
}

/** Events before an answer. */
export const eventAfter = (seconds: fc.Arbitrary<number>) =>
  fc.record({
    seconds,
    added: fc.nat(3),
    changed: fc.array(fc.nat(), { maxLength: 2 }),
    deleted: fc.array(fc.nat(), { maxLength: 1 }),
  })

interface Happening {
  seconds: number
  added: number
  changed: number[]
  deleted: number[]
}

/** An answer before which nothing happens. */
export const NOTHING: Happening = { seconds: 0, added: 0, changed: [], deleted: [] }

/** A platform of returns made at these gaps in seconds. One of the events happens before each answer. */
export function eventfulPlatform(quirks: ModelQuirks, gaps: readonly number[], events: readonly Happening[]) {
  const platform = new ModelPlatform(quirks)
  for (const gap of gaps) {
    platform.nowMs += gap * 1000
    platform.add()
  }
  platform.happening = (request) => {
    const { seconds = 0, added = 0, changed = [], deleted = [] } = events[request - 1] ?? {}
    platform.nowMs += seconds * 1000
    for (let one = 0; one < added; one += 1) platform.add()
    for (const index of changed) platform.change(index)
    for (const index of deleted) platform.delete(index)
  }
  return platform
}
