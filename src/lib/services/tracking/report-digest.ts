import { createHash } from 'node:crypto'
import type { TrackingRequest } from '../../wire/tracking.ts'
import type { Timing } from './report.ts'

/** Two files with the same hash send the same. */
export class ReportDigest {
  readonly #hash = createHash('sha256')
  #lines: string[] = []

  /** @param shop that the platform takes reports to be of which name none */
  constructor(private readonly shop: string | undefined) {}

  /** Reports in the order in which they are sent; `undated` ones whose date is the moment at which they were asked. */
  add(report: TrackingRequest, timing: Timing | undefined): void {
    const { shopCode = this.shop, trackingDate, ...fields } = report
    const date = timing === 'undated' ? undefined : trackingDate
    this.#lines.push(JSON.stringify([shopCode, date, ...Object.values(fields)]))
  }

  /** To be called now and then: what was added is kept as text until then. */
  flush(): void {
    for (const line of this.#lines.splice(0)) this.#hash.update(`${line}\n`)
  }

  end(): string {
    this.flush()
    return this.#hash.digest('hex')
  }
}
