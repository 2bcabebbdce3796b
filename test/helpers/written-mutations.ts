import { fixture } from './fixture.ts'
import type { Mutation } from './mutated-sandbox.ts'
import { refusal } from './script-server.ts'

export interface Seeded extends Mutation {
  /** Checks that must notice the mutation. */
  notice: string | readonly string[]
  writes?: boolean
  /** True if only a long list or a rare record shows it. */
  ofMany?: boolean
  /** Flags of the run. */
  flags?: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any
export type Bend = (value: Json) => Json

const changing =
  <K extends 'answer' | 'body' | 'query' | 'send'>(what: K) =>
  (notice: Seeded['notice'], change: NonNullable<Seeded[K]>): Seeded => ({ notice, [what]: change })
/** Mutation of queries. */
export const asks = changing('query')
/** Mutation of the bodies of requests. */
export const sends = changing('send')
/** Mutation of the bodies of answers. */
export const bends = changing('body')
/** Mutation that gives some answers in place of those of the sandbox. */
export const replaces = changing('answer')

/** Replaces the value of a field anywhere in the body. */
export const field = (name: string, bend: Bend) => fields({ [name]: bend })
const fields = (bends: Record<string, Bend>) => (body: Json) =>
  JSON.parse(JSON.stringify(body), (key, value) => (value === null ? null : (bends[key]?.(value) ?? value)))
const lost = (name: string) => (body: Json) =>
  JSON.parse(JSON.stringify(body), (key, value) => (key === name ? undefined : value))
export const inText = (pattern: RegExp, text: string) => (body: Json) =>
  JSON.parse(JSON.stringify(body).replace(pattern, text))
const mapped = (values: Record<string, Json>, bend: (value: Json) => Bend) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bend(value)]))

/** Accepts requests whose authorization matches. */
export const letIn =
  (token: () => string, fits: (authorization: string) => boolean) => (headers: Headers) => {
    if (fits(headers.get('authorization') ?? '')) headers.set('authorization', `Bearer ${token()}`)
  }

const at = (body: Json, path: string) => path.split('.').reduce((inner, step) => inner?.[step], body)

/** Adds a missing field, so that the request is accepted. */
const filledIn = (path: string, value: unknown) => (body: Json) => {
  const copy = structuredClone(body)
  const last = path.split('.').at(-1) ?? ''
  const inner = path === last ? copy : at(copy, path.slice(0, -last.length - 1))
  if (inner && typeof inner === 'object' && !(last in inner)) inner[last] = value
  return copy
}

/** Required values at paths of a request; true for any, false for none. */
type Conditions = Record<string, unknown>
const fits = (body: Json, conditions: Conditions) =>
  Object.entries(conditions).every(([path, wanted]) => {
    const value = at(body, path)
    return typeof wanted === 'boolean' ? ((value ?? null) !== null) === wanted : value === wanted
  })
const answering =
  ({ status, body: given, if: conditions = {} }: { status: number; body: Json; if?: Conditions }) =>
  ({ body }: { body: Json }) =>
    fits(body, conditions) ? { status, body: given } : undefined
export const ACKNOWLEDGED = { status: 200, body: { statusCode: 'OK', description: 'x' } }
const REFUSAL = refusal('VA01')

/** Shifts a local time in the query. */
function shift(params: URLSearchParams, name: string, seconds: number) {
  const ms = Date.parse(`${params.get(name)}Z`) + seconds * 1000
  if (!Number.isNaN(ms)) params.set(name, new Date(ms).toISOString().slice(0, 19))
}

/** Words of the mutations file and their mutations. */
const WORDS: Record<string, (value: Json, token: () => string) => Mutation> = {
  letIn: (pattern, token) => ({ ask: letIn(token, (header) => new RegExp(pattern).test(header)) }),
  query: (changes: Record<string, Record<string, string>>) => ({
    query: (params) => {
      for (const [name, values] of Object.entries(changes)) {
        const value = values[params.get(name) ?? '']
        if (value !== undefined) params.set(name, value)
      }
    },
  }),
  forget: (names: string[]) => ({
    query: (params) => {
      for (const name of names) params.delete(name)
    },
  }),
  later: (times: Record<string, number>) => ({
    query: (params) => {
      for (const [name, seconds] of Object.entries(times)) shift(params, name, seconds)
    },
  }),
  // Tokyo is nine hours ahead of UTC.
  utc: (name) => ({
    query: (params) => params.get('time_zone') === 'Asia/Tokyo' && shift(params, name, 9 * 3600),
  }),
  with: (values) => ({ send: (body) => ({ ...body, ...values }) }),
  unsent: (name) => ({ send: lost(name) }),
  fill: (values) => {
    const [[path, value] = ['', '']] = Object.entries(values)
    return { send: filledIn(path, value) }
  },
  first: (name) => ({ send: (body) => ({ ...body, [name]: body[name]?.slice(0, 1) }) }),
  answer: (answer) => ({ answer: answering(answer) }),
  refuse: (conditions) => ({ answer: answering({ ...REFUSAL, if: conditions }) }),
  acknowledge: (conditions) => ({ answer: answering({ ...ACKNOWLEDGED, if: conditions }) }),
  status: (wanted) => ({
    status: (status) => (typeof wanted === 'number' ? wanted : (wanted[status] ?? status)),
  }),
  fails: () => ({ status: (status) => (status === 401 ? 401 : 500) }),
  header: (values: Record<string, string | null>) => ({
    headers: (headers) => {
      for (const [name, value] of Object.entries(values)) {
        if (value === null) headers.delete(name)
        else headers.set(name, value)
      }
    },
  }),
  text: ([pattern, text]) => ({ body: inText(new RegExp(pattern, 'g'), text) }),
  value: (values) => ({ body: fields(mapped(values, (value) => () => value)) }),
  plus: (values) => ({ body: fields(mapped(values, (value) => (number) => number + value)) }),
  times: (values) => ({ body: fields(mapped(values, (value) => (number) => number * value)) }),
  asText: (name) => ({ body: field(name, String) }),
  lose: (name) => ({ body: lost(name) }),
  instead: (body) => ({ body: () => body }),
}

interface Group {
  on?: string
  writes?: boolean
  mutations: Record<string, Record<string, unknown> & Pick<Seeded, 'notice' | 'ofMany' | 'flags'>>
}

/** Mutations read from their file. `token` makes a valid token. */
export function writtenMutations(token: () => string): Record<string, Seeded> {
  const groups: Group[] = fixture('conformance/mutations.yaml')
  return Object.fromEntries(
    groups.flatMap(({ mutations, ...shared }) =>
      Object.entries(mutations).map(([name, { notice, ofMany = false, flags = [], ...words }]) => {
        const bends = Object.entries(words).map(([word, value]) => {
          const bend = WORDS[word]
          if (bend === undefined) throw new Error(`${name}: no such word: ${word}`)
          return bend(value, token)
        })
        return [name, Object.assign({ ...shared, notice, ofMany, flags }, ...bends)]
      }),
    ),
  )
}
