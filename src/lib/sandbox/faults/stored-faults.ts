import type { Store } from '../store/store.ts'
import type { FaultInput } from './fault.ts'
import type { FaultRecord, FaultTable, Hit } from './fault-table.ts'

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
