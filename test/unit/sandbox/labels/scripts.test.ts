import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import { PNG } from 'pngjs'
import { expect, test } from 'vitest'
import { findConnection } from '../../../../src/lib/sandbox/labels/connections.ts'
import { labelContent } from '../../../../src/lib/sandbox/labels/content.ts'
import { outlinesFor } from '../../../../src/lib/sandbox/labels/outlines.ts'
import { labelPdf } from '../../../../src/lib/sandbox/labels/pdf.ts'
import { PdfOutlines } from '../../../../src/lib/sandbox/labels/pdf-outlines.ts'
import { labelZpl } from '../../../../src/lib/sandbox/labels/zpl.ts'
import { baselineOf, bitmapField } from '../../../../src/lib/sandbox/labels/zpl-bitmap.ts'
import {
  barcodesInPdf,
  barcodesInZpl,
  pdfPages,
  pdfToPngs,
  zplToPngs,
} from '../../../helpers/label-readers.ts'
import { NOW } from '../client.ts'
import { labelRequest } from './requests.ts'

const shop = {
  no: 0,
  code: 'X',
  shortCode: 'X',
  name: 'X',
  currency: 'EUR',
  warehouses: [],
  services: [],
  reasons: [],
}
const connection = findConnection(shop, 'SBX_STANDARD')
if (connection === undefined) throw new Error('no connection')
const CODE = 'SX473124829ES'
const content = (changes: object) => labelContent(labelRequest(changes), connection, 0, CODE, NOW)

function party(fullName: string, line1: string, postalCode: string, city: string, countryCode: string) {
  const address = { line1, city, postalCode, countryCode }
  return { fullName, email: 'a@example.com', phone: '+81312345678', address }
}

const TOKYO = party('髙橋 Takahashi 陽葵', '神宮前6丁目4-12 グランドメゾン', '150-0001', '渋谷区', 'JP')
const SEOUL = party('김 Kim 서연', '테헤란로 152 강남파이낸스센터', '06236', '서울특별시', 'KR')
const SHANGHAI = party('张伟', '南京东路300号', '200001', '上海市黄浦区', 'CN')
const item = { hsCode: '620520', weight: 0.1, quantity: 1, unitPrice: '10', currencyCode: 'JPY' }

test.each([
  ['Japan', TOKYO],
  ['Korea', SEOUL],
  ['China', SHANGHAI],
])('a label within %s is in its script', async (_, sender) => {
  const label = content({ origin: sender, destination: sender })
  const pdf = await labelPdf(label, NOW)
  const [page] = await pdfPages(pdf)
  const { fullName, address } = sender
  for (const text of [fullName, address.line1, address.postalCode, address.city]) {
    expect(page?.text.split(text)).toHaveLength(3)
  }
  const zpl = await labelZpl(label)
  // Name, street and each line of the place of the sender, name, street and place of the receiver: one picture each.
  const isInScript = (line: string) => /[^\u0000-\u00ff]/.test(line)
  const pictures = label.sender.filter(isInScript).length + 3
  expect(new TextDecoder().decode(zpl).match(/\^GFA/g)).toHaveLength(pictures)
  expect(await labelPdf(label, NOW)).toEqual(pdf)
})

test('such a label scans', async () => {
  const label = content({ origin: SHANGHAI, destination: SHANGHAI })
  for (const found of [
    await barcodesInPdf(await labelPdf(label, NOW), { dpi: 203 }),
    await barcodesInZpl(await labelZpl(label)),
  ]) {
    expect(found.map(({ text, format }) => `${format} ${text}`).sort()).toEqual([
      `Code128 ${CODE}`,
      `DataMatrix ${CODE}`,
    ])
  }
})

test('more characters than a font of a PDF can have are all there', async () => {
  const names = Array.from({ length: 20 }, (_, i) =>
    String.fromCodePoint(...Array.from({ length: 15 }, (_, j) => 0xac00 + 7 * (15 * i + j))),
  )
  const items = names.map((description) => ({ ...item, description, originCountryCode: 'KR' }))
  const parcels = [{ clientParcelId: '1', description: 'x', items }]
  const pages = await pdfPages(await labelPdf(content({ origin: SEOUL, parcels }), NOW))
  expect(pages).toHaveLength(3)
  const text = pages.map((page) => page.text).join('\n')
  expect(names.filter((name) => !text.includes(name))).toEqual([])
})

