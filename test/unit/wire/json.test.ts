import { isLosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { number } from '../../../src/lib/wire/fields.ts'
import { numberText, parseJson, recordText, stringifyJson } from '../../../src/lib/wire/json.ts'
import { JsonTooComplexError } from '../../../src/lib/wire/json-scan.ts'
import { expectLinear } from '../../helpers/growth.ts'
import { times } from '../../helpers/values-of.ts'

test.each([
  '0',
  '-1',
  '12.5',
  '89.99',
  '0.1',
  '1e3',
  '2.5E-3',
  '123456789012345',
  '0.30000000000000004',
  '5e-324',
  '0.0000001',
  '12.500000000000000000',
  '1.0000000000000001e5',
])('%s fits and is a plain number', (literal) => {
  expect(parseJson(`{"a":[${literal}]}`)).toEqual({ a: [Number(literal)] })
  expect(Number(stringifyJson(parseJson(literal)))).toBe(Number(literal))
})

test.each([
  '9007199254740992',
  '9007199254740993',
  '1000000000000000000000',
  '1e21',
  '-12345678901234567890',
  '0.1234567890123456789',
  '1234567890.1234567890123',
  '1e400',
  '-1E+999',
  '1e-400',
  '1.00000000000000012e5',
  '123456789012345678e-10',
])('%s may not fit and is kept as written', (literal) => {
  for (const json of [literal, `[1.5,${literal}]`, `{"a":{"b":\n ${literal}\n},"c":"${literal}"}`]) {
    expect(stringifyJson(parseJson(json))).toBe(json.replace(/\s/g, ''))
  }
  const value = parseJson(literal)
  expect(isLosslessNumber(value)).toBe(true)
  expect(numberText(value)).toBe(literal)
  expect(number.safeParse(value).success).toBe(true)
})

test('only a number that does not fit is read as exact', () => {
  expect(parseJson('{"id":12345678901234567890,"total":12.50}')).toEqual({
    id: expect.objectContaining({ value: '12345678901234567890' }),
    total: 12.5,
  })
})

test.each([
  [12.5, '12.5'],
  ['12.50', '12.50'],
  [0, '0'],
  [null, ''],
  [undefined, ''],
])('%j is shown as "%s"', (value, shown) => {
  expect(numberText(value)).toBe(shown)
})

const EXACT = '"n":12345678901234567890'

test.each([
  ['texts that look like numbers', '"a":",12345678901234567890, 2E5, [1e400"'],
  ['the last of two equal keys', '"a":1,"a":2'],
  ['a key that names the prototype', '"__proto__":{"x":1}'],
  ['escapes', '"a":"\\u0041\\n\\"\\\\ \\ud83d\\ude00"'],
  ['empty containers', '"a":[],"b":{},"c":""'],
])('parseJson keeps to JSON.parse: %s', (_, members) => {
  const expected = JSON.parse(`{${members}}`)
  expect(parseJson(`{${members}}`)).toEqual(expected)
  const { n, ...rest } = Object(parseJson(`{${members},${EXACT}}`))
  expect(String(n)).toBe('12345678901234567890')
  expect(JSON.stringify(rest)).toBe(JSON.stringify(expected))
})

test.each([
  '',
  '{',
  '{"a":1}}',
  "{'a':1}",
  '[1,]',
  '01',
  '[12345678901234567890',
  '[012345678901234567890]',
  '<html>',
])('%j is a syntax error of JSON', (text) => expect(() => parseJson(text)).toThrow(SyntaxError))

test('a byte-order mark before JSON is ignored', () => {
  expect(parseJson('\ufeff{"a":1}')).toEqual({ a: 1 })
})

const value = { a: [1, { b: 'x' }], c: {}, d: [], e: null, f: undefined }

test('stringifyJson writes what JSON.stringify writes, indented or not, with exact numbers', () => {
  const exact = parseJson('12345678901234567890')
  for (const indent of [undefined, 0, 2]) {
    const plain = JSON.stringify({ ...value, n: 0 }, undefined, indent)
    expect(stringifyJson({ ...value, n: 0 }, indent)).toBe(plain)
    expect(stringifyJson({ ...value, n: exact }, indent)).toBe(
      plain.replace(/0(?=\s*}$)/, '12345678901234567890'),
    )
  }
  expect(stringifyJson(undefined)).toBe('null')
})

test('characters that a terminal would act on are escaped, in values and keys, and nothing else is', () => {
  const unsafe = '\x7f\x80\x9b\x9f\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\x1b'
  const json = stringifyJson({ [unsafe]: unsafe })
  expect(json).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(json)).toEqual({ [unsafe]: unsafe })
  const harmless = 'Ibáñez 日本 👩‍👧 ~ \u200d'
  expect(stringifyJson(harmless)).toBe(`"${harmless}"`)
})

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

