import { expect, test } from 'vitest'
import { printable } from '../../../../src/lib/sandbox/labels/content.ts'

test.each([
  ['Peña & Cía. «Ñandú» – 5 €', 'Peña & Cía. «Ñandú» – 5 €'],
  ['Łódź, Škoda, Győr, İzmir', 'Lódz, Škoda, Gyor, Izmir'],
  ['Αθήνα Москва Щука', 'Athina Moskva Shchuka'],
  ['空色ストア 返品', 'KongSesutoa FanPin'],
  ['서울특별시'.normalize('NFD'), 'SeoUlTeugByeolSi'],
  ['ビル２Ｆ（東）', 'biru2F(Dong)'],
  ['𠮷'.repeat(200), 'Kichi'.repeat(60)],
  ['שלום عنوان ที่อยู่', 'slvm `nw?n thoy'],
  ['a\u0000b\r\nc\u200bd\u00a0e', 'a b cd e'],
  ['e\u0301 \u{1f600} \ue000\ue001', 'é :grinning: ?'],
  ['', ''],
])('%j is printed as %j', (text, expected) => {
  expect(printable(text)).toBe(expected)
})

test('labels within or with Japan keep Japanese, and mark kanji without a glyph', () => {
  expect(printable('空色ストア 返品 ﾋﾞﾙ２Ｆ', true)).toBe('空色ストア 返品 ビル2F')
  expect(printable('𠮷田', true)).toBe('〓田')
})
