// Cuts Noto Sans down to what the sandbox's labels need of it: outlines of Chinese, Japanese and Korean characters in
// one weight on a coarse grid, a file for each range of code points. `node label-font.mjs` writes
// src/lib/sandbox/labels/glyphs/ afresh.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { Face, Font, Blob as FontBlob, Variation } from 'harfbuzzjs'
import decompress from 'woff2-encoder/decompress'

const require = createRequire(import.meta.url)
export const GLYPHS_FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'src/lib/sandbox/labels/glyphs')

/** Squares of the grid that an em has. */
const GRID = 200
/** Medium: thin strokes do not break on a thermal printer, and dense characters stay open. */
const WEIGHT = 500

const HANGUL = /[\u3131-\u318e\uac00-\ud7a3]/
const HAN = /[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\ufa0e-\ufa29\u{20000}-\u{3ffff}]/u
const LATIN = /[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/
const SIGNS = /[\u3001-\u303f\u3041-\u30ff\u31f0-\u31ff]/

/** What is taken from which font. Of characters that several have the first has it: Japanese forms before Chinese ones. */
const FONTS = [
  [require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'), (character) => HANGUL.test(character)],
  [
    require.resolve('@fontsource-variable/noto-sans-jp/unicode.json'),
    (character) => LATIN.test(character) || SIGNS.test(character) || HAN.test(character),
  ],
  [require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'), (character) => HAN.test(character)],
]

/** Files by name, with their first and last code points. */
export const RANGES = {
  signs: [0x20, 0x33ff],
  'han-3400': [0x3400, 0x56ff],
  'han-5700': [0x5700, 0x68ff],
  'han-6900': [0x6900, 0x7bff],
  'han-7c00': [0x7c00, 0x8eff],
  'han-8f00': [0x8f00, 0x9fff],
  hangul: [0xac00, 0xd7a3],
  'han-fa0e': [0xfa0e, 0x3ffff],
}

/** The text of the file of a range. */
export async function makeGlyphFile(name) {
  const glyphs = new Map()
  for (const [index, isTaken] of FONTS) {
    for (const [slice, codes] of slices(index)) {
      const wanted = codes.filter(
        (code) =>
          code >= RANGES[name][0] &&
          code <= RANGES[name][1] &&
          !glyphs.has(code) &&
          isTaken(String.fromCodePoint(code)),
      )
      if (wanted.length > 0) await cut(slice, wanted, glyphs)
    }
  }
  const source =
    'Noto Sans JP, KR and SC, © 2014-2021 Adobe, SIL Open Font License 1.1, cut down: see OFL.txt'
  return `${JSON.stringify({ source, glyphs: packed(glyphs).toString('base64') }, null, 2)}\n`
}

/** Files of a font with the code points that each has, as the font's index lists them. */
function slices(index) {
  const ranges = JSON.parse(readFileSync(index, 'utf8'))
  const folder = join(dirname(index), 'files')
  return readdirSync(folder)
    .map((file) => [file, file.match(/^noto-sans-[a-z]+-(.+)-wght-normal\.woff2$/)?.[1]])
    .filter(([, slice]) => slice !== undefined)
    .map(([file, slice]) => {
      const text = ranges[slice] ?? ranges[`[${slice}]`]
      const codes = text.split(',').flatMap((range) => {
        const [from, to = from] = range
          .replace('U+', '')
          .split('-')
          .map((hex) => Number.parseInt(hex, 16))
        return Array.from({ length: to - from + 1 }, (_, i) => from + i)
      })
      return [join(folder, file), codes]
    })
}

async function cut(file, codes, glyphs) {
  const { buffer, byteOffset, length } = await decompress(readFileSync(file))
  const font = new Font(new Face(new FontBlob(buffer.slice(byteOffset, byteOffset + length))))
  font.setVariations([new Variation('wght', WEIGHT)])
  for (const code of codes) {
    const glyph = font.nominalGlyph(code)
    if (glyph === undefined) continue
    glyphs.set(code, {
      advance: onGrid(font.glyphHAdvance(glyph)),
      contours: contours(font.glyphToPath(glyph)),
    })
  }
}

const onGrid = (units) => Math.round((units * GRID) / 1000)

/** Closed contours as points on and off the curve, as TrueType has them; what the grid makes superfluous is left out. */
function contours(path) {
  return path
    .split('M')
    .slice(1)
    .map((contour) => {
      const points = [...`L${contour}`.matchAll(/([LQ])([^LQZ]*)/g)].flatMap(([, command, text]) => {
        const [x, y, ...end] = text.trim().split(/[ ,]+/).map(Number).map(onGrid)
        return [
          { x, y, isOn: command === 'L' },
          ...(command === 'Q' ? [{ x: end[0], y: end[1], isOn: true }] : []),
        ]
      })
      return [isRepeated, isOnLine, isImplied].reduce(
        (left, isSuperfluous) =>
          left.filter((point, i) => !isSuperfluous(point, left.at(i - 1), left[(i + 1) % left.length], i)),
        points,
      )
    })
    .filter((points) => points.length > 2)
}

const isRepeated = (point, _before, after) =>
  point.isOn && after.isOn && point.x === after.x && point.y === after.y

const isOnLine = (point, before, after) =>
  point.isOn &&
  before.isOn &&
  after.isOn &&
  (point.x - before.x) * (after.y - before.y) === (point.y - before.y) * (after.x - before.x)

/** In the middle between two points off the curve. The first of a contour is always kept: there it begins. */
const isImplied = (point, before, after, i) =>
  i > 0 &&
  point.isOn &&
  !before.isOn &&
  !after.isOn &&
  Math.abs(before.x + after.x - 2 * point.x) <= 1 &&
  Math.abs(before.y + after.y - 2 * point.y) <= 1

/**
 * Numbers of 7 bits a byte, lowest first: how many glyphs; for each the step of its code point, its length in bytes and its
 * advance; then the glyphs: how many contours, and for each how many points, with their steps in x and y, the latter
 * doubled and with a bit for what is on the curve.
 */
function packed(glyphs) {
  const heads = []
  const bodies = []
  let last = 0
  for (const [code, { advance, contours }] of [...glyphs].sort(([a], [b]) => a - b)) {
    const body = number(contours.length)
    let [x, y] = [0, 0]
    for (const points of contours) {
      body.push(...number(points.length))
      for (const point of points) {
        body.push(...step(point.x - x), ...step((point.y - y) * 2 + (point.isOn ? 1 : 0)))
        x = point.x
        y = point.y
      }
    }
    heads.push(...number(code - last), ...number(body.length), ...number(advance))
    bodies.push(...body)
    last = code
  }
  const bytes = Buffer.from([...number(glyphs.size), ...heads, ...bodies])
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_SIZE_HINT } = constants
  return brotliCompressSync(bytes, {
    params: { [BROTLI_PARAM_LGWIN]: 24, [BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
}

function number(value) {
  return value > 127 ? [(value % 128) + 128, ...number(Math.floor(value / 128))] : [value]
}

/** A signed byte, or -128 and two bytes. This compresses better than signs in the lowest bit do. */
function step(value) {
  return Math.abs(value) < 128 ? [value & 255] : [128, value & 255, (value >> 8) & 255]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  rmSync(GLYPHS_FOLDER, { recursive: true, force: true })
  mkdirSync(GLYPHS_FOLDER)
  for (const name of Object.keys(RANGES)) {
    writeFileSync(join(GLYPHS_FOLDER, `${name}.json`), await makeGlyphFile(name))
  }
  const licence = readFileSync(require.resolve('@fontsource-variable/noto-sans-jp/LICENSE'), 'utf8')
  const text = licence.slice(licence.indexOf('This Font Software'))
  writeFileSync(
    join(GLYPHS_FOLDER, 'OFL.txt'),
    `Outlines of Noto Sans JP, Noto Sans KR and Noto Sans SC, cut down to some characters, one weight and a coarse grid.\n\n` +
      `(c) 2014-2021 Adobe (http://www.adobe.com/), with Reserved Font Name 'Source'.\n\n${text}`,
  )
}
