import type * as z from 'zod'
import { AppError } from '../errors.ts'
import { at } from '../wire/raw.ts'
import { ContainerError, Departures, readList, readRecord } from '../wire/read.ts'
import { pageInfoSchema, type Return, returnSchema } from '../wire/returns.ts'
import { shapeOf } from '../wire/shape-of.ts'
import { Departure, need } from './observed.ts'
import { mustAnswer, type Probe, type ProbeAnswer, type ProbedRequest } from './probe.ts'

type Query = NonNullable<ProbedRequest['query']>

/** A page of `GET /returns` (spec §4.7). */
export interface ListedReturns {
  returns: Return[]
  totalRecords: number
  totalPages: number
  /** `pageInfo` as it was sent. */
  pageInfo: unknown
}

/** Of the interface (spec §4.2, §9). */
export type Revision = '1.4' | '1.2.10'

export interface WorldOptions {
  probe: Probe
  /** Limits the run; undefined for all shops of the token. */
  shop: string | undefined
  /** Milliseconds since the epoch. */
  now: number
  /** Part of every id that a run makes, so that runs don't meet. */
  runId: string
  /** Revision of the interface that the platform has. */
  revision: Revision
}

/** Makes each read once and shares its result: runs stay short, and checks do not depend on their order. */
export class World {
  readonly now: number
  readonly runId: string
  readonly shop: string | undefined
  readonly revision: Revision
  readonly #probe: Probe
  readonly #reads = new Map<string, Promise<ProbeAnswer>>()

  constructor({ probe, shop, now, runId, revision }: WorldOptions) {
    this.#probe = probe
    this.shop = shop
    this.now = now
    this.runId = runId
    this.revision = revision
  }

  send(request: ProbedRequest): Promise<ProbeAnswer> {
    return this.#probe(request)
  }

  /** With the profile's token; made once. */
  get(path: string, query: Query = {}): Promise<ProbeAnswer> {
    const key = JSON.stringify([path, query])
    const known = this.#reads.get(key)
    if (known) return known
    const reading = this.#probe({ method: 'GET', path, query })
    this.#reads.set(key, reading)
    // A lost answer is asked for again.
    reading.catch(() => this.#reads.delete(key))
    return reading
  }

  /** `GET /returns`, of the run's shop. */
  returns(query: Query = {}): Promise<ProbeAnswer> {
    return this.get('/returns', { ...(this.shop === undefined ? {} : { shop_code: this.shop }), ...query })
  }

  /** @throws Departure if it is refused, or has no list with `pageInfo` */
  async list(query: Query = {}): Promise<ListedReturns> {
    const answer = await this.returns(query)
    mustAnswer(answer, 200, Object.keys(query).join(', '))
    const pageInfo = at(answer.body, 'pageInfo')
    const { data } = pageInfoSchema.safeParse(pageInfo)
    if (data === undefined) throw new Departure('no pageInfo with totalRecords and totalPages')
    return {
      returns: listAt(returnSchema, answer.body, 'returns'),
      totalRecords: Number(data.totalRecords),
      totalPages: Number(data.totalPages),
      pageInfo,
    }
  }

  async sample(): Promise<Return[]> {
    return (await this.list({ limit: 500 })).returns
  }

  /** One of the sample: neither the first nor the last, which wrong ranges may still hold. */
  async any(): Promise<Return> {
    const sample = await this.sample()
    return need(sample[Math.floor(sample.length / 2)], 'there are no returns')
  }

  /** The return as `GET /returns` shows it now: the only payload of it that is specified. */
  async listedNow({ id, name, shopCode }: Return): Promise<Return | undefined> {
    const query = { name, shop_code: shopCode }
    const { body } = await this.#probe({ method: 'GET', path: '/returns', query })
    return listAt(returnSchema, body, 'returns').find((record) => record.id === id)
  }

  /** Shops of the token that have returns. */
  async shops(): Promise<Set<string>> {
    const { body } = await this.get('/returns', { limit: 500 })
    return new Set(listAt(returnSchema, body, 'returns').map(({ shopCode }) => shopCode))
  }

  /** @throws Skipped if none of the sample fits */
  async find(what: string, fits: (record: Return) => boolean): Promise<Return> {
    return need((await this.sample()).find(fits), `no return ${what}`)
  }
}

/** Runs `find` once a run. A thing that is not there is remembered, a lost answer is not. */
export function once<T>(find: (world: World) => Promise<T>): (world: World) => Promise<T> {
  const found = new WeakMap<World, Promise<T>>()
  return (world) => {
    const known = found.get(world)
    if (known) return known
    const finding = find(world)
    found.set(world, finding)
    finding.catch((error) => {
      if (error instanceof AppError) found.delete(world)
    })
    return finding
  }
}

/** The list under a key, or the body itself without one, as sent. @throws Departure without a list */
export function listAt<S extends z.ZodType>(schema: S, body: unknown, key: string | undefined): z.infer<S>[] {
  try {
    const shape = shapeOf(schema)
    return readList(body, key, (raw) => readRecord(shape, raw, '', new Departures())).items
  } catch (error) {
    if (error instanceof ContainerError) throw new Departure(error.message)
    throw error
  }
}
