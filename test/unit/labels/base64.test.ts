import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Base64Error, decodeBase64 } from '../../../src/lib/labels/base64.ts'

const decode = (source: string | string[]) => Buffer.concat([...decodeBase64(source)])

describe('decodeBase64', () => {
  const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x00, 0x41])

  it.each([
    ['plain', '+//+AEE='],
    ['without padding', '+//+AEE'],
    ['URL-safe', '-__-AEE='],
    ['URL-safe without padding', '-__-AEE'],
    ['with line breaks', '+//+\r\nAEE=\r\n'],
    ['with blanks inside the padding and before', ' +/\t/+A EE =\n'],
    ['as a data URL', 'data:application/pdf;base64,+//+AEE='],
    ['as a data URL with parameters', '\n DATA:application/pdf;name="a.pdf";BASE64,\n+//+AEE='],
  ])('reads text %s', (_name, text) => {
    expect(decode(text)).toEqual(bytes)
    expect(decode([...text])).toEqual(bytes)
  })

  it.each([0, 1, 2, 3, 4, 5 * 1024 * 1024])('gives back %d bytes exactly', (size) => {
    const content = randomBytes(size)
    const text = content.toString('base64')
    expect(decode(text).equals(content)).toBe(true)
    expect(decode(text.replace(/.{76}/g, '$&\r\n')).equals(content)).toBe(true)
  })

  it('reads text whose beginning looks like a data URL', () => {
    expect(decode('dataQUJD').toString('base64')).toBe('dataQUJD')
    expect(decode(['da', 'ta'])).toHaveLength(3)
  })

  it.each([
    ['a length that no bytes have', 'AAAAA', 'the text breaks off at character 5'],
    ['bits left over', 'AAAAAB', 'the text breaks off at character 6'],
    ['a wrong character', 'AA\nA*AAA', '"*" is not a base64 character at character 5'],
    ['a letter of another script', 'AAAé', '"é" is not a base64 character at character 4'],
    ['more after the padding', 'AA==\nAAAA', 'there is more after the padding at character 6'],
    ['a letter inside the padding', 'AA=A', 'there is more after the padding at character 4'],
    ['too little padding', 'AAAAAA=', 'the padding does not fit the length at character 7'],
    ['too much padding', 'AAA==', 'the padding does not fit the length at character 4'],
    ['padding alone', '==', 'the padding does not fit the length at character 1'],
    [
      'a data URL in percent encoding',
      'data:text/plain,abc',
      'a data URL that is not base64 at character 16',
    ],
    ['a wrong character in a data URL', 'data:;base64,AA!A', '"!" is not a base64 character at character 16'],
    ['a data URL that ends early', 'data:app', '":" is not a base64 character at character 5'],
    ['a web page', '<html>', '"<" is not a base64 character at character 1'],
  ])('refuses %s', (_name, text, message) => {
    for (const source of [text, [...text]]) {
      expect(() => decode(source)).toThrow(expect.objectContaining({ name: 'Base64Error', message }))
    }
  })

  it('finds a fault far into the text, and hands out no more than a slice at a time', () => {
    const text = `${'A'.repeat(3_000_000)}?`
    const sizes: number[] = []
    let fault: unknown
    try {
      for (const slice of decodeBase64(text)) sizes.push(slice.length)
    } catch (error) {
      fault = error
    }
    expect(fault).toBeInstanceOf(Base64Error)
    expect(fault).toMatchObject({ position: 3_000_001 })
    expect(Math.max(...sizes)).toBeLessThanOrEqual(200_000)
  })
})
