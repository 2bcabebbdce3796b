import { pMapIterable } from 'p-map'
import type { LabelsApi } from '../../api/labels.ts'
import { LOOKUPS } from '../../api/lookups.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import type { LabelSet } from '../../wire/labels.ts'

/** Label sets of shipments, in the order asked for; shipments without one are left out, and named in the end. */
export class LabelSets {
  readonly #missing: ErrorDetail[] = []

  constructor(
    private readonly labels: LabelsApi,
    private readonly ids: readonly string[],
  ) {}

  async start(): Promise<Iterable<LabelSet> | AsyncIterable<LabelSet>> {
    const [only] = this.ids
    return this.ids.length === 1 && only !== undefined ? this.labels.get(only) : this.#all()
  }

  async *#all(): AsyncGenerator<LabelSet> {
    for await (const sets of pMapIterable(this.ids, (id) => this.#find(id), LOOKUPS)) yield* sets
  }

  async #find(id: string): Promise<LabelSet[]> {
    try {
      return await this.labels.get(id)
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== 'not-found') throw error
      this.#missing.push({ path: id, message: error.details[0]?.message ?? error.message })
      return []
    }
  }

  /** To be asked when all others have been printed. @throws AppError `not-found` that names what is missing */
  checkComplete(): void {
    if (this.#missing.length === 0) return
    throw new AppError(
      'not-found',
      `${this.#missing.length} of ${this.ids.length} shipments have no label.`,
      { details: this.#missing },
    )
  }
}
