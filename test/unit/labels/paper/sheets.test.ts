import { randomBytes } from 'node:crypto'
import {
  degrees,
  PDFBool,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
} from '@cantoo/pdf-lib'
import { PNG } from 'pngjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { pngSize } from '../../../../src/lib/labels/paper/png-label.ts'
import type { PrinterDpi, SheetLabel } from '../../../../src/lib/labels/paper/sheet-layout.ts'
import { composeSheets } from '../../../../src/lib/labels/paper/sheets.ts'
import { barcode, pdfLabel } from '../../../helpers/barcode-label.ts'
import { inkOf } from '../../../helpers/label-ink.ts'
import { barcodesInPdf, drawnPages, pdfPages } from '../../../helpers/label-readers.ts'
import { expectRejection } from '../../../helpers/rejections.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const MM = 72 / 25.4
const ONE_ON_A4 = { sheet: 'a4', perPage: 1 } as const

const saved = async (document: PDFDocument, name: string) =>
  ({ name, format: 'PDF', bytes: await document.save() }) as const

/** A white PNG with a black frame. */
function pngLabel(name: string, columns: number, rows: number, dotsPerMetre?: number): SheetLabel {
  const image = new PNG({ width: columns, height: rows })
  image.data.fill(0xff)
  for (let x = 0; x < columns; x++) {
    for (let y = 0; y < rows; y++) {
      if (x > 0 && y > 0 && x < columns - 1 && y < rows - 1) continue
      image.data.fill(0, (y * columns + x) * 4, (y * columns + x) * 4 + 3)
    }
  }
  // These labels are never read, and pack quickly.
  const bytes = PNG.sync.write(image, { filterType: 0, deflateLevel: 1 })
  if (dotsPerMetre === undefined) return { name, format: 'PNG', bytes }
  // Its checksum is not looked at: pHYs is not a critical chunk.
  const chunk = Buffer.alloc(21)
  chunk.writeUInt32BE(9, 0)
  chunk.write('pHYs', 4)
  chunk.writeUInt32BE(dotsPerMetre, 8)
  chunk.writeUInt32BE(dotsPerMetre, 12)
  chunk[16] = 1
  return { name, format: 'PNG', bytes: Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)]) }
}

const zplLabel = (
  name: string,
  zpl = `^XA^PW800^LL1200^FO60,60^BY3^BCN,100,Y,N,N^FD${name}^FS^XZ`,
): SheetLabel => ({
  name,
  format: 'ZPL',
  bytes: Buffer.from(zpl),
})

const texts = async (pdf: Uint8Array) => valuesOf(await barcodesInPdf(pdf, { dpi: 120 }), 'text').sort()

/** Edges of all that is not white on a page, in millimetres from the upper left corner. */
async function inked(pdf: Uint8Array, index = 0) {
  const { left, top, right, bottom } = inkOf((await drawnPages(pdf, { dpi: 101.6 }))[index]!)
  return { left: left / 4, top: top / 4, width: (right - left) / 4, height: (bottom - top) / 4 }
}

const USUAL = { widthMm: 100, heightMm: 150 }
const near = (expected: object) =>
  Object.fromEntries(Object.entries(expected).map(([key, value]) => [key, expect.closeTo(value, 0)]))

