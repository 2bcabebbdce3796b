import { expect, test } from 'vitest'
import { visible } from '../../../src/lib/output/visible.ts'

test.each([
  ['plain text', 'plain text'],
  ['García Müller 北京 Ωμέγα', 'García Müller 北京 Ωμέγα'],
  ['\x1b[31mred\x1b[0m', '\\x1b[31mred\\x1b[0m'],
  ['a\nb\r\tc\0', 'a\\nb\\r\\tc\\x00'],
  ['\x7f\x9b1m\u0085', '\\x7f\\x9b1m\\x85'],
  ['invoice\u202efdp.exe', 'invoice\\u{202e}fdp.exe'],
  ['\u2066a\u2069\u200e\u200f', '\\u{2066}a\\u{2069}\\u{200e}\\u{200f}'],
  ['pay\u200bpal \ufeff\u2060\u00ad\u3164', 'pay\\u{200b}pal \\u{feff}\\u{2060}\\xad\\u{3164}'],
  ['line\u2028\u2029', 'line\\u{2028}\\u{2029}'],
  ['lone \ud83d and \ude00', 'lone \\u{d83d} and \\u{de00}'],
  ['a\u200db', 'a\\u{200d}b'],
  ['tag \u{e0041}', 'tag \\u{e0041}'],
  // Scripts that need invisible characters stay unchanged.
  ['👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽', '👩‍👩‍👧 ❤️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽'],
  ['葛\u{e0100}城', '葛\u{e0100}城'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['\u0301x', '\\u{301}x'],
  ['e\u0301', 'e\u0301'],
])('%j is shown as %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('only line feeds are kept, and only when lines are requested', () => {
  expect(visible('a\nb\r\n\x1b', 'lines')).toBe('a\nb\\r\n\\x1b')
})
