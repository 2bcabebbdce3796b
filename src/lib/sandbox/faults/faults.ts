import type { Store } from '../store/store.ts'
import type { FaultInput } from './fault.ts'
import type { FaultRecord, FaultTable, Hit } from './fault-table.ts'

type RouteMatcher = (method: string, path: string) => boolean

/** Beyond it all are forgotten. Faults are read anew for each request, and to compile one takes longer than to use it. */
const MAX_COMPILED = 200
const compiled = new Map<string, RouteMatcher>()

/** Whether a request is one of a route's: `POST /shipping_labels`, `* /returns*`, `GET /returns/:id/refunds`. */
export function routeMatcher(route: string): RouteMatcher {
  const known = compiled.get(route)
  if (known !== undefined) return known
  if (compiled.size >= MAX_COMPILED) compiled.clear()
  const matcher = compile(route)
  compiled.set(route, matcher)
  return matcher
}

function compile(route: string): RouteMatcher {
  const [method = '*', pattern = '*'] = route.split(' ')
  const wanted = method.toUpperCase()
  const expression = new RegExp(`^${sourceOf(pattern)}$`, 's')
  return (given, path) => (wanted === '*' || wanted === given) && expression.test(path)
}

/** Look-aheads between stars: three `.*` would backtrack for ten seconds on a path of 4,000 characters. */
function sourceOf(pattern: string): string {
  const pieces = pattern
    .split(/\*+/)
    .map((piece) => piece.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/(?::\w+)+/g, '[^/]+?'))
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  const middle = rest.map((piece, i) => `(?=(.*?${piece}))\\${i + 1}`).join('')
  return first + middle + (last === undefined ? '' : `.*${last}`)
}

/** The faults in force, kept with the data: all processes on them share the faults and their counts. */
export class StoredFaults {
  readonly #store: Pick<Store, 'faults' | 'write'>

  constructor(store: Pick<Store, 'faults' | 'write'>) {
    this.#store = store
  }

  list(): FaultRecord[] {
    return this.#store.faults
  }

  /** Replaces all, counts included. @throws AppError `usage` for two of one id */
  set(faults: readonly FaultInput[]): Promise<FaultRecord[]> {
    return this.#change((table) => table.set(faults))
  }

  /** @throws AppError `usage` for an id that is taken */
  add(fault: FaultInput): Promise<FaultRecord> {
    return this.#change((table) => table.add(fault))
  }

  /** @throws AppError `not-found` for an id that there is not */
  remove(id: string): Promise<void> {
    return this.#change((table) => table.remove(id))
  }

  clear(): Promise<void> {
    return this.#change((table) => table.clear())
  }

  /** Counts a request: on the disk before it is hit, so that a process that dies of it counts too. */
  next(method: string, path: string): Promise<Hit | undefined> | undefined {
    const faults = this.list()
    return faults.length === 0 ? undefined : this.#count(faults, method, path)
  }

  async #count(faults: readonly FaultRecord[], method: string, path: string): Promise<Hit | undefined> {
    const { FaultTable } = await import('./fault-table.ts')
    if (!new FaultTable(faults).concerns(method, path)) return undefined
    return this.#change((table) => table.next(method, path))
  }

  async #change<T>(use: (table: FaultTable) => T): Promise<T> {
    const { FaultTable } = await import('./fault-table.ts')
    return this.#store.write((data) => {
      const table = new FaultTable(data.meta().faults)
      const result = use(table)
      data.setFaults(table.list())
      return result
    })
  }
}