describe('sheets', () => {
  it.each([
    ['a4', 210, 297],
    ['letter', 215.9, 279.4],
    ['a6', 105, 148],
    ['4x6', 101.6, 152.4],
  ] as const)('%s is %d × %d mm, and what is on it scans', async (sheet, widthMm, heightMm) => {
    const composed = await composeSheets([await pdfLabel('SBX0000012345')], { sheet, perPage: 1 })
    expect(await pdfPages(composed.pdf)).toEqual([{ ...near({ widthMm, heightMm }), text: 'SBX0000012345' }])
    const found = await barcodesInPdf(composed.pdf, { dpi: 120 })
    expect(found).toEqual([{ text: 'SBX0000012345', format: 'Code128' }])
    // 100 × 150 mm is 2 mm longer than A6.
    expect(composed.scaled).toMatchObject(sheet === 'a6' ? [{ name: 'SBX0000012345', percent: 98.6 }] : [])
  })

  it('all pages come out in their order, filled from the first free slot', async () => {
    const labels = [
      await pdfLabel('AAAA', { pages: 3 }),
      zplLabel('BBBB'),
      await pdfLabel('CCCC'),
      { name: 'DDDD', format: 'PNG', bytes: await barcode('DDDD') } as const,
    ]
    const composed = await composeSheets(labels, { sheet: 'a4', perPage: 4, startAt: 4 })
    expect(composed).toMatchObject({ pages: 3, labels: 6 })
    const pages = await pdfPages(composed.pdf)
    expect(pages.map(({ text }) => text.split(/\s+/))).toEqual([
      ['AAAA-1'],
      ['AAAA-2', 'AAAA-3', 'BBBB', 'CCCC'],
      [''],
    ])
    expect(await texts(composed.pdf)).toEqual(['AAAA-1', 'AAAA-2', 'AAAA-3', 'BBBB', 'CCCC', 'DDDD'])
    // 150 mm is 1.5 mm more than half an A4.
    expect(composed.scaled.map(({ name, percent }) => `${name} ${percent}`)).toEqual([
      'AAAA 99',
      'AAAA 99',
      'AAAA 99',
      'BBBB 99',
      'CCCC 99',
    ])
  })

  it('an empty list of labels makes no pages', async () => {
    expect(await composeSheets([], { sheet: 'a4', perPage: 2, startAt: 2 })).toMatchObject({
      pages: 0,
      labels: 0,
    })
  })

  it.each([
    ['upright in a slot that it fits', ONE_ON_A4, { left: 55, top: 73.5, width: 100, height: 150 }],
    [
      'turned where only that fits',
      { sheet: 'a4', perPage: 2 },
      { left: 30, top: 24.25, width: 150, height: 100 },
    ],
    [
      'in the lower half',
      { sheet: 'a4', perPage: 2, startAt: 2 },
      { left: 30, top: 172.75, width: 150, height: 100 },
    ],
    [
      'smaller where nothing else helps',
      { sheet: 'a4', perPage: 4, startAt: 2 },
      { left: 108, top: 0, width: 99, height: 148.5 },
    ],
    [
      'upright on its own paper',
      { sheet: '4x6', perPage: 1 },
      { left: 0.8, top: 1.2, width: 100, height: 150 },
    ],
  ] as const)('a label of 100 × 150 mm stands %s', async (_name, options, edges) => {
    // 8 dots a millimetre exactly.
    const composed = await composeSheets([pngLabel('frame', 800, 1200, 8000)], options)
    expect(await inked(composed.pdf)).toEqual(near(edges))
  })

  it.each([0, 90, 180, 270])('a page with a rotation of %d° is shown as in viewers', async (turn) => {
    const label = await pdfLabel('TURNED', { turn, width: 150, height: 100, origin: 40 })
    const shown = await inked(label.bytes)
    const [page] = await pdfPages(label.bytes)
    const { pdf, scaled } = await composeSheets([label], ONE_ON_A4)
    expect(scaled).toEqual([])
    const onSheet = await inked(pdf)
    expect(onSheet.width).toBeCloseTo(shown.width, 0)
    expect(onSheet.left - (210 - page!.widthMm) / 2).toBeCloseTo(shown.left, 0)
    expect(onSheet.top - (297 - page!.heightMm) / 2).toBeCloseTo(shown.top, 0)
    expect(await texts(pdf)).toEqual(['TURNED'])
  })

  it('an empty page takes a slot', async () => {
    const document = await PDFDocument.create()
    document.addPage([283, 425])
    const label = await saved(document, 'blank')
    expect(await composeSheets([label], { sheet: '4x6', perPage: 1 })).toMatchObject({ pages: 1, labels: 1 })
  })

  it('a PDF that is only protected against changes is read', async () => {
    const document = await PDFDocument.load((await pdfLabel('GUARDED')).bytes)
    document.encrypt({ userPassword: '', ownerPassword: 'secret' })
    const label = await saved(document, 'GUARDED')
    expect(await texts((await composeSheets([label], ONE_ON_A4)).pdf)).toEqual(['GUARDED'])
  })

  it('page units other than points are respected', async () => {
    const document = await PDFDocument.create()
    // 50 × 75 mm of double units.
    const page = document.addPage([50 * MM, 75 * MM])
    page.node.set(PDFName.of('UserUnit'), PDFNumber.of(2))
    page.drawRectangle({ x: 5 * MM, y: 10 * MM, width: 20 * MM, height: 30 * MM })
    const label = await saved(document, 'units')
    const { pdf, scaled } = await composeSheets([label], ONE_ON_A4)
    expect(scaled).toEqual([])
    // The page is in the middle of the sheet from 55 and 73.5 mm on.
    expect(await inked(pdf)).toEqual(near({ left: 65, top: 143.5, width: 40, height: 60 }))
  })

  it.each([
    ['larger than the page', [-50, -20, 500, 600], USUAL],
    ['inside it', [10 * MM, 10 * MM, 90 * MM, 110 * MM], { widthMm: 80, heightMm: 100 }],
    ['that overlaps it', [0, 0, 200 * MM, 100 * MM], { widthMm: 100, heightMm: 100 }],
    ['with its corners exchanged', [200 * MM, 100 * MM, 0, 0], { widthMm: 100, heightMm: 100 }],
    ['outside of it', [1000, 1000, 1200, 1200], USUAL],
    ['of no size', [10, 10, 10, 10], USUAL],
  ])('a page with a crop box %s is drawn as viewers show it', async (_name, box, size) => {
    const document = await PDFDocument.load((await pdfLabel('CROPPED')).bytes)
    document.getPage(0).node.set(PDFName.of('CropBox'), document.context.obj(box))
    const label = await saved(document, 'crop')
    const { pdf, scaled } = await composeSheets([label], { ...ONE_ON_A4, isTrimmed: true })
    expect(await pdfPages(pdf)).toMatchObject([near(size)])
    expect([await texts(pdf), scaled]).toEqual([['CROPPED'], []])
  })

  describe('a page that draws much', () => {
    /** A black box on a page of 100 × 150 mm, seen from the left; 60 kB even packed. */
    async function muchLabel(cutBytes = 0): Promise<SheetLabel> {
      const document = await PDFDocument.create()
      const page = document.addPage([150 * MM, 100 * MM])
      page.setRotation(degrees(90))
      const [x, y, width, height] = [10, 20, 60, 30].map((mm) => mm * MM)
      const drawn = `% ${randomBytes(60_000).toString('hex')}\n0 g ${x} ${y} ${width} ${height} re f`
      const { context } = document
      const { dict, contents } = context.flateStream(drawn)
      const stream = PDFRawStream.of(dict, contents.subarray(0, contents.length - cutBytes))
      page.node.set(PDFName.of('Contents'), context.register(stream))
      return saved(document, 'SHP-7')
    }

    it('a page that draws much is drawn like any other', async () => {
      const { pdf } = await composeSheets([await muchLabel()], ONE_ON_A4)
      // Turned, the page is in the middle of the sheet from 55 and 73.5 mm on.
      expect(await inked(pdf)).toEqual(near({ left: 75, top: 83.5, width: 30, height: 60 }))
    })

    it('a page that draws much is refused if its contents are cut off', async () => {
      const labels = [await muchLabel(9)]
      await expect(composeSheets(labels, ONE_ON_A4)).rejects.toThrow('SHP-7')
    })
  })

  describe('what stands in a page and not in its contents', () => {
    /** A form on a page of 100 × 150 mm, its text field 60 × 10 mm and 20 mm from the left and the lower edge. */
    async function form(fill: (document: PDFDocument) => void | Promise<void>): Promise<SheetLabel> {
      const document = await PDFDocument.create()
      const page = document.addPage([100 * MM, 150 * MM])
      const field = document.getForm().createTextField('receiver')
      field.setText('RECEIVER')
      field.addToPage(page, { x: 20 * MM, y: 20 * MM, width: 60 * MM, height: 10 * MM, borderWidth: 2 })
      await fill(document)
      return { name: 'form', format: 'PDF', bytes: await document.save({ updateFieldAppearances: false }) }
    }
    const widget = (document: PDFDocument) => {
      const [first] = document.getForm().getTextField('receiver').acroField.getWidgets()
      return first?.dict ?? expect.fail('no widget')
    }
    const printed = async (label: SheetLabel) => {
      const { pdf } = await composeSheets([label], { sheet: '4x6', perPage: 1 })
      const [page] = await pdfPages(pdf)
      return { pdf, text: page?.text }
    }
    const updated = (document: PDFDocument) => document.getForm().updateFieldAppearances()

    it('a filled form field is printed in its place', async () => {
      const label = await form(updated)
      const { pdf, text } = await printed(label)
      expect(text).toBe('RECEIVER')
      const [shown, onSheet] = [await inked(label.bytes), await inked(pdf)]
      expect(shown.width).toBeGreaterThan(55)
      // The sheet is 1.6 × 2.4 mm larger than the page.
      const { width, height } = shown
      expect(onSheet).toEqual(near({ left: shown.left + 0.8, top: shown.top + 1.2, width, height }))
    })

    it('a form value without an appearance, or with an old one, is drawn', async () => {
      const bare = await form(async (document) => {
        updated(document)
        widget(document).delete(PDFName.of('AP'))
      })
      expect((await printed(bare)).text).toBe('RECEIVER')
      const old = await form(async (document) => {
        updated(document)
        const { acroForm } = document.getForm()
        acroForm.dict.set(PDFName.of('NeedAppearances'), PDFBool.True)
        const { acroField } = document.getForm().getTextField('receiver')
        acroField.setValue(PDFHexString.fromText('ANOTHER'))
      })
      expect((await printed(old)).text).toBe('ANOTHER')
    })

    it('a form value that can not be drawn is an error', async () => {
      const label = await form((document) => {
        const { acroField } = document.getForm().getTextField('receiver')
        acroField.setValue(PDFHexString.fromText('東京'))
        widget(document).delete(PDFName.of('AP'))
      })
      await expectRejection(
        printed(label),
        'contract',
        expect.stringContaining('a form field holds "東", for which there is no font'),
      )
    })

    it('an annotation is drawn by its matrix and box, unless it is not printable', async () => {
      const stamp = (flags: number) =>
        form(async (document) => {
          const { context } = document
          widget(document).set(PDFName.of('F'), PDFNumber.of(2))
          // A square of 1 unit, turned by its matrix, on 30 × 20 mm.
          const look = context.stream('0 0 1 1 re f', {
            Type: 'XObject',
            Subtype: 'Form',
            BBox: [0, 0, 1, 1],
            Matrix: [0, 2, -2, 0, 7, 7],
          })
          const annotation = context.obj({
            Type: 'Annot',
            Subtype: 'Stamp',
            F: flags,
            Rect: [10 * MM, 100 * MM, 40 * MM, 120 * MM],
            AP: { N: context.register(look) },
          })
          document.getPage(0).node.addAnnot(context.register(annotation))
        })
      const { pdf } = await printed(await stamp(4))
      expect(await inked(pdf)).toEqual(near({ left: 10.8, top: 31.2, width: 30, height: 20 }))
      for (const flags of [0, 2, 6]) {
        expect((await inked((await printed(await stamp(flags))).pdf)).width).toBeLessThan(0)
      }
    })
  })

  it('a PDF that is cut off between two objects is refused', async () => {
    const document = await PDFDocument.create()
    document.addPage().drawText('TEXT')
    const bytes = Buffer.from(await document.save({ useObjectStreams: false }))
    const ends = [...bytes.toString('latin1').matchAll(/endobj\n+/g)].map(
      ({ 0: end, index }) => index + end.length,
    )
    expect(ends.length).toBeGreaterThan(3)
    for (const end of ends) {
      const label = { name: 'SHP-7', format: 'PDF' as const, bytes: bytes.subarray(0, end) }
      await expectRejection(composeSheets([label], ONE_ON_A4), 'contract', /cut off/)
    }
  })

  let pdf: Uint8Array
  let locked: Uint8Array
  beforeAll(async () => {
    pdf = (await pdfLabel('whole')).bytes
    const document = await PDFDocument.load(pdf)
    document.encrypt({ userPassword: 'x', ownerPassword: 'y' })
    locked = await document.save()
  })

  it.each([
    ['cut off', 'PDF', () => pdf.subarray(0, pdf.length / 2), 'it is broken or cut off'],
    ['just a header', 'PDF', () => pdf.subarray(0, 20), 'it is broken or cut off'],
    ['locked', 'PDF', () => locked, 'it needs a password'],
    ['cut off', 'PNG', () => pngLabel('x', 300, 300).bytes.subarray(0, 60), 'it is broken'],
    [
      'just a signature',
      'PNG',
      () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      'its header is broken, or it is too large',
    ],
  ] as const)('a label that can not be read is named: %s %s', async (_name, format, bytes, problem) => {
    const labels = [await pdfLabel('good'), { name: 'SHP-7', format, bytes: bytes() }]
    await expectRejection(
      composeSheets(labels, ONE_ON_A4),
      'contract',
      `The label SHP-7 can't be printed: as ${format}, ${problem}.`,
    )
  })
})

