import { expect, test } from 'vitest'
import { labelPdf } from '../../../../src/lib/sandbox/labels/pdf.ts'
import { labelZpl } from '../../../../src/lib/sandbox/labels/zpl.ts'
import { CODE, content, digestOf } from '../../../helpers/label-content.ts'
import {
  barcodesInDrawings,
  barcodesInPdf,
  barcodesInZpl,
  type Drawing,
  drawnPages,
  drawnZpl,
  pdfPages,
} from '../../../helpers/label-readers.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'

function party(fullName: string, line1: string, postalCode: string, city: string, countryCode: string) {
  const address = { line1, city, postalCode, countryCode }
  return { fullName, email: 'a@example.com', phone: '+81312345678', address }
}

const TOKYO = party('髙橋 Takahashi 陽葵', '神宮前6丁目4-12 グランドメゾン', '150-0001', '渋谷区', 'JP')
const SEOUL = party('김 Kim 서연', '테헤란로 152 강남파이낸스센터', '06236', '서울특별시', 'KR')
const SHANGHAI = party('张伟', '南京东路300号', '200001', '上海市黄浦区', 'CN')

test.each([
  ['Korea', SEOUL, ['Gim Kim SeoYeon', 'SeoUlTeugByeolSi']],
  ['China', SHANGHAI, ['ZhangWei', '200001 ShangHaiShiHuangPuQu']],
])('a label within %s is in Latin letters, since printers have no others', async (_, sender, texts) => {
  const label = content({ origin: sender, destination: sender })
  const pdf = await labelPdf(label, NOW)
  const [page] = await pdfPages(pdf)
  for (const text of texts) expect(page?.text).toContain(text)
  const zpl = new TextDecoder().decode(labelZpl(label))
  for (const text of texts) expect(zpl).toContain(text)
  expect(await labelPdf(label, NOW)).toEqual(pdf)
})

test('a label within Japan shows kanji and kana as they are written, as graphics, and scans', async () => {
  const label = content({ origin: TOKYO, destination: TOKYO })
  const [pdf, zpl] = [await labelPdf(label, NOW), labelZpl(label)]
  expect(digestOf(zpl)).toBe('c6f0c11429592695')
  const [page] = await pdfPages(pdf)
  const written = new TextDecoder().decode(zpl)
  for (const text of [page?.text, written]) {
    expect(text).toContain('Takahashi')
    expect(text).not.toMatch(/GaoQiao|YangKui|SeGuQu|gurando/)
  }
  expect(written.match(/\^GFA/g)?.length).toBeGreaterThan(8)
  // Street and town of the receiver: the two renderers agree on what is dark.
  const pictures = [await drawnPages(pdf), await drawnZpl(zpl)]
  const [onPaper, onPrinter] = pictures.map(([drawn]) => darkDots(drawn!, 8 * 49, 8 * 64))
  expect(onPaper).toBeGreaterThan(6000)
  expect((onPrinter ?? 0) / (onPaper ?? 1)).toBeCloseTo(1, 0)
  for (const drawn of pictures) expect(await barcodesInDrawings(drawn)).toHaveLength(2)
})

test('a label of one country in other scripts scans', async () => {
  const label = content({ origin: SHANGHAI, destination: SHANGHAI })
  for (const found of [
    await barcodesInPdf(await labelPdf(label, NOW)),
    await barcodesInZpl(await labelZpl(label)),
  ]) {
    expect(found.map(({ text, format }) => `${format} ${text}`).sort()).toEqual([
      `Code128 ${CODE}`,
      `DataMatrix ${CODE}`,
    ])
  }
})

test('long text is cut between characters, and stays in its place', async () => {
  const long = party('𠮷'.repeat(140), '東京都'.repeat(90), '150-0001', '渋谷区'.repeat(90), 'JP')
  const pudoOptions = { pudoEnabled: true, pudoName: '渋谷店'.repeat(90), pudoCode: 'P-1' }
  const label = content({ origin: long, destination: long, carrierOptions: { pudoOptions } })
  const pdf = await labelPdf(label, NOW)
  const [page] = await pdfPages(pdf)
  expect(page?.text).toContain('…')
  const zpl = labelZpl(label)
  expect(digestOf(zpl)).toBe('c8cf469d4cc718f2')
  const pictures = [...(await drawnPages(pdf)), ...(await drawnZpl(zpl))]
  expect(pictures).toHaveLength(2)
  // The rules reach from margin to margin; nothing goes beyond.
  for (const picture of pictures) {
    const { left, right } = inkOf(picture)
    expect([Math.round(left / 8), Math.round(right / 8)]).toEqual([5, 95])
  }
})

test('white text on black is white on black in ZPL, too', async () => {
  const pudo = (pudoName: string) =>
    content({ carrierOptions: { pudoOptions: { pudoEnabled: true, pudoName, pudoCode: '' } } })
  const [empty, full] = await Promise.all(
    ['.', '渋谷区渋谷区'].map(async (name) => {
      const [drawn] = await drawnZpl(await labelZpl(pudo(name)))
      return darkDots(drawn!, 826, 890)
    }),
  )
  expect((empty ?? 0) - (full ?? 0)).toBeGreaterThan(1000)
})

/** How many dots of some rows of a picture are dark, in the 799 columns of a label. */
function darkDots(picture: Drawing, from: number, to: number) {
  let count = 0
  for (let y = from; y < to; y++)
    for (let x = 0; x < 799; x++) if (isDark(picture, y * picture.width + x)) count += 1
  return count
}

/** The first and the last column with anything dark. */
function inkOf(picture: Drawing) {
  const { width, height } = picture
  let [left, right] = [width, 0]
  for (let at = 0; at < width * height; at++) {
    if (!isDark(picture, at)) continue
    left = Math.min(left, at % width)
    right = Math.max(right, at % width)
  }
  return { left, right }
}

function isDark({ data }: Drawing, at: number) {
  return (data[at * 4 + 3] ?? 0) > 127 && (data[at * 4] ?? 255) < 128
}
