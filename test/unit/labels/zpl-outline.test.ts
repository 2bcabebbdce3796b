import * as lib from '@cantoo/pdf-lib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { composeSheets } from '../../../src/lib/labels/sheets.ts'
import { openZplOutlines } from '../../../src/lib/labels/zpl-outline.ts'
import { rasterizeZpl } from '../../../src/lib/labels/zpl-raster.ts'
import { labelZpl } from '../../../src/lib/sandbox/labels/zpl.ts'
import { content } from '../../helpers/label-content.ts'
import { barcodesInDrawings, drawnPages, drawnZpl } from '../../helpers/label-readers.ts'

const { PDFDocument } = lib

const SIZE = '^CI28^PW799^LL1199'

/** One that says all that is drawn without the renderer. */
const ALL = `^XA${SIZE}^LH10,10
^FO40,40^A0N,60^FDÅngström & Søn_2D1^FS^FO40,110^A0N,30,60^FH^FDWide_C3_A9^FS^FO40,150^ADN,36,20^FDFont D^FS
^FO40,260^GB300,100,4^FS^FO360,260^GB100,100,100^FS^FO370,290^FR^A0N,40,40^FDREVERSED^FS
^FO40,380^FB400,3,5,C^A0N,30^FDcentred text in a block of some lines \\& with a break^FS
^FO450,380^FB300,3,5,R^A0N,30^FDright aligned text^FS^FT40,560^A0N,40^FDby base line^FS
^FO40,580^BY2^BCN,80,Y,N,N^FDSBX-12345^FS^FO40,720^BY3,3,60^BCN,,N^FD>;123456^FS
^FO450,580^BXN,6,200^FDSBX0000012345^FS^FO600,560^BQN,2,5^FDQA,https://example.com/r/1^FS
^FO760,60^A0R,30^FDturned R^FS^FO700,60^A0B,30^FDturned B^FS^FO640,60^A0I,30^FDturned I^FS
^FO700,800^BY2^BCR,60,Y^FDROT-R^FS^FO40,850^BCB,60,N^FDROT-B^FS^FT200,1100^BCN,60,Y,Y^FDFT-ABOVE^FS
^FO500,950^GFA,72,72,3,FFFFFF800001:::::::80FF01:::::::800001FFFFFF^FS^FO600,900,1^A0N,30^FDright of 600^FS^XZ`

async function printed(zpl: string | Uint8Array): Promise<Uint8Array> {
  const label = { name: 'x', format: 'ZPL' as const, bytes: Buffer.from(zpl) }
  const { pdf } = await composeSheets([label], { sheet: 'a4', perPage: 1, isTrimmed: true })
  return pdf
}

/** Pictures by the renderer are grey, with the filters of PNG. */
async function pictures(pdf: Uint8Array): Promise<number> {
  const objects = (await PDFDocument.load(pdf)).context.enumerateIndirectObjects()
  return objects.filter(([, object]) => String(object).includes('/Predictor 15')).length
}

/** Of squares of 16 dots, those whose ink differs by more than a third of the square. */
function differing(one: Drawing, other: Drawing): number {
  const [width, height] = [Math.min(one.width, other.width), Math.min(one.height, other.height)]
  const across = Math.ceil(width / 16)
  const squares = new Float64Array(across * Math.ceil(height / 16))
  const ink = (drawing: Drawing, x: number, y: number) => drawing.data[(y * drawing.width + x) * 4] ?? 255
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const square = (y >> 4) * across + (x >> 4)
      squares[square] = (squares[square] ?? 0) + ink(one, x, y) - ink(other, x, y)
    }
  }
  return squares.filter((difference) => Math.abs(difference) > (256 * 255) / 3).length / squares.length
}

type Drawing = Awaited<ReturnType<typeof drawnZpl>>[number]

it.each([
  ['all that it knows', ALL],
  ['a label of the sandbox', new TextDecoder().decode(labelZpl(content()))],
])('%s: looks as the renderer draws it, and its codes are read', async (_name, zpl) => {
  const pdf = await printed(zpl)
  expect(await pictures(pdf)).toBe(0)
  const [expected] = await drawnZpl(Buffer.from(zpl), 799 / 8, 1199 / 8)
  const [page] = await drawnPages(pdf, { dpi: 203.2 })
  expect(differing(page!, expected!)).toBeLessThan(0.02)
  const codes = await barcodesInDrawings([page!])
  expect(codes).toEqual(await barcodesInDrawings([expected!]))
  expect(codes.length).toBeGreaterThan(1)
})