const drawn = (zpl: string, dpi?: PrinterDpi) =>
  composeSheets([zplLabel('SHP-7', zpl)], { ...ONE_ON_A4, isTrimmed: true, dpi })

it('ZPL on sheets has the size that the label states, else 100 × 150 mm', async () => {
  const { pdf } = await drawn(
    '^XA^PW400^LL240^FO9,9^FDx^FS^XZ\n^XA^LL480^FO9,9^FDy^FS^XZ^XA^PW800^LL1200^FO9,9^FDz^FS^XZ',
  )
  expect(await pdfPages(pdf)).toMatchObject([
    near({ widthMm: 50, heightMm: 30 }),
    near({ widthMm: 50, heightMm: 60 }),
    near(USUAL),
  ])
  const [page] = await pdfPages((await drawn('^XA^FO9,9^FDx^FS^XZ')).pdf)
  expect(page).toMatchObject(near(USUAL))
})

it.each([
  ['', undefined, 203, 100, 150],
  ['^PW812^LL1218', undefined, 203, 101.5, 152.25],
  ['^PW1200^LL1800', undefined, 300, 101.6, 152.4],
  ['^PW2400^LL3600', undefined, 600, 101.6, 152.4],
  ['^PW1200', undefined, 300, 101.6, 150],
  ['^PW1200^LL1800', 203, 203, 150, 225],
  ['^PW800^LL1200', 300, 300, 67.7, 101.6],
  ['', 300, 300, 100, 150],
] as const)('%s at %s dpi is drawn at %d dpi, %d × %d mm', async (sizes, dpi, used, widthMm, heightMm) => {
  const { pdf, remarks } = await drawn(`^XA${sizes}^FO300,300^BY3^BCN,100,N,N,N^FDSCAN1234^FS^XZ`, dpi)
  expect(await pdfPages(pdf)).toMatchObject([near({ widthMm, heightMm })])
  expect(await barcodesInPdf(pdf, { dpi: used })).toEqual([{ text: 'SCAN1234', format: 'Code128' }])
  const isGuessed = dpi === undefined && used !== 203
  expect(remarks).toEqual(isGuessed ? [expect.stringContaining(`taken for one of ${used} dpi`)] : [])
})

