import { stringifyJson } from '../../wire/json.ts'

const INDENT = 2

/** Key that a list is wrapped in, and what follows it, asked for after the last item. */
export interface Envelope {
  key: string
  rest(): Record<string, unknown>
}

export function jsonDocument(value: unknown): string {
  return `${stringifyJson(value, INDENT)}\n`
}

export function ndjsonLine(record: unknown): string {
  return `${stringifyJson(record)}\n`
}

/** The text of `jsonDocument` for the whole list, in pieces as items arrive. */
export async function* jsonList(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  envelope?: Envelope,
): AsyncGenerator<string> {
  const margin = ' '.repeat(envelope ? INDENT : 0)
  // Not before the first item: an earlier failure leaves nothing that looks like a result.
  let opening = envelope ? `{\n${margin}${stringifyJson(envelope.key)}: [` : '['
  let isFirst = true
  for await (const item of items) {
    yield `${opening}${isFirst ? '' : ','}\n${indented(item, margin.length + INDENT)}`
    opening = ''
    isFirst = false
  }
  yield isFirst ? `${opening}]` : `\n${margin}]`
  if (envelope) {
    for (const [key, value] of Object.entries(envelope.rest())) {
      yield `,\n${margin}${stringifyJson(key)}: ${indented(value, INDENT).trimStart()}`
    }
    yield '\n}'
  }
  yield '\n'
}

function indented(value: unknown, columns: number): string {
  const margin = ' '.repeat(columns)
  // JSON strings hold no line feeds: each one starts a line of the document.
  return margin + stringifyJson(value, INDENT).replaceAll('\n', `\n${margin}`)
}
