import { describe, expect, it } from 'vitest'
import { describeUnknown, sniffFormat } from '../../../src/lib/labels/format.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('the format of a label', () => {
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
  ])('%s', (_name, text, format) => {
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
  ])('what is no label is described: %j', (text, words) => {
    expect(describeUnknown(bytes(text))).toBe(words)
  })
})
