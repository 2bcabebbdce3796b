import { crc32 } from 'node:zlib'
import type { FieldSpec } from './columns.ts'
import { type RowProblem, SPOILT } from './fields.ts'

const MAX_GROUPS = 1000
const DIGITS = /^\d{1,40}$/

interface Widths {
  /** 0 if the widths of padded values differ. */
  padded: number
  zeros: Set<number>
}

/**
 * Finds identifiers that lost their leading zeros. If all zero-padded values have one width, a number is suspect that
 * lacks as many digits as another has leading zeros. Evidence may come late: call `see` for every row first.
 */
export class LostZeros {
  readonly #fields: readonly string[]
  readonly #groups = new Map<string, Widths>()

  /** @param groupBy field that decides on the number format, e.g. the carrier */
  constructor(
    fields: readonly FieldSpec[],
    private readonly groupBy: string,
  ) {
    this.#fields = fields.filter(({ kind }) => kind === 'identifier').map(({ name }) => name)
  }

  see(values: Readonly<Record<string, string>>) {
    for (const field of this.#fields) {
      const value = values[field]
      if (value === undefined || value.charCodeAt(0) !== 0x30 || !DIGITS.test(value)) continue
      const group = this.#groupOf(field, values)
      const widths = this.#groups.get(group) ?? { padded: value.length, zeros: new Set() }
      if (widths.padded !== value.length) widths.padded = 0
      widths.zeros.add(value.search(/[^0]|$/))
      if (this.#groups.size < MAX_GROUPS) this.#groups.set(group, widths)
    }
  }

  problems(
    row: number,
    values: Readonly<Record<string, string>>,
    columnOf: (field: string) => string,
  ): RowProblem[] {
    return this.#fields.flatMap((field) => {
      const value = values[field]
      const { padded = 0, zeros } = this.#groups.get(this.#groupOf(field, values)) ?? {}
      if (value === undefined || !zeros?.has(padded - value.length) || !/^[1-9]\d*$/.test(value)) return []
      const message = `seems to have lost leading zeros: others have ${padded} digits (${value.padStart(padded, '0')}?)`
      return [{ row, column: columnOf(field), value, message, ...SPOILT }]
    })
  }

  #groupOf(field: string, values: Readonly<Record<string, string>>) {
    return `${field}\0${(values[this.groupBy] ?? '').toLowerCase()}`
  }
}

const SLOTS_PER_KEY = 8
const MOST_SLOTS = 2 ** 27

/**
 * Bloom filter that counts to two: only rows with recurring keys have to be kept in memory. False positives: 5 %.
 */
export class RecurringKeys {
  readonly #counts: Uint8Array

  constructor(expected: number) {
    this.#counts = new Uint8Array(Math.min(MOST_SLOTS, SLOTS_PER_KEY * Math.ceil(expected) + 1024))
  }

  see(key: string) {
    for (const slot of this.#slotsOf(key)) this.#counts[slot] = Math.min(2, (this.#counts[slot] ?? 0) + 1)
  }

  /** Makes every key count as recurring. */
  seeAll() {
    this.#counts.fill(2)
  }

  mayRecur(key: string) {
    return this.#slotsOf(key).every((slot) => this.#counts[slot] === 2)
  }

  #slotsOf(key: string) {
    const hash = crc32(key)
    return [hash, Math.imul(hash, 0x9e3779b1) >>> 0].map((one) => one % this.#counts.length)
  }
}

/** Set of 64-bit hashes that takes 16 bytes for each instead of 60. */
export class Hashes {
  readonly #slots: BigUint64Array

  constructor(capacity: number) {
    this.#slots = new BigUint64Array(2 * capacity)
  }

  /** Returns false if the hash was there. */
  add(hash: bigint) {
    const slots = this.#slots
    let at = Number(hash % BigInt(slots.length))
    while (slots[at]) {
      if (slots[at] === hash) return false
      at = (at + 1) % slots.length
    }
    slots[at] = hash
    return true
  }
}

const MAX_KEPT = 20

export class RowWarnings {
  readonly found: { row: number; message: string }[] = []
  count = 0

  see(row: number, message: string | undefined) {
    if (message === undefined) return
    this.count += 1
    if (this.found.length < MAX_KEPT) this.found.push({ row, message })
  }
}

export interface Claim {
  row: number
  state: string
  /** Whole seconds since the epoch. */
  seconds: number
  number?: string
}

/** Finds shipments with two states in one second, two numbers, or states that can't follow each other. */
export class Contradictions extends RowWarnings {
  readonly #last = new Map<string, Claim>()

  constructor(private readonly canFollow: (from: string, to: string) => boolean) {
    super()
  }

  add(key: string, claim: Claim) {
    const before = this.#last.get(key)
    if (before) this.#compare(key, before, claim)
    this.#last.set(key, { ...claim, number: claim.number ?? before?.number })
  }

  #compare(key: string, before: Claim, { row, state, seconds, number }: Claim) {
    const elapsed = seconds - before.seconds
    const [from, to] = elapsed < 0 ? [state, before.state] : [before.state, state]
    const earlier = `row ${before.row}`
    if (elapsed === 0 && before.state !== state) {
      this.see(row, `${key} is ${state} at the same second at which ${earlier} has it ${before.state}`)
    } else if (from !== to && !this.canFollow(from, to)) {
      this.see(row, `${key} can't be ${state} when ${earlier} has it ${before.state}`)
    } else if (elapsed < 0) {
      this.see(row, `the update of ${key} is older than that of ${earlier}, which is sent before it`)
    }
    if (number !== undefined && before.number !== undefined && number !== before.number)
      this.see(row, `${key} has another tracking number than in ${earlier}`)
  }
}
