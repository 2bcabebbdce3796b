import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { composeSheets } from '../../../../src/lib/labels/paper/sheets.ts'
import { differing, inkOf, turnedAbout } from '../../../helpers/label-ink.ts'
import { barcodesInDrawings, type Drawing, drawnPages, drawnZpl } from '../../../helpers/label-readers.ts'

const FOLDER = join(import.meta.dirname, '../../../fixtures/zpl')
const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.zpl'))

const zplOf = (file: string) => readFileSync(join(FOLDER, file))
const numberIn = (zpl: string, pattern: RegExp) => Number(pattern.exec(zpl)?.[1])

/** Labels as the independent renderer draws them, which does not turn them for `^PO`. */
async function expectedOf(file: string) {
  const zpl = zplOf(file).toString('latin1')
  const [width, height] = [numberIn(zpl, /\^PW(\d+)/), numberIn(zpl, /\^LL(\d+)/)]
  const drawn = await drawnZpl(zplOf(file), width / 8, height / 8)
  return zpl.includes('^POI') ? drawn.map(turnedAbout) : drawn
}

const drawn = new Map<string, Drawing[]>()
beforeAll(async () => {
  const labels = FILES.map((name) => ({ name, format: 'ZPL' as const, bytes: zplOf(name) }))
  for (const label of labels) {
    const { pdf, failed } = await composeSheets([label], { sheet: 'a4', perPage: 1, isTrimmed: true })
    expect(failed).toEqual([])
    const dpi = label.name.includes('300dpi') ? 300 : 203.2
    drawn.set(label.name, await drawnPages(pdf, { dpi }))
  }
}, 120_000)

it('the test set has at least 40 labels of eight carriers', () => {
  expect(FILES.length).toBeGreaterThanOrEqual(40)
  expect(new Set(FILES.map((name) => name.split('-')[0])).size).toBe(8)
})

it.each(FILES)('draws %s as an independent renderer does, with codes that scan', async (file) => {
  const pages = drawn.get(file) ?? []
  const expected = await expectedOf(file)
  expect(pages).toHaveLength(expected.length)
  for (const [index, page] of pages.entries()) {
    const other = expected[index]!
    expect(differing(page, other)).toBeLessThan(0.01)
    const [ink, otherInk] = [inkOf(page), inkOf(other)]
    expect(ink.dots / otherInk.dots).toBeGreaterThan(0.9)
    expect(ink.dots / otherInk.dots).toBeLessThan(1.1)
    for (const edge of ['left', 'top', 'right', 'bottom'] as const)
      expect(Math.abs(ink[edge] - otherInk[edge]), edge).toBeLessThan(8)
  }
  const codes = await barcodesInDrawings(pages)
  expect(codes.length).toBeGreaterThan(0)
  expect(codes).toEqual(await barcodesInDrawings(expected))
})
