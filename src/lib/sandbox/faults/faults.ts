import { AppError } from '../../errors.ts'
import { hash32 } from '../../wire/hash.ts'
import { escapeRegExp } from '../../wire/plain.ts'
import type { Store } from '../store/store.ts'
import type { FaultInput, FaultRecord } from './fault.ts'

export interface Hit {
  fault: FaultRecord
  index: number
}

export class StoredFaults {
  constructor(private readonly store: Pick<Store, 'meta' | 'write'>) {}

  list(): FaultRecord[] {
    return this.store.meta.faults
  }

  /** Number of faults that may still hit. */
  get inForce(): number {
    return this.list().filter((fault) => !isSpent(fault)).length
  }

  async set(inputs: readonly FaultInput[]): Promise<FaultRecord[]> {
    // Counting a request does not need zod.
    const { withFault } = await import('./fault.ts')
    return this.#change(() => inputs.reduce(withFault, []))
  }

  async add(input: FaultInput): Promise<FaultRecord | undefined> {
    const { withFault } = await import('./fault.ts')
    return (await this.#change((faults) => withFault(faults, input))).at(-1)
  }

  async remove(id: string) {
    await this.#change((faults) => {
      const rest = faults.filter((fault) => fault.id !== id)
      if (rest.length === faults.length) throw new AppError('not-found', `There is no fault ${id}`)
      return rest
    })
  }

  async clear() {
    await this.#change(() => [])
  }

  /** Counts a request on disk before its fault, so that a killed process counts too. */
  async hitFor(method: string, path: string): Promise<Hit | undefined> {
    if (!this.list().some(({ route }) => routeMatcher(route)(method, path))) return undefined
    return this.store.write((data) => {
      const { faults, hit } = countRequest(data.meta().faults, method, path)
      data.setFaults(faults)
      return hit
    })
  }

  #change(change: (faults: FaultRecord[]) => FaultRecord[]) {
    return this.store.write((data) => {
      const faults = change(data.meta().faults)
      data.setFaults(faults)
      return faults
    })
  }
}

/** Hits depend on seed, id and number alone: a run can be repeated. Only the first fault hits. */
export function countRequest(
  faults: readonly FaultRecord[],
  method: string,
  path: string,
): { faults: FaultRecord[]; hit: Hit | undefined } {
  let hit: Hit | undefined
  const counted = faults.map((fault) => {
    if (!routeMatcher(fault.route)(method, path)) return fault
    const index = fault.seen
    const isHit = hit === undefined && wouldHit(fault, index)
    if (isHit) hit = { fault, index }
    return { ...fault, seen: index + 1, hits: fault.hits + Number(isHit) }
  })
  return { faults: counted, hit }
}

function wouldHit(fault: FaultRecord, index: number) {
  return index >= fault.after && !isSpent(fault) && chanceOf(fault, index) < fault.rate
}

function isSpent({ count, hits }: FaultRecord) {
  return count !== undefined && hits >= count
}

/** Returns 0 ≤ x < 1. */
export function chanceOf(
  { seed, id }: Pick<FaultRecord, 'seed' | 'id'>,
  index: number,
  purpose = '',
): number {
  return hash32(`${seed} ${id} ${index} ${purpose}`) / 2 ** 32
}

export function routeMatcher(route: string): (method: string, path: string) => boolean {
  const [method = '*', pattern = '*'] = route.split(' ')
  const wanted = method.toUpperCase()
  const expression = new RegExp(`^${sourceOf(pattern)}$`, 's')
  return (given, path) => (wanted === '*' || wanted === given) && expression.test(path)
}

/** Look-aheads between stars: three `.*` would backtrack for ten seconds on a path of 4,000 characters. */
function sourceOf(pattern: string) {
  const literals = pattern
    .split(/\*+/)
    .map((literal) => escapeRegExp(literal).replace(/(?::\w+)+/g, '[^/]+?'))
  const [first = '', ...rest] = literals
  const last = rest.pop()
  const middle = rest.map((literal, i) => `(?=(.*?${literal}))\\${i + 1}`).join('')
  return first + middle + (last === undefined ? '' : `.*${last}`)
}
