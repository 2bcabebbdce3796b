import fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable } from '../../../src/lib/sandbox/labels/content.ts'
import { s10CheckDigit, trackingCode } from '../../../src/lib/sandbox/labels/operations.ts'
import { anyCharacter } from '../../helpers/any-character.ts'

test('parcels have tracking codes of their own, with right check digits', () => {
  fc.assert(
    fc.property(fc.nat({ max: 99_999_999 }), fc.nat({ max: 99_999_999 }), (a, b) => {
      fc.pre(a !== b)
      const [one, two] = [trackingCode('SBX', 'ES', a), trackingCode('SBX', 'ES', b)]
      expect(one).toMatch(/^SX\d{9}ES$/)
      expect(one.at(10)).toBe(s10CheckDigit(one.slice(2, 10)))
      expect(one).not.toBe(two)
    }),
  )
})

test('a wrong digit, or two swapped neighbours, is noticed', () => {
  const serial = fc.stringMatching(/^\d{8}$/)
  fc.assert(
    fc.property(serial, fc.nat({ max: 7 }), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
      const wrong = [...digits].map((d, i) => (i === at ? String((Number(d) + by) % 10) : d)).join('')
      // Remainders 0 and 10 share no digit with others but 5 and 0 do: those alone may hide a fault.
      const [right, other] = [s10CheckDigit(digits), s10CheckDigit(wrong)]
      if (!'05'.includes(right)) expect(other).not.toBe(right)
    }),
  )
})

test('printable text has only characters of the fonts, and stays the same when printed again', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => {
      const shown = printable(text)
      expect(shown).toMatch(/^[\x20-\x7e\xa1-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/)
      expect(printable(shown)).toBe(shown)
    }),
    { numRuns: 500 },
  )
})
