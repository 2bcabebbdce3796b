import { describe, expect, it } from 'vitest'
import { decodeBase64, describeUnknown, sniffFormat } from '../../../../src/lib/labels/folder/label-bytes.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

it.each([
  ['a PDF', '%PDF-1.7\n', 'PDF'],
  ['a PDF after white space', '\r\n \0%PDF-1.4', 'PDF'],
  ['a PDF after a byte-order mark', '\xef\xbb\xbf%PDF-1.4', 'PDF'],
  ['a ZPL label', '^XA^FO10,10^FS^XZ', 'ZPL'],
  ['a ZPL label after line breaks', '\r\n\r\n^XA', 'ZPL'],
  ['a ZPL label in small letters', '^xa', 'ZPL'],
  ['a ZPL label after commands to the printer', '~SD15~TA000\n^XA', 'ZPL'],
  ['what Zebra drivers write', '\x10CT~~CD,~CC^~CT~\n^XA~TA000~JSN^LT0', 'ZPL'],
  ['a graphic longer than the head', `~DGR:LOGO.GRF,9000,90,${'F'.repeat(1100)}`, 'ZPL'],
  ['a PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'PNG'],
  ['nothing', '', undefined],
  ['a web page', '<!DOCTYPE html><p>~SD15 ^XA %PDF-', undefined],
  ['a PDF further down than readers look', `${' '.repeat(1024)}%PDF-1.4`, undefined],
  ['a text that mentions one', 'see %PDF-1.4', undefined],
  ['half a signature', '\x89PNG\r\n', undefined],
])('the format of a label is known by its content: %s', (_name, text, format) => {
  expect(sniffFormat(bytes(text))).toBe(format)
})

it.each([
  ['', 'nothing'],
  ['<!doctype html><title>\n Sign in </title>', 'an HTML page titled "Sign in"'],
  ['<html><h1>Bad \x1b[31mgateway', 'an HTML page that begins with "<html><h1>Bad .[31mgateway"'],
  ['{"error":"gone"}', 'JSON that begins with "{"error":"gone"}"'],
  ['JVBERi0xLjQK', 'base64 text that was encoded twice that begins with "JVBERi0xLjQK"'],
  ['\xff\xd8\xff\xe0', 'a JPEG image that begins with "...."'],
  ['whatever', 'unknown data that begins with "whatever"'],
])('content that is not a label is described: %j', (text, words) => {
  expect(describeUnknown(bytes(text))).toBe(words)
})

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
    expect(decodeBase64(text)).toEqual(bytes)
  })

  it('reads text whose beginning looks like a data URL', () => {
    expect(decodeBase64('dataQUJD').toString('base64')).toBe('dataQUJD')
    expect(decodeBase64('data')).toHaveLength(3)
  })

  it.each([
    ['a length that no bytes have', 'AAAAA', 'the text breaks off at character 5'],
    ['bits left over', 'AAAAAB', 'the text breaks off at character 6'],
    ['a wrong character', 'AA\nA*AAA', '"*" is out of place at character 5'],
    ['a letter of another script', 'AAAé', '"é" is out of place at character 4'],
    ['more after the padding', 'AA==\nAAAA', '"=" is out of place at character 4'],
    ['a letter inside the padding', 'AA=A', '"=" is out of place at character 3'],
    ['too little padding', 'AAAAAA=', 'the text breaks off at character 7'],
    ['too much padding', 'AAA==', 'the text breaks off at character 5'],
    ['a group of padding', 'AAAA====', 'the text breaks off at character 8'],
    ['padding alone', '==', 'the text breaks off at character 2'],
    ['a data URL in percent encoding', 'data:text/plain,abc', '":" is out of place at character 5'],
    ['a wrong character in a data URL', 'data:;base64,AA!A', '"!" is out of place at character 16'],
    ['a data URL that ends early', 'data:app', '":" is out of place at character 5'],
    ['a web page', '<html>', '"<" is out of place at character 1'],
  ])('refuses %s', (_name, text, message) => {
    expect(() => decodeBase64(text)).toThrow(expect.objectContaining({ name: 'Base64Error', message }))
  })

  it('a fault far into the text is found', () => {
    const text = `${'A'.repeat(3_000_000)}?`
    expect(() => decodeBase64(text)).toThrow(expect.objectContaining({ position: 3_000_001 }))
  })
})
