import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { yamlDocument } from '../../../../src/lib/output/formats/yaml.ts'

test('text that another reader would take for something else is quoted', () => {
  expect(yamlDocument({ country: 'NO', created: '2026-03-01 10:00:00Z', sku: '0123', on: 'yes' })).toBe(
    'country: "NO"\ncreated: "2026-03-01 10:00:00Z"\nsku: "0123"\n"on": "yes"\n',
  )
  expect(yamlDocument({ '=': '=', a: '==' })).toBe('"=": "="\na: ==\n')
})

test('exact numbers are written with the digits sent', () => {
  expect(yamlDocument({ a: new LosslessNumber('12345678901234567890'), b: 12.5 })).toBe(
    'a: 12345678901234567890\nb: 12.5\n',
  )
})

test('control and reordering characters are escaped, in keys too, and read back the same', () => {
  const value = { 'k\x9b': 'a\x1b[31m\x85\u2028\u202e\u200b\u{e0041}', lines: 'one\ntwo\x7f' }
  const text = yamlDocument(value)
  expect(text).not.toMatch(/[^\P{C}\n]|[\u2028\u2029]/u)
  expect(parse(text)).toEqual(value)
})
