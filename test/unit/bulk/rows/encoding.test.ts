import { describe, expect, it } from 'vitest'
import { Utf8Check } from '../../../../src/lib/bulk/rows/encoding.ts'

const isUtf8In = (bytes: Buffer, size: number) => {
  const check = new Utf8Check()
  for (let at = 0; at < bytes.length; at += size) check.add(bytes.subarray(at, at + size))
  return check.isValid()
}

describe('Utf8Check', () => {
  it.each([
    ['aé', true],
    ['€日', true],
    ['x😀', true],
    [Buffer.from('é').subarray(0, 1), false],
    [Buffer.from('a😀').subarray(0, 4), false],
    [Buffer.from([0x61, 0xfc, 0x62]), false],
    [Buffer.from([0x80, 0x80, 0x80, 0x80]), false],
    [Buffer.from([0xed, 0xa0, 0x80]), false],
  ])('%j: %s, however it is cut', (content, expected) => {
    for (const size of [1, 2, 3, 4, 100]) expect(isUtf8In(Buffer.from(content), size)).toBe(expected)
  })
})
