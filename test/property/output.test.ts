import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { csvRow } from '../../src/lib/output/formats/csv.ts'
import { jsonDocument, jsonList } from '../../src/lib/output/formats/json.ts'
import { createTable } from '../../src/lib/output/formats/table.ts'
import { yamlDocument, yamlList } from '../../src/lib/output/formats/yaml.ts'
import { visible } from '../../src/lib/output/visible.ts'
import { displayWidth, prepareWidths, truncate } from '../../src/lib/output/width.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { fixture } from '../helpers/fixture.ts'
import { expectLinear, leastCpuMs } from '../helpers/growth.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

/** Any text, rich in what makes trouble: escapes, marks, wide characters, emoji and their parts. */
const troublesome = fc.constantFrom<string>(...fixture('fuzz/odd.json').characters)
const anyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .array(fc.oneof(troublesome, fc.string({ unit: anyCharacter })), { maxLength: 8 })
      .map((p) => p.join('')),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
)

await prepareWidths()

test('CSV read by another reader has the same cells, but for the mark that disarms formulas', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyText, { minLength: 2, maxLength: 2 }), { minLength: 1 }), (rows) => {
      const read = parse(rows.map(csvRow).join(''), { record_delimiter: '\r\n' })
      const disarmed = rows.map((row) =>
        row.map((cell) =>
          /^[=@\t\r\n＝＠＋－+-]/.test(cell) && !/^[+-][\d .]*\d[\d .]*$/.test(cell) ? `'${cell}` : cell,
        ),
      )
      // Half a surrogate pair has no UTF-8 form, which the other reader goes through.
      expect(read).toEqual(disarmed.map((row) => row.map((cell) => Buffer.from(cell).toString())))
    }),
  )
})

test('no cell of CSV starts a formula', () => {
  fc.assert(
    fc.property(fc.constantFrom('=', '@', '\t', '\r', '+', '-'), anyText, (start, rest) => {
      const [[cell = '']] = parse(csvRow([start + rest, '']), { record_delimiter: '\r\n' }) as [string[]]
      expect(cell).toMatch(/^(?:'|[+-][\d .]+$)/)
    }),
  )
})

test('visible text holds no control character and no lone surrogate, and is stable', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text)
      expect(shown).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u,
      )
      expect(visible(shown)).toBe(shown)
      expect(shown === '').toBe(text === '')
      expect(displayWidth(shown) > 0).toBe(shown !== '')
    }),
  )
})

test('every line of a table is equally wide, whatever its cells', async () => {
  const columns = [
    { header: 'A', flexible: true, rank: 3 },
    { header: 'B', kind: 'number' as const, rank: 2 },
    { header: 'C', rank: 1 },
    { header: '|' },
  ]
  const rows = fc.array(fc.tuple(anyText, anyText, anyText), { minLength: 1, maxLength: 6 })
  const maxWidths = fc.option(fc.integer({ min: 60, max: 90 }), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(rows, maxWidths, fc.boolean(), async (texts, maxWidth, colour) => {
      // The last cell shows where its line has come to.
      const cells = texts.map((row) => [...row, '|'])
      const table = await createTable(columns, cells, {
        headers: true,
        colour,
        maxWidth,
        isWhole: true,
        timeZone: 'UTC',
        inWords: false,
      })
      const lines = [table.head, ...cells.map(table.row)]
      const widths = lines.map((line) => {
        expect(line.indexOf('\n')).toBe(line.length - 1)
        return widthOfParts(line)
      })
      expect(new Set(widths).size).toBe(1)
    }),
  )
})

/** Some letters join with a space that follows them, to a terminal they do not: hence measured apart from the spaces. */
function widthOfParts(line: string) {
  return line
    .trimEnd()
    .split(/( )/)
    .reduce((sum, part) => sum + displayWidth(part), 0)
}

test('cut text fits, and is a beginning of the text in whole graphemes', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, width) => {
      const shown = visible(text)
      const cut = truncate(shown, width)
      if (displayWidth(shown) <= width) {
        expect(cut).toBe(shown)
        return
      }
      expect(displayWidth(cut)).toBeLessThanOrEqual(width)
      const kept = cut.slice(0, -1)
      expect(cut.endsWith('…') && shown.startsWith(kept)).toBe(true)
      const starts = valuesOf([...new Intl.Segmenter().segment(shown)], 'index')
      expect(starts).toContain(kept.length)
    }),
  )
})

const json = fc.jsonValue({ maxDepth: 3, stringUnit: anyCharacter })

test('a list in pieces is the same text as the whole document', async () => {
  const collect = async (parts: AsyncIterable<string>) => {
    let text = ''
    for await (const part of parts) text += part
    return text
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(json, { maxLength: 4 }),
      fc.dictionary(fc.constantFrom('pageInfo', 'b'), json),
      async (items, rest) => {
        const envelope = { key: 'items', rest: () => rest }
        expect(await collect(jsonList(items))).toBe(jsonDocument(items))
        expect(await collect(jsonList(items, envelope))).toBe(jsonDocument({ items, ...rest }))
        expect(await collect(yamlList(items))).toBe(yamlDocument(items))
        expect(await collect(yamlList(items, envelope))).toBe(yamlDocument({ items, ...rest }))
      },
    ),
    { numRuns: 50 },
  )
})

test('a width measured without string-width is what string-width says', () => {
  const simple = fc.string({
    unit: fc.integer({ min: 0x20, max: 0xffff }).map((code) => String.fromCharCode(code)),
  })
  fc.assert(
    fc.property(simple, (text) => {
      // Control characters, soft hyphens and lone surrogates are made visible before anything is measured.
      const shown = visible(text)
      expect(displayWidth(shown)).toBe(stringWidth(shown))
    }),
    { numRuns: 2_000 },
  )
  const all = times(0x10000 - 0x20, (at) => String.fromCharCode(0x20 + at))
  const isWrong = (shown: string) => displayWidth(shown) !== stringWidth(shown)
  expect(all.filter((char) => isWrong(visible(`a${char}b`)))).toEqual([])
})

/** Controls, and what may stand around them: parts of emoji, letters that join, Han characters with variants. */
const VISIBLE_PIECES = [
  ...[
    '\n',
    '\x1b',
    'a',
    '1',
    '#',
    '😀',
    '👩',
    '👩\u200d',
    '🏴',
    '🏴\u{e0067}',
    '🇪',
    '🇸',
    '❤',
    '\ufe0f',
    '\u20e3',
  ],
  ...['\u200d', 'ع', 'ع\u200c', 'क', '漢', '\u{e0101}', '\ud83d', '\u202e', '\u0301', '\u{1f3fd}'],
]

test('visible takes time in proportion to any text', () => {
  const show = (text: string) => visible(text, 'lines')
  for (const piece of VISIBLE_PIECES) expectLinear(piece, show, ['\n', ''])
  const unit = fc.array(fc.constantFrom(...VISIBLE_PIECES), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(unit, (pieces) => expectLinear(pieces.join(''), show)),
    { numRuns: 20 },
  )
})

test('line feeds that stay cost no more than a few passes over the text', () => {
  const record = '  "name": "R#-LU105189", "customer": "Łukasz", "created": "2026-03-01 10:00:00Z",\n'
  // A letter that is not in Latin 1: such texts take another way through the engine.
  const text = record.repeat(20_000)
  const fewLooks = leastCpuMs(() => {
    for (let look = 0; look < 20; look++) JSON.stringify(text)
  })
  expect(leastCpuMs(() => visible(text, 'lines'), fewLooks)).toBeLessThan(fewLooks)
})
