import type { RuleBook } from '../methods/rule-book.ts'
import type { Store } from '../store/store.ts'

/** Ms since the epoch. */
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
  /** URL as the client sees it. */
  url: Readonly<URL>
  part(name: string): string
  body(): Promise<string>
  /** Ms since the epoch. */
  now: number
}

export interface Operation {
  method: 'GET' | 'POST' | 'PUT'
  /** After the prefix, its parts named as `:returnId`. */
  path: string
  /** The body of the answer. @throws ApiError for every other answer than 200 */
  answer(call: Call): object | Promise<object>
}
