import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, recordText, stringifyJson } from '../../../src/lib/wire/json.ts'
import { anyCharacter } from '../../helpers/any-character.ts'

const digits = (maxLength: number) => fc.stringMatching(/^\d+$/, { maxLength }).filter((text) => text !== '')

/** Any number that JSON can write, many of them beyond what a double holds. */
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      digits(40).map((text) => text.replace(/^0*/, '1')),
    ),
    fc.option(digits(30), { nil: undefined }),
    fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), fc.nat(450)), {
      nil: undefined,
    }),
  )
  .map(([sign, whole, fraction, exponent]) =>
    [sign, whole, fraction === undefined ? '' : `.${fraction}`, exponent?.join('') ?? ''].join(''),
  )

/** The value of a literal as a fraction-free pair, by integer arithmetic alone: digits × 10^exponent, zeros stripped. */
function exactValue(text: string) {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  let units = BigInt(whole + fraction)
  let power = Number(exponent) - fraction.length
  if (units === 0n) return '0'
  while (units % 10n === 0n) {
    units /= 10n
    power += 1
  }
  return `${mantissa.startsWith('-') && units > 0n ? '-' : ''}${units}e${power}`
}

test('a number that is read and written again has exactly the value that was sent', () => {
  fc.assert(
    fc.property(literal, (text) => {
      for (const written of [
        stringifyJson(parseJson(text)),
        stringifyJson(parseJson(`[${text}]`)).slice(1, -1),
        stringifyJson(parseJson(`{"a": ${text}}`)).slice(5, -1),
      ]) {
        expect(exactValue(written)).toBe(exactValue(text))
      }
    }),
    { numRuns: 2000 },
  )
})

test('any JSON value survives, and what is written is safe to print', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), literal, (value, number) => {
      const json = `{"value":${JSON.stringify(value)},"number":${number}}`
      const written = stringifyJson(parseJson(json))
      // Compared as text, in which -0 and 0 are equal, as for readers of JSON.
      expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(JSON.parse(json)))
      expect(written).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/)
    }),
    { numRuns: 500 },
  )
})

test('a record is printed as it came only if it would be written the same', () => {
  const item = fc.oneof(
    fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue({ stringUnit: anyCharacter })),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(fc.array(item), literal, fc.constantFrom(0, 2), (items, number, indent) => {
      const list = JSON.stringify([...items, { number: 0 }], null, indent).replace(/0(?=\s*\}\s*\]$)/, number)
      const page = Object(parseJson(`{"pageInfo":{"a":{"b":[{}]}},"returns":${list}}`))
      for (const record of page.returns) expect(recordText(record)).toBe(stringifyJson(record))
      expect(page.returns).toHaveLength(items.length + 1)
    }),
    { numRuns: 500 },
  )
})
