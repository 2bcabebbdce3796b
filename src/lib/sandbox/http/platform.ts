import type { RuleBook } from '../methods/rule-book.ts'
import type { Store } from '../store/store.ts'
import { ApiError, type Reply } from './answers.ts'
import type { ReceivedRequest } from './received-request.ts'

/** Epoch milliseconds. */
export interface Clock {
  now(): number
}

export interface Platform {
  store: Pick<Store, 'read' | 'write' | 'meta'>
  clock: Clock
  rules(): Promise<RuleBook>
  sleep(ms: number): Promise<void>
}

export interface Call {
  platform: Platform
  tokenShops: readonly string[]
  url: Readonly<URL>
  pathParam(name: string): string
  body(): string
  now: number
}

export interface Operation {
  method: 'GET' | 'POST' | 'PUT'
  /** Path after the prefix, with parameters such as `:returnId`. */
  path: string
  answer(call: Call): object | Promise<object>
}

type PathParam = (name: string) => string

type Answering = (request: ReceivedRequest, pathParam: PathParam) => Reply | Promise<Reply>

export class Routes {
  readonly #paths = new Map<string, { pattern: RegExp; methods: Map<string, Answering> }>()

  add(method: string, path: string, answer: Answering) {
    const pattern = new RegExp(`^${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`)
    const { methods } = this.#paths.get(path) ?? { methods: new Map<string, Answering>() }
    this.#paths.set(path, { pattern, methods: methods.set(method, answer) })
  }

  async answer(request: ReceivedRequest): Promise<Reply> {
    const { method, url } = request
    const path = url.pathname
    const [methods, params] = this.#find(path)
    if (methods === undefined) throw ApiError.of(404, 'NF01', `No such path: ${decoded(path)}`)
    const answer = methods.get(method === 'HEAD' ? 'GET' : method)
    if (answer === undefined) {
      const allow = [...methods.keys()].flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
      throw ApiError.of(405, 'MA01', `${method} is not allowed here`, { allow: allow.join(', ') })
    }
    return answer(request, (name) => decoded(params?.[name] ?? ''))
  }

  #find(path: string) {
    for (const { pattern, methods } of this.#paths.values()) {
      const found = pattern.exec(path)
      if (found) return [methods, found.groups] as const
    }
    return [undefined, undefined] as const
  }
}

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
