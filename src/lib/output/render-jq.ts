import { stringifyJson } from '../wire/json.ts'
import { compileJq } from './formats/jq.ts'
import type { Envelope } from './formats/json.ts'

/** A list, its items in JSON, in UTF-8. */
export interface JsonItems {
  items: AsyncIterable<Uint8Array>
  envelope: Envelope | undefined
}

/** Items that a run of jq gets at once, where it may: each takes milliseconds to begin. */
const PART = 500

/** Words by which a program reaches beyond its input, so that one run of jq differs from several. */
const REACHES_OUT = /\b(?:inputs?|input_line_number|input_filename|halt|halt_error)\b|\$__loc__/

/** Runs a program over a list as one document; yields a text for each result. Throws as `compileJq` does. */
export async function* jqOfList(expression: string, { items, envelope }: JsonItems): AsyncGenerator<string> {
  const filter = await compileJq(expression)
  const all: Uint8Array[] = []
  for await (const item of items) all.push(item)
  yield* filter(documentOf(all, envelope?.key, envelope?.rest()))
}

/** Runs a program over one item after the other, as they arrive. Throws as `compileJq` does. */
export async function* jqOfEach(
  expression: string,
  items: AsyncIterable<Uint8Array>,
): AsyncGenerator<string> {
  if (REACHES_OUT.test(expression)) {
    const filter = await compileJq(expression)
    for await (const item of items) yield* filter(item)
    return
  }
  // The line feed ends a comment.
  const filter = await compileJq(`.[] | (${expression.trim() || '.'}\n)`, expression)
  for await (const part of asTheyCome(items)) yield* filter(documentOf(part))
}

/** Yields the items that are there together, at most `PART` of them. */
async function* asTheyCome<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  for (let first = await next; !first.done; first = await next) {
    const part = [first.value]
    next = iterator.next()
    while (part.length < PART) {
      const more = await Promise.race([next, later()])
      if (more === undefined || more.done) break
      part.push(more.value)
      next = iterator.next()
    }
    yield part
  }
}

function later(): Promise<undefined> {
  return new Promise((resolve) => setImmediate(resolve, undefined))
}

function documentOf(
  items: readonly Uint8Array[],
  key?: string,
  rest: Record<string, unknown> = {},
): Uint8Array {
  const comma = Buffer.from(',')
  const list = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]))
  const [before, after] =
    key === undefined ? ['[', ']'] : [`{${stringifyJson(key)}:[`, `]${membersOf(rest)}}`]
  return Buffer.concat([Buffer.from(before), ...list, Buffer.from(after)])
}

function membersOf(rest: Record<string, unknown>): string {
  const members = Object.entries(rest).map(
    ([name, value]) => `,${stringifyJson(name)}:${stringifyJson(value)}`,
  )
  return members.join('')
}
