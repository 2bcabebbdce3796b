import type { PageRecord, ReadRecord } from '../walk/page-source.ts'
import type { SentItem } from '../wire/json.ts'
import { type Departures, readRecord } from '../wire/read.ts'
import type { Return } from '../wire/returns.ts'
import { returnShape } from '../wire/shapes.ts'
import { contractError, type HttpResponse } from './http/error-map.ts'

/** A return of a page, of whose values none are made before somebody asks, so that none has to be kept. */
export class UnreadReturn implements PageRecord {
  #isNoted = false

  constructor(
    private readonly item: SentItem,
    private readonly answer: HttpResponse,
    private readonly departures: Departures,
  ) {}

  get createdAt(): string | undefined {
    return this.#checked(() => this.item.textMember())
  }

  /** @throws AppError `contract` */
  read(): ReadRecord {
    const raw = this.#checked(() => this.item.read())
    // It is counted once, however often it is read.
    const record = this.#isNoted
      ? (raw as Return)
      : readRecord(returnShape, raw, 'returns[]', this.departures)
    this.#isNoted = true
    return { record, json: () => this.item.jsonOf(raw) }
  }

  #checked<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw contractError(this.answer, 'The answer is not JSON', error)
    }
  }
}
