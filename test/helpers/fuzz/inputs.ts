import fc from 'fast-check'
import { ODD_TEXTS } from './bent-json.ts'

/** Longest input; size limits have their own tests. */
export const MAX_BYTES = 1024

const part = fc.oneof(
  fc.constantFrom(...ODD_TEXTS).map((text) => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom(...',;:"\'\\{}[]()<>/=&%^~\n\r\t\f -+.#@').map((sign) => Buffer.from(sign)),
)

const edit = fc.record({
  kind: fc.constantFrom('insert', 'replace', 'remove', 'repeat', 'join', 'cut'),
  at: fc.nat(MAX_BYTES),
  length: fc.oneof(fc.nat(3), fc.nat(60)),
  part,
})
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never

function edited(bytes: Buffer, { kind, at, length, part }: Edit, other: Buffer): Buffer {
  const start = at % (bytes.length + 1)
  const [head, middle, tail] = [
    bytes.subarray(0, start),
    bytes.subarray(start, start + length),
    bytes.subarray(start + length),
  ]
  if (kind === 'insert') return Buffer.concat([head, part, middle, tail])
  if (kind === 'replace') return Buffer.concat([head, part, tail])
  if (kind === 'remove') return Buffer.concat([head, tail])
  if (kind === 'repeat') return Buffer.concat([head, ...Array(1 + (at % 9)).fill(middle), tail])
  return kind === 'cut' ? head : Buffer.concat([head, other.subarray(at % (other.length + 1))])
}

/** Mutates members of a growing corpus in a few places. */
export function changedInputs(corpus: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const member = fc.nat(1_000_000).map((at) => corpus[at % corpus.length] ?? Buffer.alloc(0))
  return fc
    .tuple(member, member, fc.array(edit, { maxLength: 4 }))
    .map(([one, other, edits]) =>
      edits.reduce((bytes, each) => edited(bytes, each, other), one).subarray(0, MAX_BYTES),
    )
}
