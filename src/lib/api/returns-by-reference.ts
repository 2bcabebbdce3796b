import { pMapIterable } from 'p-map'
import { AppError, type ErrorDetail, rethrowUnless } from '../errors.ts'
import { counted } from '../wire/counted.ts'
import type { Return } from '../wire/returns.ts'
import { LOOKUP_LIMITS } from './resource.ts'
import type { ReturnLookup } from './return-lookup.ts'

export class ReturnsByReference {
  readonly #missing: AppError[] = []
  readonly #details: ErrorDetail[] = []

  constructor(
    private readonly lookup: ReturnLookup,
    private readonly references: readonly string[],
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Return> {
    for await (const records of pMapIterable(this.references, (one) => this.#find(one), LOOKUP_LIMITS))
      yield* records
  }

  async #find(reference: string) {
    try {
      const found = await this.lookup.all(reference)
      return await Promise.all(found.map((record) => this.lookup.whole(record)))
    } catch (error) {
      rethrowUnless(error, 'not-found')
      this.#missing.push(error)
      this.#details.push({ path: reference, message: error.message })
      return []
    }
  }

  /** Call it after the iteration. @throws AppError `not-found` */
  checkComplete() {
    const [first] = this.#missing
    if (!first) return
    if (this.references.length === 1) throw first
    const order = ({ path }: ErrorDetail) => this.references.indexOf(path ?? '')
    throw new AppError(
      'not-found',
      `${this.#missing.length} of ${counted(this.references.length, 'return')} ${this.#missing.length === 1 ? 'was' : 'were'} not found.`,
      { details: this.#details.sort((a, b) => order(a) - order(b)), hints: first.hints },
    )
  }
}
