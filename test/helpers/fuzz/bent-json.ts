import fc from 'fast-check'
import { anyCharacter } from '../any-character.ts'

/** JSON text that no JavaScript value has: `1e999`. */
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

const NUMBERS = [
  ...['0', '-0', '-1', '0.1', '1.5', '101', '501', '2147483648', '9007199254740993', '1e5', '1E+2', '-1e-7'],
  ...['1e999', '-1e999', '1e-999', '1e9999999999', '-1e-9999999999', `1e${'9'.repeat(30)}`],
  ...['123456789012345678901234567890', `0.${'0'.repeat(400)}1`, '9'.repeat(400)],
]

/** Texts that somebody will send one day. */
export const ODD_TEXTS = [
  ...['', ' ', '\t\r\n', '0', '-1', '007', '1e5', '1e9999999999', 'NaN', 'Infinity', '0x10', '１２', '1,5'],
  ...[
    'null',
    'undefined',
    'true',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '[object Object]',
  ],
  ...['\0', 'a\0b', '\u001b[31mred', '\u0085', '\u2028', '\u202eevil', '😀', 'e\u0301', '\ufeff', '\uffff'],
  ...[
    '\ud800',
    '\udc00x',
    'x\ud83d',
    "'; DROP TABLE returns; --",
    '%',
    '_',
    '*',
    '"',
    '\\',
    '%00',
    '%ED%A0%80',
  ],
  ...[
    '2026-02-30',
    '2026-02-30T10:00:00',
    '2026-13-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '0000-01-01T00:00:00',
  ],
  ...['0000-01-01T00:00:00+23:59', '9999-12-31T23:59:59-23:59', '2026-03-01T10:00:00+25:00', '+275760-09-13'],
  ...['2026-03-29T02:30:00', '2026-03-01 10:00:00,123456789 Z', '10000-01-01T00:00:00Z', '1969-12-31'],
  ...['Mars/Phobos', '+01:00', 'UTC+1', 'Etc/GMT+14', 'europe/madrid', 'SystemV/AST4', 'localtime'],
  ...['ES', 'XX', 'ZZ', 'es', 'GBR', 'EUR', 'XXX', 'eur', 'http://', 'https://[', 'javascript:alert(1)'],
  ...[
    'R#-',
    'P#R#',
    '-R1',
    'x-R0',
    'SBX_STANDARD',
    'x'.repeat(300),
    '\u0301'.repeat(3000),
    '中'.repeat(5000),
  ],
]

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
        '[null]',
        '[[[]]]',
        '{"__proto__":{"polluted":true}}',
        '{"length":3}',
        '{"toString":null,"valueOf":null,"toJSON":null}',
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
  /** Which of all places, modulo their number. */
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

/** Every place of a tree, as what can be done there. */
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

/** A document as JSON text, bent in one to three places. */
export function bent(document: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc.tuple(document, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    const root: Node[] = [toNode(value)]
    for (const [i, one] of changes.entries()) {
      // Repeated within what is repeated, it would be longer than any body may be.
      if (i > 0 && one.kind === 'repeat') continue
      const places = placesOf(root)
      places[one.at % places.length]?.((node, name) => edited(node, name, one))
    }
    return root.map(write).join('')
  })
}

/** A body that is nothing of the kind: other JSON, half of it, text, bytes. */
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
