import { isLosslessNumber } from 'lossless-json'
import { Document, Scalar, type ScalarTag, visit } from 'yaml'
import type { Envelope } from './json.ts'

/** Control, format and separator characters, which must not reach a terminal, and `=`, a type in YAML 1.1. */
const UNSAFE = /[^\P{C}\n]|[\u2028\u2029]|^=$/u
const UNQUOTED_UNSAFE = /[^\P{C}\n]|[\u2028\u2029]/gu

const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isLosslessNumber,
  resolve: (text) => text,
  stringify: ({ value }) => String(value),
}

/** Quotes strings that YAML 1.1 reads as other types (`NO`, dates). */
export function yamlDocument(value: unknown): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: [exactNumber],
  })
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && UNSAFE.test(node.value)) node.type = Scalar.QUOTE_DOUBLE
    },
  })
  // All but C0 controls are in double quotes by now.
  return document.toString({ lineWidth: 0 }).replace(UNQUOTED_UNSAFE, escaped)
}

/** Yields the text of `yamlDocument` in pieces. */
export async function* yamlList(
  items: Iterable<unknown> | AsyncIterable<unknown>,
  envelope?: Envelope,
): AsyncGenerator<string> {
  let isEmpty = true
  for await (const item of items) {
    const text = yamlDocument(envelope ? { [envelope.key]: [item] } : [item])
    yield envelope && !isEmpty ? text.slice(text.indexOf('\n') + 1) : text
    isEmpty = false
  }
  if (isEmpty) yield yamlDocument(envelope ? { [envelope.key]: [] } : [])
  const rest = envelope?.rest?.() ?? {}
  if (Object.keys(rest).length > 0) yield yamlDocument(rest)
}

function escaped(character: string) {
  const code = character.codePointAt(0) ?? 0
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`
}
