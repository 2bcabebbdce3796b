import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Face, Font, Blob as FontBlob, Variation } from 'harfbuzzjs'
import { describe, expect, test } from 'vitest'
import decompress from 'woff2-encoder/decompress'
import { GLYPHS_FOLDER, makeGlyphFile, RANGES } from '../../../../label-font.mjs'
import { COUNTRIES } from '../../../../src/lib/sandbox/demo/countries.ts'
import { printable } from '../../../../src/lib/sandbox/labels/latin.ts'
import { EM, outlinesFor } from '../../../../src/lib/sandbox/labels/outlines.ts'

const committed = (name: string) => readFileSync(join(GLYPHS_FOLDER, `${name}.json`), 'utf8')

/** All characters of some ranges of code points. */
const characters = (...ranges: [from: number, to: number][]) =>
  ranges
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
    .map((code) => String.fromCodePoint(code))
    .join('')

async function missing(text: string) {
  const outlines = await outlinesFor(text)
  return [...text].filter((character) => outlines?.shown(character) !== character)
}

// The others take half a minute.
test.each(['signs', 'han-fa0e'])('the file of %s is what label-font.mjs makes', async (name) => {
  // Not toBe: a difference of so many characters is of no help.
  expect(committed(name) === (await makeGlyphFile(name)), 'run: node label-font.mjs').toBe(true)
})

test('the files are those of the ranges, small enough, and with their licence', () => {
  const files = Object.keys(RANGES).map((name) => `${name}.json`)
  expect(readdirSync(GLYPHS_FOLDER).sort()).toEqual([...files, 'OFL.txt'].sort())
  const sizes = Object.keys(RANGES).map((name) => committed(name).length)
  expect(Math.max(...sizes)).toBeLessThan(1_000_000)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(3_200_000)
})

describe('there is a glyph for', () => {
  test('everything in the demo data', async () => {
    const text = printableTexts(COUNTRIES).join('')
    expect(text).toContain('渋谷区')
    expect(text).toContain('서울특별시')
    expect(await missing(text)).toEqual([])
  })

  test.each([
    ['all syllables of Korean', 0, characters([0xac00, 0xd7a3])],
    ['all kana', 0, characters([0x3041, 0x3096], [0x30a1, 0x30fa])],
    ['the characters of Shift_JIS', 0, encoded('shift_jis', [0x88, 0x9f], [0xe0, 0xea])],
    ['names that few fonts have', 0, '髙﨑𠮷邊邉濵'],
    // Noto's fonts for the web leave a few out.
    ['the 6,763 characters of GB 2312', 22, encoded('gb18030', [0xb0, 0xf7]).replace(/[\ue000-\uf8ff]/g, '')],
    ['the common characters of Big5', 26, encoded('big5', [0xa4, 0xc5])],
  ])('%s but for %i', async (_, count, text) => {
    expect(await missing(text)).toHaveLength(count)
  })
})

test('of a character without a glyph a question mark is shown', async () => {
  const outlines = await outlinesFor('空\u{3fffe}')
  expect(outlines?.shown('\u{3fffe}')).toBe('?')
  expect(outlines?.glyph('\u{3fffe}')).toEqual(outlines?.glyph('?'))
  expect(outlines?.glyph('空').advance).toBe(EM)
})

test('text that all fonts have needs no outlines', async () => {
  expect(await outlinesFor('Peña & Cía. – 5 €')).toBeUndefined()
})

test('outlines are those of the font, as HarfBuzz draws them', async () => {
  const file = 'node_modules/@fontsource-variable/noto-sans-jp/files/noto-sans-jp-latin-wght-normal.woff2'
  const bytes = await decompress(readFileSync(join(import.meta.dirname, '../../../..', file)))
  const font = new Font(new Face(new FontBlob(new Uint8Array(bytes).buffer)))
  font.setVariations([new Variation('wght', 500)])
  const outlines = await outlinesFor('空')
  for (const character of 'AOSa8&§') {
    const path = font.glyphToPath(font.nominalGlyph(character.codePointAt(0) ?? 0) ?? 0)
    const drawn = [...path.matchAll(/([MLQ])([^MLQZ]*)/g)].map(([, command, numbers = '']) => ({
      command,
      points: numbers
        .trim()
        .split(/[ ,]+/)
        .map((units) => (Number(units) * EM) / 1000),
    }))
    const ours = outlines
      ?.glyph(character)
      .contours.flatMap(({ start, segments }) => [
        { command: 'M', points: [...start] },
        ...segments.map(({ by, to }) => ({ command: by ? 'Q' : 'L', points: by ? [...by, ...to] : [...to] })),
      ])
    expect(ours?.map(({ command }) => command)).toEqual(drawn.map(({ command }) => command))
    const pairs = drawn.flatMap(({ points }, i) =>
      points.map((at, j) => Math.abs(at - (ours?.[i]?.points[j] ?? NaN))),
    )
    expect(Math.max(...pairs)).toBeLessThan(1.1)
  }
})

test('every outline is closed and near its em', async () => {
  // Some of each file.
  const text = [...characters([0x3041, 0x9fff], [0xac00, 0xd7a3])].filter((_, i) => i % 23 === 0).join('')
  const outlines = await outlinesFor(text)
  const strange = [...text].filter((character) => {
    const { advance, contours = [] } = outlines?.glyph(character) ?? {}
    const points = contours.flatMap(({ segments }) =>
      segments.flatMap(({ by, to }) => (by === undefined ? [to] : [by, to])),
    )
    const isClosed = contours.every(({ start, segments }) => `${segments.at(-1)?.to}` === `${start}`)
    const isNear = points.every(([x, y]) => x > -0.3 * EM && x < 1.3 * EM && y > -0.4 * EM && y < 1.1 * EM)
    return advance === undefined || advance > EM || !isClosed || !isNear
  })
  expect(strange).toEqual([])
})

/** All characters of two bytes of an encoding, the first of them between two. */
function encoded(encoding: string, ...leads: [from: number, to: number][]): string {
  const decoder = new TextDecoder(encoding)
  const seconds = Array.from({ length: 0xff - 0x40 }, (_, i) => 0x40 + i)
  const isKept = (second: number) => encoding !== 'gb18030' || second >= 0xa1
  return leads
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i))
    .flatMap((lead) => seconds.filter(isKept).map((second) => decoder.decode(new Uint8Array([lead, second]))))
    .filter((text) => [...text].length === 1 && !text.includes('\ufffd'))
    .join('')
}

function printableTexts(value: unknown): string[] {
  if (typeof value === 'string') return [printable(value)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(printableTexts) : []
}