it.each([
  ['a font of its own', '^A@N,30,30,E:X.TTF^FDx^FS'],
  ['another code', '^B3N,N,80^FDABC^FS'],
  ['a letter that is not in the fonts', '^A0N,30^FDЖ^FS'],
  ['a code with control characters', '^BCN,80^FDA>8B^FS'],
  ['packed pixels', '^GFA,8,8,1,:Z64:eJwDAAAAAAE=:0000^FS'],
  ['a text that goes on', '^FT^A0N,30^FDx^FS'],
  ['lower case', '^a0N,30^FDx^FS'],
  ['a font of no size', '^A0N^FDx^FS'],
  ['more lines than the block has', '^FB100,2,0,L^A0N,40^FDone two three four five^FS'],
  ['a word wider than its block', '^FB60,2,0,L^A0N,40^FDDonaudampfschiff^FS'],
  ['a hanging indent', '^FB300,2,0,L,20^A0N,30^FDx^FS'],
  ['an empty line', '^FB300,3,0,L^A0N,30^FDx\\&\\&y^FS'],
  ['two texts in a field', '^A0N,30^FDa^FO40,150^FDb^FS'],
  ['a field without an end', '^A0N,30^FDa'],
  ['a byte of another code page', '^CI0^A0N,30^FH^FDcaf_82^FS'],
  ['bytes that are no UTF-8', '^A0N,30^FH^FDcaf_82^FS'],
  ['characters that are replaced', '^CI28,36,21^A0N,30^FDx^FS'],
  ['justification by default', '^FWN,1^FO300,150^A0N,30^FDx^FS'],
  ['a mirrored label', '^PMY^A0N,30^FDx^FS'],
  ['a code at its right end', '^FO300,150,1^BCN,60,N^FD1234^FS'],
  ['a box by its lower edge', '^FT300,300^GB50,50,3^FS'],
  ['a check digit of its own', '^BCN,80,N,N,Y^FD123456^FS'],
  ['a change of subset', '^BCN,80,N^FDAB>51234^FS'],
  ['a mode of Code 128', '^BCN,80,N,N,N,A^FD123456^FS'],
  ['a font for a line of a code', '^A0N,30^BCN,80,Y^FD123456^FS'],
  ['another kind of Data Matrix', '^BXN,6,80^FDx^FS'],
  ['an escape in a Data Matrix', '^BXN,6,200^FD_1x^FS'],
  ['a QR code of model 1', '^BQN,1,5^FDQA,x^FS'],
  ['a QR code of bytes', '^BQN,2,5^FDQM,B0003abc^FS'],
  ['a QR code by its lower edge', '^FT300,300^BQN,2,5^FDQA,x^FS'],
])('leaves to the renderer: %s', async (_name, fields) => {
  const outline = await openZplOutlines(lib, await PDFDocument.create())
  const picture = Buffer.from('a picture')
  const draw = async () => [picture]
  const zpl = Buffer.from(`^XA${SIZE}^FO40,40^A0N,30^FDfirst^FS^FO40,90${fields}^XZ`)
  const { images } = await rasterizeZpl('x', zpl, { draw, outline })
  expect(images.map(({ content }) => content)).toEqual([picture])
})

it('what it leaves to the renderer is a picture on the sheet', async () => {
  expect(await pictures(await printed(`^XA${SIZE}^FO40,90^B3^FDABC^FS^XZ`))).toBe(1)
})

const CELLS = [150, 450].flatMap((x) => [150, 450, 750].map((y) => [x, y] as const))
const turn = fc.constantFrom('N', 'R', 'I', 'B')
const word = fc.stringMatching(/^[A-Za-z0-9.#-]{2,4}$/)
const dots = fc.integer({ min: 3, max: 5 })
const field = fc.oneof(
  fc
    .tuple(fc.constantFrom('0', 'A', 'D', 'F'), turn, fc.integer({ min: 18, max: 40 }), word)
    .map(([font, way, height, text]) => `^A${font}${way},${height}^FD${text}^FS`),
  fc
    .tuple(turn, fc.constantFrom('L', 'C', 'R'), word, word)
    .map(([way, align, one, two]) => `^A0${way},24^FB140,3,4,${align}^FD${one} ${two}\\&${one}^FS`),
  fc
    .tuple(
      turn,
      fc.integer({ min: 1, max: 2 }),
      fc.constantFrom('N', 'Y', 'Y,Y'),
      fc.constantFrom('AB', '>:x-', '>;123456'),
    )
    .map(([way, wide, line, data]) => `^BY${wide}^BC${way},60,${line}^FD${data}^FS`),
  fc
    .tuple(turn, dots, fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...'ABCxyz 0123-*>') }))
    .map(([way, size, data]) => `^BX${way},${size},200^FD${data.trim() || 'x'}^FS`),
)
const QR = fc
  .tuple(dots, fc.constantFrom('L', 'M', 'Q', 'H'), word)
  .map(([size, level, data]) => `^FO80,380^BQN,2,${size}^FD${level}A,${data}^FS`)

it('any label of what it knows is as the renderer has it', async () => {
  const labels = fc.tuple(
    fc.array(fc.tuple(field, fc.constantFrom('O', 'T')), { minLength: 6, maxLength: 6 }),
    QR,
  )
  await fc.assert(
    fc.asyncProperty(labels, async ([fields, qr]) => {
      const placed = fields.map(([text, by], at) => (at === 1 ? qr : `^F${by}${CELLS[at]?.join()}${text}`))
      const zpl = `^XA^CI28^PW600^LL900${placed.join('')}^XZ`
      const pdf = await printed(zpl)
      expect(await pictures(pdf)).toBe(0)
      const [expected] = await drawnZpl(Buffer.from(zpl), 75, 112.5)
      const [page] = await drawnPages(pdf, { dpi: 203.2 })
      expect(differing(page!, expected!)).toBeLessThan(0.01)
      expect(await barcodesInDrawings([page!])).toEqual(await barcodesInDrawings([expected!]))
    }),
    { numRuns: 8 },
  )
})
