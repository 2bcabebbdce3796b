/**
 * Regenerates src/lib/sandbox/labels/glyphs.json: outlines of the Japanese characters in the sandbox's data, for
 * labels. Run in an empty folder: npm i @fontsource/noto-sans-jp opentype.js; then: node tools/glyphs.mjs FOLDER
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

const PREFECTURES =
  '北海道青森県岩手県宮城県秋田県山形県福島県茨城県栃木県群馬県埼玉県千葉県東京都神奈川県新潟県富山県石川県福井県山梨県長野県岐阜県' +
  '静岡県愛知県三重県滋賀県京都府大阪府兵庫県奈良県和歌山県鳥取県島根県岡山県広島県山口県徳島県香川県愛媛県高知県福岡県佐賀県' +
  '長崎県熊本県大分県宮崎県鹿児島県沖縄県'
const OTHERS =
  '一二三四五六七八九十百千番地号室階丁目東西南北上下左右内外村町市区郡島〒々〆〇〓、。・「」（）ー〜～様御中株式会社有限'
const JAPANESE = /[\u3041-\u3096\u30a1-\u30fa\u3400-\u9fff]/g
const GRID = 64
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** Ascent in the em square; the rest is below the baseline. */
const ABOVE = 880

const folder = resolve(process.argv[2] ?? '.')
const { parse } = createRequire(join(folder, 'package.json'))('opentype.js')
const root = resolve(import.meta.dirname, '..')
const sandbox = join(root, 'src/lib/sandbox')
const texts = readdirSync(sandbox, { recursive: true })
  .filter((path) => path.endsWith('.json') && !path.endsWith('glyphs.json'))
  .map((path) => readFileSync(join(sandbox, path), 'utf8'))
const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i))
const kana = [...range(0x3041, 0x3096), ...range(0x30a1, 0x30fa)]
const wanted = [
  ...new Set([...kana, ...PREFECTURES, ...OTHERS, ...(texts.join('').match(JAPANESE) ?? [])]),
].sort()

const files = join(folder, 'node_modules/@fontsource/noto-sans-jp/files')
const names = readdirSync(files).filter((name) => /-(?:japanese|\d+)-500-normal\.woff$/.test(name))
const fonts = names
  .sort()
  .reverse()
  .map((name) => {
    const { buffer, byteOffset, length } = readFileSync(join(files, name))
    return parse(buffer.slice(byteOffset, byteOffset + length))
  })

const glyphs = {}
for (const character of wanted) {
  const font = fonts.find((one) => one.charToGlyph(character).index > 0)
  if (font === undefined) console.error(`no glyph for ${character}`)
  else glyphs[character] = outlines(font.charToGlyph(character).path.commands)
}
writeFileSync(join(root, 'src/lib/sandbox/labels/glyphs.json'), `${JSON.stringify(glyphs, null, 2)}\n`)

/** Contours separated by spaces. A point is two base-64 digits: x, then y from the top. */
function outlines(commands) {
  const contours = []
  let [x, y] = [0, 0]
  for (const { type, ...to } of commands) {
    if (type === 'M') contours.push([[to.x, to.y]])
    if (type === 'L') contours.at(-1).push([to.x, to.y])
    if (type === 'Q') {
      for (const t of [1 / 3, 2 / 3, 1]) {
        const at = (from, by, end) => (1 - t) ** 2 * from + 2 * t * (1 - t) * by + t ** 2 * end
        contours.at(-1).push([at(x, to.x1, to.x), at(y, to.y1, to.y)])
      }
    }
    if (type === 'C') throw new Error('cubic curves are not expected')
    if (type !== 'Z') [x, y] = [to.x, to.y]
  }
  const digit = (value) => DIGITS[Math.min(GRID - 1, Math.max(0, Math.round((value / 1000) * GRID)))]
  return contours
    .map((points) => points.map(([px, py]) => digit(px) + digit(ABOVE - py)))
    .map((points) => points.filter((point, i) => point !== points.at(i - 1)).join(''))
    .filter((contour) => contour.length > 4)
    .join(' ')
}
