import { PDFDocument } from '@cantoo/pdf-lib'
import { expect, it } from 'vitest'
import { composeSheets } from '../../../src/lib/labels/sheets.ts'
import { labelZpl } from '../../../src/lib/sandbox/labels/zpl.ts'
import { content } from '../../helpers/label-content.ts'
import { barcodesInDrawings, drawnPages, drawnZpl } from '../../helpers/label-readers.ts'

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
  const squares = new Map<string, number>()
  for (let y = 0; y < Math.min(one.height, other.height); y++) {
    for (let x = 0; x < Math.min(one.width, other.width); x++) {
      const [a, b] = [one, other].map(({ data, width }) => data[(y * width + x) * 4] ?? 255)
      const key = `${x >> 4},${y >> 4}`
      squares.set(key, (squares.get(key) ?? 0) + (a ?? 0) - (b ?? 0))
    }
  }
  return [...squares.values()].filter((ink) => Math.abs(ink) > (256 * 255) / 3).length / squares.size
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
])('leaves to the renderer: %s', async (_name, fields) => {
  const pdf = await printed(`^XA${SIZE}^FO40,40^A0N,30^FDfirst^FS^FO40,90${fields}^XZ`)
  expect(await pictures(pdf)).toBe(1)
})
