import { pMapIterable } from 'p-map'
import { AppError, type ErrorDetail } from '../errors.ts'
import type { Return } from '../wire/returns.ts'
import { LOOKUPS } from './lookups.ts'
import type { ReturnsApi } from './returns.ts'

export async function getReturn(returns: ReturnsApi, reference: string): Promise<Return> {
  return returns.get(await returns.resolveId(reference))
}

export class ReturnsByReference {
  readonly #missing: ErrorDetail[] = []

  constructor(
    private readonly returns: ReturnsApi,
    private readonly references: readonly string[],
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Return> {
    const find = (reference: string) => this.#find(reference)
    for await (const record of pMapIterable(this.references, find, LOOKUPS)) if (record) yield record
  }

  async #find(reference: string): Promise<Return | undefined> {
    try {
      return await getReturn(this.returns, reference)
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'not-found') throw error
      this.#missing.push({ path: reference, message: error.message })
      return undefined
    }
  }

  /** To be asked when all others have been printed. @throws AppError `not-found` that names what is missing */
  checkComplete(): void {
    if (this.#missing.length === 0) return
    const order = (detail: ErrorDetail) => this.references.indexOf(detail.path ?? '')
    throw new AppError(
      'not-found',
      `${this.#missing.length} of ${this.references.length} returns were not found.`,
      {
        details: this.#missing.sort((a, b) => order(a) - order(b)),
      },
    )
  }
}
