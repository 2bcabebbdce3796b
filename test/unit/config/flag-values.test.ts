import { expect, test } from 'vitest'
import { matchWord, readWord } from '../../../src/lib/config/flag-values.ts'
import * as enumerations from '../../../src/lib/wire/enumerations.ts'
import { wordsOf } from '../../../src/lib/wire/words.ts'

const { PUDO_LOCATION_TYPES, REFUND_MODES, REFUND_TYPES, RETURN_STATUSES, TRANSPORTATION_STATUSES } =
  enumerations

test.each([
  ['returnStatus', RETURN_STATUSES],
  ['transportStatus', TRANSPORTATION_STATUSES],
  ['refundType', REFUND_TYPES],
  ['refundMode', REFUND_MODES],
  ['locationType', PUDO_LOCATION_TYPES],
] as const)(
  'takes each %s as its code, as its words, and by a beginning that no other has',
  (kind, words) => {
    const list = { what: 'a code', words, kind }
    for (const code of words) {
      const said = wordsOf(kind, code)
      for (const typed of [
        code,
        code.toLowerCase(),
        said,
        said.toUpperCase(),
        ` ${said} `,
        code.replaceAll('_', '-'),
      ])
        expect(matchWord('--flag', typed, list)).toBe(code)
      const isOthers = (start: string) =>
        words.some(
          (other) =>
            other !== code &&
            [other, wordsOf(kind, other).toUpperCase().replace(/\W+/g, '_')].some((one) =>
              one.startsWith(start),
            ),
        )
      for (let length = 1; length < code.length; length += 1) {
        const start = code.slice(0, length)
        if (!isOthers(start)) expect(matchWord('--flag', start, list)).toBe(code)
      }
    }
  },
)

test('names the codes that a beginning fits, and sends only what matches nothing as it is', () => {
  const list = { what: 'a status', words: RETURN_STATUSES, kind: 'returnStatus' } as const
  const hints = [
    '--status PENDING (waiting for the parcel)',
    '--status NEEDS_VALIDATION (waiting for approval)',
  ]
  expect(() => readWord('--status', 'waiting', list)).toThrow(
    expect.objectContaining({ kind: 'usage', hints }),
  )
  expect(readWord('--status', 'wating for approval', list)).toMatchObject({
    value: 'wating for approval',
    note: expect.any(String),
  })
})