test('1,000 levels are read, more are not', () => {
  expect(stringifyJson(parseJson(deep(1000)))).toBe(deep(1000))
  for (const json of [deep(1001), `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`, '['.repeat(5_000_000)]) {
    expect(() => parseJson(json)).toThrow(JsonTooComplexError)
    expect(() => parseJson(json)).toThrow('is nested deeper than 1000 levels')
  }
})

test.each([
  ['brackets', '['.repeat(3000)],
  ['escaped quotation marks', '\\"['.repeat(2000)],
  ['backslashes before the end', `${'['.repeat(2000)}\\\\`],
])('%s in a string count for nothing', (_name, content) => {
  const json = `{"a":"${content}","b":"${content}"}`
  expect(parseJson(json, 3)).toEqual(JSON.parse(json))
})

test('the content of a long string is text, wherever its escapes are', () => {
  for (let length = 250; length < 262; length += 1) {
    for (const escaped of ['\\"', '\\\\', '\\\\\\"', '\\\\\\\\']) {
      const text = `${'x'.repeat(length)}${escaped}${'['.repeat(1001)}`
      const value = parseJson(`{"text":"${text}${escaped}","number":12345678901234567890}`)
      expect(value).toEqual({ text: JSON.parse(`"${text}${escaped}"`), number: expect.anything() })
      expect(stringifyJson(value)).toContain('"number":12345678901234567890')
    }
  }
})

test('siblings do not count as nested, however many', () => {
  expect(parseJson(`[${'[],'.repeat(5000)}[]]`)).toHaveLength(5001)
})

test('the allowed number of values is read, one more is not', () => {
  const list = (count: number) => `[${times(count, (at) => at).join(',')}]`
  expect(parseJson(list(2000), 2000)).toHaveLength(2000)
  expect(() => parseJson(list(2001), 2000)).toThrow('holds more than 2000 values')
})

test('a string without an end is not JSON', () => {
  expect(() => parseJson(`["${'['.repeat(3000)}`)).toThrow(SyntaxError)
})

test('many backslashes take no longer than other characters', () => {
  expectLinear('\\\\', parseJson, ['["', '\\""]'])
})

test.each([
  ['line feeds', '{\n  "a": [\r\n\t1 ]\n}', '{"a":[1]}'],
  ['the last of equal keys', '{"a":1,"b":{"c":1,"c":2},"a":3}', '{"a":3,"b":{"c":2}}'],
  ['a key in two spellings', '{"a":1,"\\u0061":2}', '{"a":2}'],
  ['escapes', '{"a":"\\/\\u00e9\\ud800"}', '{"a":"/é\\ud800"}'],
  [
    'what a terminal would obey',
    '{"a":"\x7f\u009b\u061c\u200e\u202e\u2069"}',
    '{"a":"\\u007f\\u009b\\u061c\\u200e\\u202e\\u2069"}',
  ],
  ['zeros', '{"a":[12.50,-0,1.0,0.0000001,-0.0]}', '{"a":[12.5,0,1,1e-7,0]}'],
  ['exponents', '{"a":[1e3,2E-2]}', '{"a":[1000,0.02]}'],
  ['beyond a double', '{"a":[12345678901234567890,1e400]}', '{"a":[12345678901234567890,1e400]}'],
])('JSON with %s is written anew', (_name, record, json) => {
  expect(stringifyJson(parseJson(record))).toBe(json)
})

const records = (json: string) => Object(parseJson(json)).returns

test('a record is printed as it came, with repeated keys', () => {
  const sent = '{"b":"Málaga","1":[1,-2.5,{"a":null}],"b":"a b"}'
  const [record] = records(`{"returns":[${sent},{"c":[[]]}],"pageInfo":{"a":{"b":1}}}`)
  expect(record).toEqual({ b: 'a b', 1: [1, -2.5, { a: null }] })
  expect(recordText(record)).toBe(sent)
})

test.each(['{"a": 1}', '{"a":"\\u0041"}', '{"a":"\x9b"}', '{"a":1.0}', '{"a":-0}', '{"a":1e2}'])(
  'a record that came as %j is written anew',
  (sent) => {
    const [record, usual] = records(`{"returns":[${sent},{"b":1,"b":2}]}`)
    expect(recordText(record)).toBe(stringifyJson(record))
    expect(recordText(record)).not.toBe(sent)
    expect(recordText(usual)).toBe('{"b":1,"b":2}')
  },
)

test.each(['{"returns":[{"a":1},2],"a":3}', '{"others":[{"a":2}],"returns":[{"a":1}]}'])(
  'a record is never taken for another one: %j',
  (json) => expect(recordText(records(json)[0])).toBe('{"a":1}'),
)
