import { recordText, stringifyJson } from '../../wire/json.ts'
import { longTextParts } from '../visible.ts'

const INDENT = 2

/** Object around a list. `rest` is called after the last item. */
export interface Envelope {
  before?: Readonly<Record<string, unknown>>
  key: string
  rest?(): Record<string, unknown>
}

export function jsonDocument(value: unknown): string {
  return `${stringifyJson(value, INDENT)}\n`
}

export function ndjsonLine(record: unknown): string {
  return `${recordText(record)}\n`
}

/** Yields the text of `jsonDocument` piece by piece. */
export async function* jsonList(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  envelope?: Envelope,
): AsyncGenerator<string> {
  const margin = ' '.repeat(envelope ? INDENT : 0)
  // Printing waits for the first item, in case it fails.
  const before = Object.entries(envelope?.before ?? {}).map(([key, value]) => {
    const text = [...indented(value, INDENT)].join('').trimStart()
    return `${margin}${stringifyJson(key)}: ${text},\n`
  })
  let opening = envelope ? `{\n${before.join('')}${margin}${stringifyJson(envelope.key)}: [` : '['
  let isFirst = true
  for await (const item of items) {
    let start = `${opening}${isFirst ? '' : ','}\n`
    for (const part of indented(item, margin.length + INDENT)) {
      yield start + part
      start = ''
    }
    opening = ''
    isFirst = false
  }
  yield isFirst ? `${opening}]` : `\n${margin}]`
  if (envelope) {
    for (const [key, value] of Object.entries(envelope.rest?.() ?? {})) {
      const [first = '', ...others] = indented(value, INDENT)
      yield `,\n${margin}${stringifyJson(key)}: ${first.trimStart()}`
      yield* others
    }
    yield '\n}'
  }
  yield '\n'
}

function* indented(value: unknown, columns: number) {
  const margin = ' '.repeat(columns)
  let start = margin
  for (const part of longTextParts(stringifyJson(value, INDENT))) {
    // Strings hold no line feeds in JSON.
    yield start + part.replaceAll('\n', `\n${margin}`)
    start = ''
  }
}
