import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, parseJsonBytes, type SentItem, stringifyJson } from '../../../src/lib/wire/json.ts'
import { asText, at } from '../../../src/lib/wire/raw.ts'
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
function exactValue(text: string): string {
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
      // As text, because there -0 and 0 are the same, as they are to whoever reads JSON.
      expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(JSON.parse(json)))
      expect(written).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/)
    }),
    { numRuns: 500 },
  )
})

const value = fc.oneof(
  fc.constant('b'),
  fc.string({ unit: 'grapheme-ascii' }),
  fc.jsonValue({ stringUnit: anyCharacter }),
)

/** JSON as others write it: with and without white space, and with escapes that we don't write. */
const written = fc
  .tuple(
    fc.array(fc.dictionary(fc.oneof(fc.constant('b'), fc.string({ unit: anyCharacter })), value), {
      maxLength: 4,
    }),
    fc.array(literal, { maxLength: 4 }),
    fc.constantFrom(undefined, 1, '\t'),
    fc.boolean(),
  )
  .map(([records, numbers, indent, isEscaped]) => {
    const list = [...records, ...numbers.map((_, index) => ({ number: `@${index}@` })), null]
    const json = JSON.stringify({ a: [{}], returns: list, b: 1 }, undefined, indent)
    const exact = json.replace(/"@(\d+)@"/g, (whole, index) => numbers[index] ?? whole)
    return isEscaped
      ? exact.replace(/[^\0-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : exact
  })

test('records of a list, each read alone, are those of the whole, and so is their JSON', () => {
  fc.assert(
    fc.property(written, (text) => {
      const expected = Object(parseJson(text))
      const jsons: string[] = []
      const take = (sent: SentItem) => {
        const item = sent.read()
        jsons.push(Buffer.from(sent.jsonOf(item)).toString())
        expect(sent.textMember()).toEqual(asText(at(item, 'b')))
        return item
      }
      expect(parseJsonBytes(Buffer.from(text), 1e9, { key: 'returns', member: 'b', take })).toEqual(expected)
      // Written again, because keys that are whole numbers stand where they stood.
      const again = jsons.map((json) => stringifyJson(parseJson(json)))
      expect(again).toEqual(expected.returns.map((record: unknown) => stringifyJson(record)))
      expect(jsons.join('')).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/)
    }),
    { numRuns: 500 },
  )
})