test('text that is too long is cut between characters, and stays in its place', async () => {
  const long = party('𠮷'.repeat(140), '東京都'.repeat(90), '150-0001', '渋谷区'.repeat(90), 'JP')
  const pudoOptions = { pudoEnabled: true, pudoName: '渋谷店'.repeat(90), pudoCode: 'P-1' }
  const label = content({ origin: long, destination: long, carrierOptions: { pudoOptions } })
  const pdf = await labelPdf(label, NOW)
  const [page] = await pdfPages(pdf)
  expect(page?.text).toMatch(/^𠮷{10,40}…$/mu)
  expect(page?.text).not.toContain('?')
  expect(page?.text).toMatch(/^〒150-0001 (渋谷区)+渋?谷?…$/mu)
  const pictures = [...(await pdfToPngs(pdf, { dpi: 203 })), ...(await zplToPngs(await labelZpl(label)))]
  expect(pictures).toHaveLength(2)
  // The rules reach from margin to margin; nothing goes beyond.
  for (const picture of pictures) {
    const { left, right } = inkOf(picture)
    expect([Math.round(left / 8), Math.round(right / 8)]).toEqual([5, 95])
  }
})

test('a line has the same dots in ZPL as in a PDF that another program draws', async () => {
  const em = 120
  const text = '髙 の서@𠮷8'
  const outlines = await outlinesFor(text)
  if (outlines === undefined) throw new Error('no outlines')
  const pdf = await PDFDocument.create()
  const writer = new PdfOutlines(pdf, outlines)
  const height = baselineOf(em) + Math.ceil(em / 4)
  const page = pdf.addPage([800, height])
  writer.draw(page, text, { x: 0, y: height - baselineOf(em), size: em, color: rgb(0, 0, 0) })
  writer.embed()
  const [drawn] = await pdfToPngs(await pdf.save(), { dpi: 72 })
  const zpl = `^XA^FO0,0${bitmapField(outlines, text, em)}^FS^XZ`
  const [dots] = await zplToPngs(new TextEncoder().encode(zpl), 100, 50)
  if (drawn === undefined || dots === undefined) throw new Error('no picture')
  const [a, b] = [drawn, dots].map((png) => darkDots(png, height))
  const differences = a?.filter((isDark, at) => isDark !== b?.[at]).length ?? 0
  const dark = b?.filter(Boolean).length ?? 0
  expect(dark).toBeGreaterThan(3000)
  expect(differences / dark).toBeLessThan(0.016)
})

test('white text on black is white on black in ZPL, too', async () => {
  const pudo = (pudoName: string) =>
    content({ carrierOptions: { pudoOptions: { pudoEnabled: true, pudoName, pudoCode: '' } } })
  const [empty, full] = await Promise.all(
    ['.', '渋谷区渋谷区'].map(async (name) => {
      const [png] = await zplToPngs(await labelZpl(pudo(name)))
      return darkDots(png ?? new Uint8Array(), 890)
        .slice(826 * 799)
        .filter(Boolean).length
    }),
  )
  expect((empty ?? 0) - (full ?? 0)).toBeGreaterThan(1000)
})

/** The dots of the upper part of a picture, 799 a row. */
function darkDots(png: Uint8Array, rows: number): boolean[] {
  const { width, data } = PNG.sync.read(Buffer.from(png))
  return Array.from({ length: rows * 799 }, (_, at) => {
    const i = (Math.floor(at / 799) * width + (at % 799)) * 4
    return (data[i + 3] ?? 0) > 127 && (data[i] ?? 255) < 128
  })
}

/** The first and the last column with anything dark. */
function inkOf(png: Uint8Array): { left: number; right: number } {
  const { width, height, data } = PNG.sync.read(Buffer.from(png))
  const columns = Array.from({ length: width }, (_, x) => x).filter((x) =>
    Array.from({ length: height }, (_, y) => (y * width + x) * 4).some(
      (at) => (data[at + 3] ?? 0) > 127 && (data[at] ?? 255) < 128,
    ),
  )
  return { left: columns.at(0) ?? 0, right: columns.at(-1) ?? 0 }
}