it.each([
  ['without a length', '^PW800', '^FO60,1400^BCN', [100, 187.5]],
  ['without a width', '^LL1200', '^FO780,60^BCR', [110, 150]],
  ['without a size, upside down and shifted', '^POI^LT300', '^FO60,1100^BCN', [100, 187.5]],
  ['without a size, from its lower edge', '', '^FT60,1500^BCN', [100, 187.5]],
  ['without a size, with white dots about a graphic', '', '^FO60,1400^BCN', [100, 187.5], '00'],
] as [string, string, string, [number, number], string?][])(
  'a label %s holds all its barcodes',
  async (_name, size, place, [widthMm, heightMm], dots = '') => {
    const picture = dots && `^FO60,1300^GFA,2000,2000,1,80${dots.repeat(1999)}^FS`
    const zpl = `^XA${size}^BY2^FO60,60^BCN,100,N^FDFIRST^FS${place},100,N^FDSECOND^FS${picture}^XZ`
    const { pdf, remarks } = await drawn(zpl)
    expect(valuesOf(await barcodesInPdf(pdf), 'text').sort()).toEqual(['FIRST', 'SECOND'])
    expect(await pdfPages(pdf)).toMatchObject([near({ widthMm, heightMm })])
    expect(remarks).toEqual([])
  },
)

