import { hashOf, KeyTable, withRoom } from './compact-key-table.ts'

/** Statements of a row that another row can contradict. */
export interface Claim {
  row: number
  key: string
  /** The state that it reports. */
  state: string
  /** Whole seconds since the epoch. */
  seconds: number
  /** Identifies the shipment elsewhere; undefined if the row does not say. */
  number?: string | undefined
}

/** At most so many are kept in words; all are counted. */
const MAX_KEPT = 20

/**
 * Rows of one file that can't all be true: two states of a shipment at one second, two numbers, a state that can't
 * follow the one before it. Each row is compared with the last one of its shipment, in about 40 bytes a shipment.
 */
export class Contradictions {
  readonly found: { row: number; message: string }[] = []
  count = 0
  readonly #keys = new KeyTable()
  readonly #states: string[] = []
  #row = new Uint32Array(1024)
  #seconds = new Float64Array(1024)
  #state = new Uint8Array(1024)
  /** Stands for the tracking number; 0 for none. Two that look alike by chance only cost a warning. */
  #number = new Uint32Array(1024)

  /** @param canFollow whether a shipment can be in `to` some time after `from`; equal states always can */
  constructor(private readonly canFollow: (from: string, to: string) => boolean) {}

  add(claim: Claim): void {
    const { number: at, isNew } = this.#keys.add(claim.key)
    if (!isNew) this.#compare(at, claim)
    this.#remember(at, claim, isNew)
  }

  #compare(at: number, { row, key, state, seconds, number }: Claim): void {
    const before = this.#states[this.#state[at] ?? 0] ?? ''
    const elapsed = seconds - (this.#seconds[at] ?? 0)
    const [from, to] = elapsed < 0 ? [state, before] : [before, state]
    const earlier = `row ${this.#row[at]}`
    if (elapsed === 0 && before !== state) {
      this.#report(row, `${key} is ${state} at the same second at which ${earlier} has it ${before}`)
    } else if (from !== to && !this.canFollow(from, to)) {
      this.#report(row, `${key} can't be ${state} when ${earlier} has it ${before}`)
    } else if (elapsed < 0) {
      this.#report(row, `the report on ${key} is older than that of ${earlier}, which is sent before it`)
    }
    const known = this.#number[at] ?? 0
    if (number !== undefined && known > 0 && hashOf(number) !== known) {
      this.#report(row, `${key} has another tracking number than in ${earlier}`)
    }
  }

  #remember(at: number, { row, state, seconds, number }: Claim, isNew: boolean): void {
    const size = this.#keys.size
    this.#row = withRoom(this.#row, size)
    this.#seconds = withRoom(this.#seconds, size)
    this.#state = withRoom(this.#state, size)
    this.#number = withRoom(this.#number, size)
    let index = this.#states.indexOf(state)
    // Some more than 255 statuses are no statuses; the last then stands for all of them.
    if (index === -1) index = Math.min(this.#states.push(state) - 1, 255)
    this.#row[at] = row
    this.#seconds[at] = seconds
    this.#state[at] = index
    if (number !== undefined) this.#number[at] = hashOf(number)
    else if (isNew) this.#number[at] = 0
  }

  #report(row: number, message: string): void {
    this.count += 1
    if (this.found.length < MAX_KEPT) this.found.push({ row, message })
  }
}
