import { pMapIterable } from 'p-map'
import { LOOKUPS } from '../../api/lookups.ts'
import type { ReturnsApi } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import type { Return } from '../../wire/returns.ts'

/** The returns named on the command line, `-` standing for the lines of standard input. */
export async function readReferences(given: readonly string[], context: Context): Promise<string[]> {
  const references: string[] = []
  for (const one of given) {
    if (one !== '-') references.push(one.trim())
    else for await (const line of context.streams.inputLines()) references.push(line.trim())
  }
  const named = references.filter((one) => one !== '')
  if (named.length > 0) return named
  throw new AppError('usage', 'No return was named.', { hints: ['give ids or names, one a line: R#-1001'] })
}

/** One return by id or name. */
export async function getReturn(returns: ReturnsApi, reference: string): Promise<Return> {
  return returns.get(await returns.resolveId(reference))
}

/** Many returns in the order asked for, as they arrive; those that do not exist are left out. */
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