it.each([
  ['a barcode below its length', '^LL1200', '^FO60,1400^BCN,100,N^FDSECOND^FS'],
  ['a text beyond its width', '^PW400', '^FO300,60^A0N,40^FDSECOND^FS'],
  ['a mark where no printer draws', '', '^FO2400,60^GB20,20,20^FS'],
  ['a graphic across its edge', '^PW400', '^FO396,60^GFA,2,2,1,FF00^FS'],
])('a label that draws %s is cut off there, with a remark', async (_name, size, field) => {
  const label = (more: string) => `^XA${size}^FO60,160^GB20,20,20^FS${more}^XZ`
  const { remarks } = await drawn(label('') + label(field))
  expect(remarks).toEqual([
    'The label SHP-7 (2 of 2) draws beyond its size: that is cut off, as on a printer',
  ])
})

it('white areas and dots beyond the size of a label are no remark', async () => {
  const white = '^FO0,0^GB400,9000,200,W^FS^FO396,60^GFA,2,2,1,F000^FS^FO380,60^A0N,40^FD    ^FS'
  expect((await drawn(`^XA^PW400^LL200^FO9,9^GB9,9,9^FS${white}^XZ`)).remarks).toEqual([])
})

it('a barcode of 300 dpi is as wide on the sheet as on its printer', async () => {
  const zpl = '^XA^PW1200^LL1800^FO300,300^GB600,900,600^FS^XZ'
  const composed = await composeSheets([zplLabel('x', zpl)], ONE_ON_A4)
  expect(await inked(composed.pdf)).toMatchObject(near({ width: 50.8, height: 76.2 }))
  expect(composed.remarks).toHaveLength(1)
})

