import fc from 'fast-check'
import { anyCharacter } from '../any-character.ts'
import { fixture } from '../fixture.ts'

/** Raw JSON text for values that JavaScript can't represent, e.g. `1e999`. */
class Literal {
  constructor(readonly text: string) {}
}

/** An object whose members may share a name or be called `__proto__`. */
class Members {
  constructor(readonly entries: [name: string, node: Node][]) {}
}

type Node = Literal | Members | Node[]

const literal = (text: string) => new Literal(text)
const quoted = (text: string) => literal(JSON.stringify(text))

function toNode(value: unknown): Node {
  if (Array.isArray(value)) return value.map(toNode)
  if (typeof value !== 'object' || value === null) return literal(JSON.stringify(value) ?? 'null')
  return new Members(Object.entries(value).map(([name, inner]) => [name, toNode(inner)]))
}

function write(node: Node): string {
  if (node instanceof Literal) return node.text
  if (Array.isArray(node)) return `[${node.map(write).join(',')}]`
  return `{${node.entries.map(([name, inner]) => `${JSON.stringify(name)}:${write(inner)}`).join(',')}}`
}

/** Odd values that clients may send. */
export const ODD: Record<'numbers' | 'texts' | 'values' | 'percent' | 'noise', string[]> & {
  headers: [name: string, value: string][]
} = fixture('fuzz/odd.json')

const NUMBERS = [...ODD.numbers, `0.${'0'.repeat(400)}1`, '9'.repeat(400)]

export const ODD_TEXTS = [...ODD.texts, 'x'.repeat(300), '\u0301'.repeat(3000), '中'.repeat(5000)]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 30 }) },
)

/** Values that can replace a valid one. */
const oddNode: fc.Arbitrary<Node> = fc.oneof(
  { weight: 5, arbitrary: text.map(quoted) },
  { weight: 3, arbitrary: fc.constantFrom(...NUMBERS).map(literal) },
  { weight: 2, arbitrary: fc.constantFrom(...NUMBERS).map(quoted) },
  { weight: 3, arbitrary: fc.constantFrom('null', 'true', 'false', '[]', '{}', '""').map(literal) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        ...ODD.values,
        `${'['.repeat(900)}${']'.repeat(900)}`,
        `${'{"a":'.repeat(900)}1e999${'}'.repeat(900)}`,
        `[${'0,'.repeat(300)}0]`,
        `[${'{},'.repeat(150)}{}]`,
      )
      .map(literal),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map(toNode) },
)

interface Change {
  kind: 'replace' | 'remove' | 'double' | 'wrap' | 'rename' | 'add' | 'repeat'
  /** Index of the place, modulo their number. */
  at: number
  node: Node
  name: string
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(
    'replace',
    'replace',
    'replace',
    'remove',
    'double',
    'wrap',
    'rename',
    'add',
    'repeat',
  ),
  at: fc.nat({ max: 9999 }),
  node: oddNode,
  name: text,
})

/** Every place of a tree with an edit function. */
type Place = (edit: (node: Node, name: string) => [name: string, node: Node][]) => void

function placesOf(node: Node, found: Place[] = []): Place[] {
  if (Array.isArray(node)) {
    for (const inner of node) {
      found.push((edit) => {
        const index = node.indexOf(inner)
        if (index >= 0) node.splice(index, 1, ...edit(inner, '').map(([, changed]) => changed))
      })
      placesOf(inner, found)
    }
  } else if (node instanceof Members) {
    for (const entry of node.entries) {
      found.push((edit) => {
        const index = node.entries.indexOf(entry)
        if (index >= 0) node.entries.splice(index, 1, ...edit(entry[1], entry[0]))
      })
      placesOf(entry[1], found)
    }
  }
  return found
}

function edited(node: Node, name: string, { kind, node: other, name: otherName }: Change): [string, Node][] {
  if (kind === 'replace') return [[name, other]]
  if (kind === 'remove') return []
  if (kind === 'double') {
    return [
      [name, node],
      [name, other],
    ]
  }
  if (kind === 'wrap') return [[name, [node]]]
  if (kind === 'rename') return [[otherName, node]]
  if (kind === 'repeat') return Array.from({ length: 120 }, () => [name, node])
  return [
    [name, node],
    [otherName, other],
  ]
}

/** Returns a document as JSON text with one to three mutations. */
export function bent(document: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(document, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    const root: Node[] = [toNode(value)]
    for (const [i, one] of changes.entries()) {
      // Nested repetition would exceed the body limit.
      if (i > 0 && one.kind === 'repeat') continue
      const places = placesOf(root)
      places[one.at % places.length]?.((node, name) => edited(node, name, one))
    }
    return root.map(write).join('')
  })
}

/** An invalid body: other JSON, truncated JSON, text or bytes. */
export function rubbish(document: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    oddNode.map(write),
    fc.tuple(document, fc.nat(2000)).map(([value, length]) => JSON.stringify(value).slice(0, length)),
    text,
    fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)),
    fc
      .constantFrom(
        '\ufeff{}',
        '{}{}',
        '[1,]',
        "{'a':1}",
        '{"a":01}',
        'NaN',
        '"\\ud800"',
        '"\u0001"',
        '1e999',
        '-',
      )
      .map((body) => body),
    fc.constant('['.repeat(60_000)),
  )
}
