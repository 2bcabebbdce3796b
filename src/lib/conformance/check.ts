import type * as z from 'zod'
import { AppError } from '../errors.ts'
import { shapeOf } from '../wire/fields.ts'
import { at } from '../wire/raw.ts'
import { ContainerError, readList, readRecord, SpecDeviations } from '../wire/read.ts'
import { pageInfoSchema, type Return, returnSchema } from '../wire/returns.ts'
import {
  type Complaint,
  Departure,
  each,
  get,
  must,
  mustBe,
  mustFit,
  mustHaveErrors,
  need,
  type Probe,
  type ProbeAnswer,
  type ProbedRequest,
  seen,
  without,
} from './expect.ts'

type Query = NonNullable<ProbedRequest['query']>

/** Revision of the interface (spec §4.2, §9). */
export type Revision = '1.4' | '1.2.10'

interface PlatformOptions {
  probe: Probe
  shop: string | undefined
  /** Epoch milliseconds. */
  now: number
  runId: string
  revision: Revision
}

/** Makes each read once and shares its result, so that checks do not depend on their order. */
export class CheckedPlatform {
  readonly #reads = new Map<string, Promise<ProbeAnswer>>()

  constructor(readonly options: PlatformOptions) {}

  send(request: ProbedRequest): Promise<ProbeAnswer> {
    return this.options.probe(request)
  }

  async expect(request: ProbedRequest, expected: string, to?: string): Promise<ProbeAnswer> {
    const answer = await this.send(request)
    mustBe(answer, expected, to)
    return answer
  }

  get(path: string, query: Query = {}): Promise<ProbeAnswer> {
    return shared(this.#reads, JSON.stringify([path, query]), () => this.send(get(path, query)))
  }

  returns(query: Query = {}): Promise<ProbeAnswer> {
    return this.get('/returns', { shop_code: this.options.shop, ...query })
  }

  async list(query: Query = {}) {
    const answer = await this.returns(query)
    mustBe(answer, '200', Object.keys(query).join(', '))
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

  sample = async (): Promise<Return[]> => (await this.list({ limit: 500 })).returns

  /** Takes the middle: a wrong range may still include the first and the last. */
  async any(): Promise<Return> {
    const sample = await this.sample()
    return need(sample[Math.floor(sample.length / 2)], 'there are no returns')
  }

  /** Reads the list, since only its payload is specified. */
  async listedNow({ id, name, shopCode }: Return): Promise<Return | undefined> {
    const { body } = await this.send(get('/returns', { name, shop_code: shopCode }))
    return listAt(returnSchema, body, 'returns').find((record) => record.id === id)
  }

  async find(what: string, fits: (record: Return) => unknown): Promise<Return> {
    return need((await this.sample()).find(fits), `no return ${what}`)
  }
}

/** Calls `make` once per key, and again after a lost answer. Remembers missing data. */
function shared<K, T>(known: Map<K, Promise<T>>, key: K, make: () => Promise<T>): Promise<T> {
  const making = known.get(key) ?? make()
  known.set(key, making)
  making.catch((error) => {
    if (error instanceof AppError) known.delete(key)
  })
  return making
}

/** Runs `find` once per platform. */
export function once<T>(find: (platform: CheckedPlatform) => Promise<T>) {
  const found = new Map<CheckedPlatform, Promise<T>>()
  return (platform: CheckedPlatform) => shared(found, platform, () => find(platform))
}

export function listAt<S extends z.ZodType>(schema: S, body: unknown, key?: string): z.infer<S>[] {
  try {
    const shape = shapeOf(schema)
    return readList(body, key, (raw) => readRecord(shape, raw, '', new SpecDeviations())).items
  } catch (error) {
    if (error instanceof ContainerError) throw new Departure(error.message)
    throw error
  }
}

type Basis = 'spec' | 'assumed'

export type CheckRun = (platform: CheckedPlatform) => Promise<string>

export type Runs = Readonly<Record<string, CheckRun>>

export interface Check {
  /** Never changes, since scripts name checks by id. */
  id: string
  specified: string
  /** Clause that specifies the behaviour, or leaves it open. */
  source: string
  basis: Basis
  run: CheckRun
  writes?: boolean
  /** True if the check fails without data. */
  isOperation?: boolean
  /** Absent if both revisions have it. */
  revision?: Revision
}

export type FromPlatform<T> = (platform: CheckedPlatform) => T | Promise<T>

export const answers =
  (request: ProbedRequest | FromPlatform<ProbedRequest>, expected: string): CheckRun =>
  async (platform) =>
    mustBe(await platform.send(typeof request === 'function' ? await request(platform) : request), expected)

/** Expects 400 for the body without each of the fields. */
export const requires =
  (fields: readonly string[], find: FromPlatform<ProbedRequest>): CheckRun =>
  async (platform) => {
    const request = await find(platform)
    const accepted = []
    for (const field of fields) {
      const answer = await platform.send(without(request, `body.${field}`))
      if (answer.status === 400) mustHaveErrors(answer, `a request without ${field}`)
      else accepted.push(`${seen(answer)} without ${field}`)
    }
    must(accepted.length === 0, accepted.join('; '))
    return `${fields.length} fields`
  }

export const all =
  <T>(find: FromPlatform<readonly T[]>, noun: string, complaint: Complaint<T>): CheckRun =>
  async (platform) =>
    each(await find(platform), noun, complaint)

export const haveTypes =
  (schema: z.ZodType, find: FromPlatform<readonly unknown[]>, noun: string, values?: boolean): CheckRun =>
  async (platform) =>
    mustFit(schema, await find(platform), noun, { values })
