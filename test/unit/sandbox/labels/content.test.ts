import { expect, test } from 'vitest'
import { money } from '../../../../src/lib/sandbox/labels/content.ts'
import { labelPdf } from '../../../../src/lib/sandbox/labels/pdf.ts'
import { labelZpl } from '../../../../src/lib/sandbox/labels/zpl.ts'
import { CODE, content, digestOf } from '../../../helpers/label-content.ts'
import {
  barcodesInDrawings,
  barcodesInPdf,
  barcodesInZpl,
  drawnZpl,
  pdfPages,
} from '../../../helpers/label-readers.ts'
import { LONDON } from '../../../helpers/label-requests.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

test('a label shows all that a carrier and a customer look for', async () => {
  const [page, ...others] = await pdfPages(await labelPdf(content(), NOW))
  expect(others).toEqual([])
  expect(page?.widthMm).toBeCloseTo(100, 3)
  expect(page?.heightMm).toBeCloseTo(150, 3)
  for (const text of [
    'Sandbox Post',
    'RETURN',
    'Lucía Ibáñez',
    'Calle Mayor 1',
    'Almacén Moda',
    '28906 Getafe',
    'SPAIN',
    'SHP-10482-1',
    '1 of 1',
    '0.85 kg',
    '2026-04-15',
    'Estanco Sol · P-0042',
    'SX 473 124 829 ES',
  ]) {
    expect(page?.text).toContain(text)
  }
  const zpl = new TextDecoder().decode(await labelZpl(content()))
  expect(zpl).toMatch(/^\^XA\n\^CI28\n\^PW799\n\^LL1199\n.*\^XZ\n$/s)
  for (const text of ['Lucía Ibáñez', '28906 Getafe', 'SHP-10482-1', '0.85 kg', 'Estanco Sol · P-0042']) {
    expect(zpl).toContain(`^FD${text}`)
  }
})

test('no service point is printed where none is asked for', async () => {
  const pudoOptions = { pudoEnabled: false, pudoName: 'Estanco Sol' }
  const [page] = await pdfPages(await labelPdf(content({ carrierOptions: { pudoOptions } }), NOW))
  expect(page?.text).not.toContain('Estanco Sol')
})

test('customs pages hold every item and the totals', async () => {
  const item = { description: 'Linen shirt', hsCode: '6205.20', weight: 0.4, quantity: 2, unitPrice: '44.95' }
  const items = times(14, (i) => ({
    ...item,
    description: `Shirt ${i}`,
    currencyCode: 'EUR',
    originCountryCode: 'PT',
  }))
  const parcels = [{ clientParcelId: '1', description: 'Clothes', items }]
  const abroad = content({ origin: LONDON, parcels })
  const pages = await pdfPages(await labelPdf(abroad, NOW))
  expect(pages).toHaveLength(3)
  for (const { widthMm, heightMm } of pages) expect([widthMm, heightMm].map(Math.round)).toEqual([100, 150])
  const text = valuesOf(pages, 'text').join('\n')
  for (const { description } of items) expect(text).toContain(description)
  for (const part of [
    '620520',
    '89.90 EUR',
    '11.200 kg',
    '1258.60 EUR',
    'EX123456789ES',
    'PT',
    'page 2 of 2',
  ]) {
    expect(text).toContain(part)
  }
  expect(pages[1]?.text).not.toContain('Total')
  const zpl = await labelZpl(abroad)
  expect(digestOf(zpl)).toBe('524feee484420360')
  const drawings = await drawnZpl(zpl)
  expect(drawings).toHaveLength(3)
  expect(valuesOf(await barcodesInDrawings(drawings), 'text')).toEqual([CODE, CODE, CODE, CODE])
})

test.each([
  ['EUR', '1.25 EUR'],
  ['JPY', '1 JPY'],
  ['ISK', '1 ISK'],
  ['KWD', '1.250 KWD'],
  ['', '1.25'],
])('a customs value in %j has the decimals of that currency', (currency, text) => {
  expect(money(1.25, currency)).toBe(text)
})

test('text that ZPL would obey, and text that fits nowhere, does no harm', async () => {
  const nasty = '^XZ^XA^FDx~JA_5E\\& 空色 Łódź Ελλάδα \u0007'
  const long = 'W'.repeat(400)
  const party = { ...LONDON, fullName: nasty, address: { ...LONDON.address, line1: long, city: long } }
  const wild = content({
    clientShipmentId: long,
    origin: party,
    destination: party,
    clientShipmentName: nasty,
  })
  const zpl = await labelZpl(wild)
  expect(digestOf(zpl)).toBe('1f73cd5440a7fe59')
  expect(new TextDecoder().decode(zpl).match(/\^X[AZ]/g)).toEqual(['^XA', '^XZ'])
  const pdf = await labelPdf(wild, NOW)
  for (const found of [await barcodesInZpl(zpl), await barcodesInPdf(pdf)]) {
    expect(found.map(({ text, format }) => `${format} ${text}`).sort()).toEqual([
      `Code128 ${CODE}`,
      `DataMatrix ${CODE}`,
    ])
  }
  const [page] = await pdfPages(pdf)
  expect(page?.text).toContain('^XZ^XA^FDx~JA_5E\\& KongSe Lódz Ellada')
})