it('copies that a printer would make are named, and not made', async () => {
  const zpl = '^XA^PW800^LL1200^FO60,60^FDx^FS^PQ3,0,1,Y^XZ'
  expect(await composeSheets([zplLabel('SHP-7', zpl)], { sheet: '4x6', perPage: 1 })).toMatchObject({
    labels: 1,
    remarks: [expect.stringContaining('SHP-7 asks a printer for 3 copies')],
  })
})

it('ZPL labels that can not be drawn are named, and the others put on sheets', async () => {
  const labels = [
    await pdfLabel('GOOD'),
    zplLabel('BAD', '^XA^FO9,9^B4N,20^FDx^FS^XZ'),
    zplLabel('ALSO-GOOD'),
  ]
  const { pdf, failed } = await composeSheets(labels, ONE_ON_A4)
  expect(await texts(pdf)).toEqual(['ALSO-GOOD', 'GOOD'])
  expect(failed).toMatchObject([{ label: { name: 'BAD' } }])
  const [one, other] = ['B1', 'B1'].map((name) => zplLabel(name, '^XA^FO9,9^B4N,20^FDx^FS^XZ'))
  const copies = [one, one, other].filter((label) => label !== undefined)
  await expectRejection(
    composeSheets(copies, ONE_ON_A4),
    'usage',
    "2 labels can't be drawn on a sheet; nothing was printed.",
  )
})

it.each([
  ['its own resolution', pngLabel('x', 800, 400, 8000).bytes, { width: 100 * MM, height: 50 * MM }],
  ['203 dpi', pngLabel('x', 203, 406).bytes, { width: 72, height: 144 }],
  ['203 dpi where its own is none', pngLabel('x', 203, 203, 0).bytes, { width: 72, height: 72 }],
  ['nothing for another chunk', Buffer.alloc(40), undefined],
])('a PNG has the size of %s', (_name, bytes, size) => {
  const found = pngSize(Buffer.from(bytes))
  expect(found?.width).toEqual(size && expect.closeTo(size.width, 3))
  expect(found?.height).toEqual(size && expect.closeTo(size.height, 3))
})

it('a PNG that would take gigabytes is not read', () => {
  const bytes = Buffer.from(pngLabel('x', 10, 10).bytes)
  bytes.writeUInt32BE(60_000, 16)
  bytes.writeUInt32BE(60_000, 20)
  expect(pngSize(bytes)).toBeUndefined()
})
