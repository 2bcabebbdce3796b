import { describe, expect, it } from 'vitest'
import { makePrintDocument } from '../../../../src/lib/labels/paper/print-document.ts'
import { printLayout } from '../../../../src/lib/labels/paper/sheet-layout.ts'
import { barcode, pdfLabel } from '../../../helpers/barcode-label.ts'
import { barcodesInDrawings, barcodesInZpl, drawnZpl } from '../../../helpers/label-readers.ts'
import { expectRejection } from '../../../helpers/rejections.ts'

const DOTS_PER_MM = 8

/** Picture that a printer of this resolution prints: the reader has 8 dots a millimetre. */
const printed = (zpl: Buffer, width: number, height: number) =>
  drawnZpl(zpl, width / DOTS_PER_MM, height / DOTS_PER_MM)

it.each([
  [203, 800, 1200],
  [300, 1181, 1772],
])('a PDF at %d dpi is %d × %d dots, and its barcode scans', async (dpi, width, height) => {
  const layout = printLayout('zpl', { dpi })
  const { data } = await makePrintDocument('zpl', [await pdfLabel('SBX0000012345')], layout)
  expect(data.toString('latin1')).toMatch(new RegExp(`^\\^XA\\^PW${width}\\^LL${height}\\^`))
  const found = await barcodesInDrawings(await printed(data, width, height))
  expect(found).toEqual([{ text: 'SBX0000012345', format: 'Code128' }])
})

it('labels larger than the roll are turned or reduced, with one remark', async () => {
  const labels = [
    await pdfLabel('LIES', { width: 150, height: 100 }),
    await pdfLabel('LARGE-1', { width: 210, height: 297 }),
    await pdfLabel('LARGE-2', { width: 210, height: 297 }),
  ]
  const { data, remarks } = await makePrintDocument('zpl', labels, printLayout('zpl', {}))
  expect([...data.toString('latin1').matchAll(/\^PW(\d+)\^LL(\d+)/g)].map(([, ...size]) => size)).toEqual([
    ['800', '1200'],
    ['813', '1150'],
    ['813', '1150'],
  ])
  expect(remarks).toEqual([
    '2 labels are larger than 4 × 6 in (101.6 × 152.4 mm): printed at 48.3 % (LARGE-1, LARGE-2)',
  ])
})

it('ZPL between PDF labels stays unchanged and in its place, and each page is a label', async () => {
  const zpl = Buffer.from('^XA^FO10,10^FDas it is^FS^XZ')
  const labels = [
    await pdfLabel('P', { pages: 2, width: 50, height: 30 }),
    { name: 'Z', format: 'ZPL' as const, bytes: zpl },
    await pdfLabel('Q', { width: 50, height: 30 }),
    { name: 'I', format: 'PNG' as const, bytes: await barcode('I') },
  ]
  const { data, labels: count } = await makePrintDocument('zpl', labels, printLayout('zpl', {}))
  expect(count).toBe(5)
  const parts = data.toString('latin1').split(/(?<=\^XZ)\n?/)
  expect(parts[2]).toBe(zpl.toString())
  expect(parts.filter((part) => part.startsWith('^XA^PW400^LL240^'))).toHaveLength(3)
  expect(await barcodesInZpl(Buffer.from(parts[4] ?? ''))).toEqual([{ text: 'I', format: 'Code128' }])
})

describe.each(['pdf', 'zpl'] as const)('a document of %s', (language) => {
  const made = (zpl: string) =>
    makePrintDocument(
      language,
      [{ name: 'SHP-7', format: 'ZPL', bytes: Buffer.from(zpl) }],
      printLayout(language, {}),
    )
  const whole = '^XA^FO9,9^A0N,40^FDx^FS^XZ'

  it.each([
    ['behind another label', `${whole}^XA^FO9,9^A0N,40^FDcut`],
    ['in a stored format', '^XA^DFR:A.ZPL^FO9,9^A0N,40^FN1'],
    ['in a graphic', `${whole}^XA^FO9,9^GFB,999,999,4,^XZ`],
  ])('ZPL whose last label is cut off is refused: %s', async (_place, zpl) => {
    const message = "The label SHP-7 can't be printed: as ZPL, it is cut off (^XZ is missing)."
    await expectRejection(made(zpl), 'contract', message)
  })

  it.each([
    ['other signs', '^XA^CC!!FO9,9!A0N,40!FDx!FS!XZ'],
    ['commands behind it', `${whole}~JA`],
  ])('ZPL with a whole label is printed: %s', async (_kind, zpl) => {
    expect(await made(zpl)).toMatchObject({ labels: 1 })
  })
})

it.each([
  ['zpl', { perPage: 2 }, /no sheets to share/],
  ['zpl', { startAt: 2 }, /no sheets to share/],
  ['pdf', { perPage: 3 }, /3 is not a number of labels/],
  ['pdf', { sheet: 'a5' }, /a5 is not a sheet/],
  ['pdf', { dpi: 150 }, /150 dpi is not a density/],
  ['pdf', { perPage: 2, startAt: 3 }, /no place 3/],
] as const)('the paper %s with %j is refused', (language, wanted, message) => {
  expect(() => printLayout(language, wanted)).toThrow(message)
})
