import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isDrawn, partsOf, zplGraphicOf } from '../../../../src/lib/sandbox/labels/glyphs.ts'
import { filesBelow, textFile } from '../../../helpers/files.ts'

test('each kanji and kana of the demo data has a glyph', () => {
  const folder = join('src', 'lib', 'sandbox')
  const files = filesBelow(folder, '.json')
  const texts = files.map((path) => textFile(join(folder, path))).join('')
  const characters = new Set(texts.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu))
  expect(characters.size).toBeGreaterThan(150)
  expect([...characters].filter((character) => !isDrawn(character))).toEqual([])
})

test('text is split into letters of the font and drawn characters', () => {
  expect(partsOf('B棟3階')).toEqual([
    { text: 'B', isDrawn: false },
    { text: '棟', isDrawn: true },
    { text: '3', isDrawn: false },
    { text: '階', isDrawn: true },
  ])
})

test.each([
  ['一', 1],
  ['二', 2],
  ['三', 3],
  ['日', 6],
])('the graphic of %s has the strokes that the character has', (character, changes) => {
  const [, bytes, , bytesPerRow, hex = ''] = zplGraphicOf(character, 32).slice(1).split(',')
  expect([bytes, bytesPerRow, hex.length]).toEqual(['128', '4', 256])
  // Rows of dots from the top, each as its number of stretches: a stroke across is one, the sides of a box are two.
  const rows = hex.match(/.{8}/g)?.map((row) => {
    return Number.parseInt(row, 16).toString(2).split(/0+/).filter(Boolean).length
  })
  const stretches = rows?.filter((count, i) => count > 0 && count !== rows[i - 1]) ?? []
  expect(stretches).toHaveLength(changes)
})
