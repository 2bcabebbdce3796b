import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import { isTimeZone, wallTimeToInstant } from '../../wire/time.ts'
import { ApiError } from '../http/answers.ts'
import type { SecondRange } from '../store/rows.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 500
const STATUS_NAMES: readonly string[] = RETURN_STATUSES
const WALL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

export interface ReadQuery {
  shopCode: string | undefined
  /** IANA name. */
  timeZone: string
}

/** Parameters of `GET /returns` (spec §4.7). */
export interface ListQuery extends ReadQuery {
  name: string | undefined
  /** Position in the wire schema's list. */
  status: number | undefined
  order: string | undefined
  created: SecondRange | undefined
  updated: SecondRange | undefined
  refunded: SecondRange | undefined
  limit: number
  page: number
}

/** An empty parameter counts as absent, an unknown one is ignored. @throws ApiError 400 VA01, naming each wrong one */
export function parseReadQuery(params: URLSearchParams): ReadQuery {
  return new Parameters(params).finish((read) => ({
    shopCode: read.text('shop_code'),
    timeZone: read.zone(),
  }))
}

export function parseListQuery(params: URLSearchParams): ListQuery {
  return new Parameters(params).finish((read) => {
    const timeZone = read.zone()
    return {
      shopCode: read.text('shop_code'),
      timeZone,
      name: read.text('name'),
      status: read.status(),
      order: read.text('ecommerce_order'),
      created: read.range('created', timeZone),
      updated: read.range('updated', timeZone),
      refunded: read.range('refunded', timeZone),
      limit: read.integer('limit', DEFAULT_LIMIT, MAX_LIMIT),
      page: read.integer('page', 1, Number.MAX_SAFE_INTEGER),
    }
  })
}

class Parameters {
  readonly #params: URLSearchParams
  readonly #problems: string[] = []

  constructor(params: URLSearchParams) {
    this.#params = params
  }

  finish<T>(read: (params: this) => T): T {
    const result = read(this)
    if (this.#problems.length === 0) return result
    throw new ApiError(
      400,
      this.#problems.map((message) => ({ code: 'VA01', message })),
    )
  }

  text(name: string): string | undefined {
    const values = this.#params.getAll(name).filter((value) => value !== '')
    if (values.length > 1) this.#problems.push(`${name}: given more than once`)
    return values[0]
  }

  zone(): string {
    const zone = this.text('time_zone') ?? 'UTC'
    if (isTimeZone(zone)) return zone
    this.#problems.push(`time_zone: unknown time zone ${zone}`)
    return 'UTC'
  }

  status(): number | undefined {
    const text = this.text('status')
    if (text === undefined) return undefined
    const position = STATUS_NAMES.indexOf(text)
    if (position < 0) this.#problems.push(`status: ${text} is none of ${RETURN_STATUSES.join(', ')}`)
    return position
  }

  integer(name: string, fallback: number, max: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = /^\d+$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= max) return value
    const bounds = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`
    this.#problems.push(`${name}: ${text} is not a whole number ${bounds}`)
    return fallback
  }

  range(prefix: string, zone: string): SecondRange | undefined {
    const from = this.#instant(`${prefix}_from`, zone, 'earlier')
    const to = this.#instant(`${prefix}_to`, zone, 'later')
    if (from === undefined && to === undefined) return undefined
    return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
  }

  /** Seconds; a wall time that happens twice is read so that the range holds both. */
  #instant(name: string, zone: string, prefer: 'earlier' | 'later'): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    try {
      if (WALL_TIME.test(text)) return Math.floor(wallTimeToInstant(text, zone, prefer).epochMs / 1000)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    this.#problems.push(`${name}: ${text} is not a date of the form YYYY-MM-DDTHH:MM:SS`)
    return undefined
  }
}
