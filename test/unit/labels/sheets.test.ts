import { degrees, PDFDocument } from '@cantoo/pdf-lib'
import { toBuffer } from 'bwip-js/node'
import { PNG } from 'pngjs'
import { beforeAll, describe, expect, it } from 'vitest'
import { pngSize } from '../../../src/lib/labels/png-size.ts'
import { composeSheets, type SheetLabel, type SheetOptions } from '../../../src/lib/labels/sheets.ts'
import { rasterizeZpl } from '../../../src/lib/labels/zpl-raster.ts'
import { barcodesInPdf, pdfPages, pdfToPngs } from '../../helpers/label-readers.ts'

const MM = 72 / 25.4

/** A label of some pages, 100 × 150 mm if not told otherwise, with its name as text and as a barcode on each. */
async function pdfLabel(
  name: string,
  { pages = 1, width = 100, height = 150, turn = 0, origin = 0 } = {},
): Promise<SheetLabel> {
  const document = await PDFDocument.create()
  for (let number = 1; number <= pages; number++) {
    const text = pages > 1 ? `${name}-${number}` : name
    const page = document.addPage([width * MM, height * MM])
    if (origin !== 0) page.setMediaBox(origin, origin, width * MM, height * MM)
    page.setRotation(degrees(turn))
    const image = await document.embedPng(await barcode(text))
    page.drawImage(image, {
      x: origin + 28,
      y: origin + 60,
      width: Math.min(width * MM - 56, 220),
      height: 40,
    })
    page.drawText(text, { x: origin + 28, y: origin + 20, size: 12 })
  }
  return { name, format: 'PDF', bytes: await document.save() }
}

const barcode = (text: string) => toBuffer({ bcid: 'code128', text, scale: 3, height: 10 })

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
  const bytes = PNG.sync.write(image)
  if (dotsPerMetre === undefined) return { name, format: 'PNG', bytes }
  // Its checksum is not looked at: pHYs is no critical chunk.
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

const texts = async (pdf: Uint8Array) => (await barcodesInPdf(pdf)).map(({ text }) => text).sort()

/** Edges of all that is not white on a page, in millimetres from the upper left corner. */
async function inked(pdf: Uint8Array, index = 0) {
  const dpi = 101.6
  const { data, width, height } = PNG.sync.read(Buffer.from((await pdfToPngs(pdf, { dpi }))[index]!))
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (let at = 0; at < data.length; at += 4) {
    if (data[at]! > 200) continue
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)]
    left = Math.min(left, x)
    right = Math.max(right, x + 1)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y + 1)
  }
  return { left: left / 4, top: top / 4, width: (right - left) / 4, height: (bottom - top) / 4 }
}

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
    expect(await barcodesInPdf(composed.pdf)).toEqual([{ text: 'SBX0000012345', format: 'Code128' }])
    // 100 × 150 mm is 2 mm longer than A6.
    expect(composed.scaled).toEqual(sheet === 'a6' ? [{ name: 'SBX0000012345', percent: 98.6 }] : [])
  })

  it('as many pages as came in go out, in their order, filled from the slot that is free', async () => {
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
      ['AAAA-2', 'AAAA-3', 'CCCC'],
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

  it('no labels make no pages', async () => {
    expect(await composeSheets([], { sheet: 'a4', perPage: 2, startAt: 2 })).toMatchObject({
      pages: 0,
      labels: 0,
    })
  })

  it.each([
    [
      'upright in a slot that it fits',
      { sheet: 'a4', perPage: 1 },
      { left: 55, top: 73.5, width: 100, height: 150 },
    ],
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
  ] as const)('a label of 100 × 150 mm stands %s', async (_name, options: SheetOptions, edges) => {
    // 8 dots a millimetre exactly.
    const composed = await composeSheets([pngLabel('frame', 800, 1200, 8000)], options)
    expect(await inked(composed.pdf)).toEqual(near(edges))
  })

  it('a small label is not enlarged, and an image without a resolution has that of label printers', async () => {
    const composed = await composeSheets([pngLabel('small', 203, 406)], { sheet: 'a4', perPage: 1 })
    expect(await inked(composed.pdf)).toMatchObject(near({ width: 25.4, height: 50.8 }))
    expect(composed.scaled).toEqual([])
  })

  it.each([0, 90, 180, 270])(
    'a page that says it is turned by %d° is put as viewers show it',
    async (turn) => {
      const label = await pdfLabel('TURNED', { turn, width: 150, height: 100, origin: 40 })
      const shown = await inked(label.bytes)
      const [page] = await pdfPages(label.bytes)
      const { pdf, scaled } = await composeSheets([label], { sheet: 'a4', perPage: 1 })
      expect(scaled).toEqual([])
      const onSheet = await inked(pdf)
      expect(onSheet.width).toBeCloseTo(shown.width, 0)
      expect(onSheet.left - (210 - page!.widthMm) / 2).toBeCloseTo(shown.left, 0)
      expect(onSheet.top - (297 - page!.heightMm) / 2).toBeCloseTo(shown.top, 0)
      expect(await texts(pdf)).toEqual(['TURNED'])
    },
  )

  it('an empty page is a page', async () => {
    const document = await PDFDocument.create()
    document.addPage([283, 425])
    const label = { name: 'blank', format: 'PDF', bytes: await document.save() } as const
    expect(await composeSheets([label], { sheet: '4x6', perPage: 1 })).toMatchObject({ pages: 1, labels: 1 })
  })

  it('a PDF that is only protected against changes is read', async () => {
    const document = await PDFDocument.load((await pdfLabel('GUARDED')).bytes)
    document.encrypt({ userPassword: '', ownerPassword: 'secret' })
    const label = { name: 'GUARDED', format: 'PDF', bytes: await document.save() } as const
    expect(await texts((await composeSheets([label], { sheet: 'a4', perPage: 1 })).pdf)).toEqual(['GUARDED'])
  })

  describe('a label that can not be read is named', () => {
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
    ] as const)('%s %s', async (_name, format, bytes, problem) => {
      const labels = [await pdfLabel('good'), { name: 'SHP-7', format, bytes: bytes() }]
      await expect(composeSheets(labels, { sheet: 'a4', perPage: 1 })).rejects.toMatchObject({
        kind: 'contract',
        message: `The label SHP-7 can't be put on a sheet: as a ${format}, ${problem}.`,
      })
    })

    it.each([0, 3, 1.5])('slot %d of 2 does not exist', async (startAt) => {
      await expect(composeSheets([], { sheet: 'a4', perPage: 2, startAt })).rejects.toMatchObject({
        kind: 'usage',
      })
    })
  })
})

