import { pMapIterable } from 'p-map'
import type { LabelsApi } from '../../api/labels.ts'
import { LOOKUPS } from '../../api/resource.ts'
import type { ReturnLookup } from '../../api/return-lookup.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { shipmentLabels } from './shipment-labels.ts'

/** Label sets of shipments, in the order asked for; shipments without one are left out, and named in the end. */
export class LabelSets {
  readonly #missing: ErrorDetail[] = []

  constructor(
    private readonly labels: LabelsApi,
    private readonly lookup: ReturnLookup,
    private readonly context: Pick<Context, 'shellLine'>,
    private readonly ids: readonly string[],
  ) {}

  async start(): Promise<Iterable<LabelSet> | AsyncIterable<LabelSet>> {
    const [only] = this.ids
    return this.ids.length === 1 && only !== undefined ? this.#read(only) : this.#all()
  }

  async *#all(): AsyncGenerator<LabelSet> {
    for await (const sets of pMapIterable(this.ids, (id) => this.#find(id), LOOKUPS)) yield* sets
  }

  async #read(id: string): Promise<LabelSet[]> {
    return (await shipmentLabels(id, this.labels, this.lookup, this.context)).flatMap(({ sets }) => sets)
  }

  async #find(id: string): Promise<LabelSet[]> {
    try {
      return await this.#read(id)
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
      `${this.#missing.length} of ${counted(this.ids.length, 'shipment')} ${this.#missing.length === 1 ? 'has' : 'have'} no label.`,
      { details: this.#missing },
    )
  }
}