describe('ZPL on sheets', () => {
  it('is as large as it says, else 100 × 150 mm, and one image a label', async () => {
    const [sized] = await rasterizeZpl('x', zplLabel('x', '^XA^PW400^LL240^FO9,9^FDx^FS^XZ').bytes)
    expect(sized!.size).toEqual({ width: 50 * MM, height: 30 * MM })
    expect(pngSize(sized!.png)).toEqual({ width: (400 / 203) * 72, height: (240 / 203) * 72 })
    const several = await rasterizeZpl('x', zplLabel('x', '^XA^FO9,9^FDx^FS^XZ\n^XA^FO9,9^FDy^FS^XZ').bytes)
    expect(several.map(({ size }) => size)).toEqual(Array(2).fill({ width: 100 * MM, height: 150 * MM }))
  })

  it('that draws nothing is named', async () => {
    await expect(rasterizeZpl('SHP-7', Buffer.from('^XA^XZ'))).rejects.toMatchObject({
      kind: 'contract',
      message: expect.stringContaining("The label SHP-7 can't be drawn from its ZPL"),
    })
  })

  it('without the optional package says how to add it', async () => {
    const loadRenderer = () =>
      Promise.reject(Object.assign(new Error('no'), { code: 'ERR_MODULE_NOT_FOUND' }))
    await expect(
      composeSheets([zplLabel('SHP-7')], { sheet: 'a4', perPage: 1, loadRenderer }),
    ).rejects.toMatchObject({
      kind: 'usage',
      hints: [expect.stringMatching(/^npm install zpl-renderer-js/), expect.any(String)],
    })
  })
})

describe('size of a PNG', () => {
  it.each([
    ['its own resolution', pngLabel('x', 800, 400, 8000).bytes, { width: 100 * MM, height: 50 * MM }],
    ['203 dpi', pngLabel('x', 203, 406).bytes, { width: 72, height: 144 }],
    ['203 dpi where its own is none', pngLabel('x', 203, 203, 0).bytes, { width: 72, height: 72 }],
    ['nothing for another chunk', Buffer.alloc(40), undefined],
  ])('%s', (_name, bytes, size) => {
    const found = pngSize(bytes)
    expect(found?.width).toEqual(size && expect.closeTo(size.width, 3))
    expect(found?.height).toEqual(size && expect.closeTo(size.height, 3))
  })

  it('one that would take gigabytes is not read', () => {
    const bytes = Buffer.from(pngLabel('x', 10, 10).bytes)
    bytes.writeUInt32BE(60_000, 16)
    bytes.writeUInt32BE(60_000, 20)
    expect(pngSize(bytes)).toBeUndefined()
  })
})
