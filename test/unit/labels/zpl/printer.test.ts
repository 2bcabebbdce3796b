import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { differing, inkOf, turnedAbout } from '../../../helpers/label-ink.ts'
import { drawnZpl, pdfPages } from '../../../helpers/label-readers.ts'
import { zplDots, zplSheets } from '../../../helpers/zpl-sheets.ts'

const SIZE = '^PW320^LL160'
const label = (fields: string) => `^XA${SIZE}${fields}^XZ\n`

const inkIn = async (fields: string) => inkOf((await zplDots(label(fields)))[0]!)

/** Text of a drawn label, without its blanks. */
const textOf = async (fields: string) => {
  const [page] = await pdfPages((await zplSheets(label(fields))).pdf)
  return page?.text.replace(/\s/g, '')
}

/** Two ways to say the same label. */
async function expectSame(zpl: string | Uint8Array, plain: string) {
  const [one, other] = [await zplDots(zpl), await zplDots(plain)]
  expect(other.some((page) => inkOf(page).dots > 20)).toBe(true)
  expect(one.map(({ width, height }) => [width, height])).toEqual(
    other.map(({ width, height }) => [width, height]),
  )
  for (const [index, { data }] of one.entries())
    expect(Buffer.from(data).equals(Buffer.from(other[index]!.data)), `label ${index + 1}`).toBe(true)
}

it('settings apply to later labels, and settings alone draw none', () =>
  expectSame(
    `^XA${SIZE}^CI28^BY3,3,40^CF0,30^LH10,5^XZ^XA^FO9,9^FDé^FS^XZ^XA^FO9,60^BCN,,N^FD12^FS^XZ`,
    label('^CI28^FO19,14^A0N,30^FDé^FS') + label('^FO19,65^BY3^BCN,40,N^FD12^FS'),
  ))

it('the printer recalls a stored format with numbered fields, and the format that replaces it', () =>
  expectSame(
    '^XA^DFR:A.ZPL^FO9,9^A0N,40^FN1^FS^FO9,90^GB50,9,2^FS^XZ' +
      label('^XFA^FN1^FDone^FS') +
      '^XA^DFR:A.ZPL^FO50,50^A0N,40^FN2^FS^XZ' +
      label('^XFR:A.ZPL^FS^FN2^FDtwo^FS'),
    label('^FO9,9^A0N,40^FDone^FS^FO9,90^GB50,9,2^FS') + label('^FO50,50^A0N,40^FDtwo^FS'),
  ))

it('the printer shows a downloaded graphic, enlarged and in a format', () =>
  expectSame(
    `~DGR:L.GRF,8,1,F0F0F0F0FFFFFFFF\n^XA^DFF^FO9,9^XGR:L.GRF,5,3^FS^XZ${label('^XFF^FS')}`,
    label('^FO9,9^GB20,12,12^FS^FO9,21^GB40,12,12^FS'),
  ))

it('commands may begin with other signs', () =>
  expectSame(
    `CT~~CD,~CC^~CT~\n^XA^CC!!CD;!PW320!LL160!FO9;9!A0N;40!FDx^y!FS!XZ`,
    label('^FO9,9^A0N,40^FH^FDx_5Ey^FS'),
  ))

it('commands may be in lower case and on separate lines', () =>
  expectSame(`^xa\r\n${SIZE}\r\n^fo9,9\r\n^a0n,40\r\n^fdABC\r\n^fs\r\n^xz`, label('^FO9,9^A0N,40^FDABC^FS')))

it('commands about the printer, its paper and its tags are ignored', () =>
  expectSame(
    `~SD15~JSN^XA^MMT^MNW^MTT^PR4,4^JMA^JUS^MD10^PQ1,0,1,Y^FXa comment^FS${SIZE}^FO9,9^A0N,40^FDx^FS^RFW,H^FD00^FS^XZ~JA`,
    label('^FO9,9^A0N,40^FDx^FS'),
  ))

it('the printer turns a label about for ^PO, mirrors it for ^PM and shifts it for ^LS and ^LT', async () => {
  const box = '^FO10,20^GB30,40,30^FS'
  const [plain] = await zplDots(label(box))
  const [turned] = await zplDots(label(`^POI${box}`))
  expect(Buffer.from(turned!.data).equals(Buffer.from(turnedAbout(plain!).data))).toBe(true)
  expect(await inkIn(`^PMY${box}`)).toMatchObject({ left: 280, top: 20, right: 310, bottom: 60 })
  expect(await inkIn(`^LS5^LT7${box}`)).toMatchObject({ left: 5, top: 27, right: 35, bottom: 67 })
})

it('^FT places areas and graphics by their lower edge, and by their right one if asked to', async () => {
  expect(await inkIn('^FT10,100^GB30,40,30^FS')).toMatchObject({ left: 10, top: 60, bottom: 100 })
  expect(await inkIn('^FT10,100^GFA,8,8,1,FFFFFFFFFFFFFFFF^FS')).toMatchObject({ top: 92, bottom: 100 })
  expect(await inkIn('^FO100,10,1^GB30,40,30^FS')).toMatchObject({ left: 70, right: 100 })
})

it('text continues after the previous one where ^FT gives no place', async () => {
  const [parted, whole] = await zplDots(
    label('^FT10,50^A0N,40^FDAB^FS^FT^A0N,40^FDCD^FS') + label('^FT10,50^A0N,40^FDABCD^FS'),
  )
  expect(Math.abs(inkOf(parted!).right - inkOf(whole!).right)).toBeLessThan(2)
})

it.each(['^GB160,120,120,,8', '^GB160,120,20,,8', '^GB160,120,20,,3'])(
  'draws %s as an independent renderer does',
  async (shape) => {
    const zpl = label(`^FO20,20${shape}^FS`)
    const [[one], [other]] = [await zplDots(zpl), await drawnZpl(Buffer.from(zpl), 40, 20)]
    expect(differing(one!, other!)).toBe(0)
    expect(inkOf(one!).dots / inkOf(other!).dots).toBeCloseTo(1, 2)
  },
)

it.each(['^GC120,60', '^GC120,20', '^GE120,120,20'])(
  'draws %s as a box that is rounded to a circle',
  (shape) =>
    expectSame(label(`^FO20,20${shape}^FS`), label(`^FO20,20^GB120,120,${shape.split(',').at(-1)},,8^FS`)),
)

it('^GC without a thickness draws a circle one dot thick', () =>
  expectSame(label('^FO20,20^GC120^FS'), label('^FO20,20^GC120,1^FS')))

const hex = '00FFFFFFF0F0F0F0FFFFFFFFFFFFFFFF00000000'
const rows = Buffer.from(hex, 'hex')
const plain = label(`^FO9,9^GFA,20,20,4,${hex}^FS`)
const gf = (data: string, kind = 'A') => `^XA${SIZE}^FO9,9^GF${kind},20,20,4,${data}^FS^XZ`

it.each([
  ['repeat counts', gf('00!F0F0F0F0NF:,')],
  [':B64:', gf(`:B64:${rows.toString('base64')}:0000`)],
  [':Z64:', gf(`:Z64:${deflateSync(rows).toString('base64')}:0000`)],
  ['plain bytes', Buffer.from(gf(rows.toString('latin1'), 'B'), 'latin1')],
  ['~DY', `~DYR:X.GRF,A,G,20,4,${hex}${label('^FO9,9^XGX,1,1^FS')}`],
])('the printer reads a graphic as %s', (_name, zpl) => expectSame(zpl, plain))

it.each([
  ['UTF-8', '^CI28^FO9,9^A0N,40^FDé€^FS'],
  ['UTF-8 that is not announced', '^FO9,9^A0N,40^FDé€^FS'],
  ['bytes of UTF-8', '^CI28^FO9,9^A0N,40^FH^FD_c3_a9_E2_82_AC^FS'],
  ['bytes behind another sign', '^CI28^FO9,9^A0N,40^FH\\^FD\\c3\\a9€^FS'],
  ['Windows-1252', '^CI27^FO9,9^A0N,40^FH^FD_E9_80^FS'],
])('the printer reads %s', async (_name, fields) => {
  expect(await textOf(fields)).toBe('é€')
})

it('the printer reads bytes of code page 850 unless a label says otherwise', async () => {
  expect(await textOf('^FO9,9^A0N,40^FH^FDJos_82 Mu_A4oz^FS')).toBe('JoséMuñoz')
})

it('the font has the letters of Central European and Turkish names', async () => {
  const name = 'Łódź Wąchęća Žďár nad Ťaží Őrség Űr İğdır Ștefănești Şişli Ķegums Ģirts đurđ'
  const { pdf, failed } = await zplSheets(
    `^XA^CI28^PW799^LL200^FO9,9^A0N,30^FD${name}^FS^FO9,60^ADN,18^FDŁódź^FS^XZ`,
  )
  expect(failed).toEqual([])
  const text = (await pdfPages(pdf))[0]?.text.replace(/\s/g, '') ?? ''
  for (const letter of 'Łódź Wąchęć Žďár Ťaží Őrség Űr İğdır tefăne'.replaceAll(' ', ''))
    expect(text).toContain(letter)
})

it('the printer breaks lines at the width of a block, and words that are wider', async () => {
  const lines = await inkIn('^FO50,10^A0N,30^FB120,4,0,L^FDone two three four^FS')
  expect(lines.right).toBeLessThanOrEqual(172)
  expect(lines.bottom).toBeGreaterThan(60)
  const word = await inkIn('^FO50,10^A0N,30^FB100,4,0,L^FDDonaudampfschiff^FS')
  expect([word.right <= 152, word.bottom > 60]).toEqual([true, true])
})

it('surplus text of a block is drawn narrower in its last line, where printers would overprint', async () => {
  const fields = '^FO50,10^A0N,30^FB150,2,0,L^FDone two three four five six^FS'
  const ink = await inkIn(fields)
  expect(ink.right).toBeLessThanOrEqual(202)
  expect(ink.bottom).toBeLessThan(75)
  expect(await textOf(fields)).toBe('onetwothreefourfivesix')
})

it('further lines of a block are indented', async () => {
  const [plain, hung] = [
    await inkIn('^FO10,10^A0N,30^FB300,3,0,L,0^FDi\\&i^FS'),
    await inkIn('^FO10,10^A0N,30^FB300,3,0,L,50^FDi\\&i^FS'),
  ]
  expect(hung.right - plain.right).toBe(50)
})

it('a font that only a printer has is replaced, with a remark', async () => {
  const { remarks, labels } = await zplSheets(label('^FO9,9^A@N,40,40,E:ARIAL.TTF^FDx^FS'))
  expect([remarks, labels]).toEqual([
    [expect.stringContaining('SHP-7 names a font that only its printer has (E:ARIAL.TTF)')],
    1,
  ])
})

it.each([
  ['another code', '^FO9,9^B4N,20^FDx^FS', 'it holds ^B4, a command that only printers carry out'],
  ['a command that nobody knows', '^QQ1', 'it holds ^QQ,'],
  ['a letter for which there is no font', '^CI28^FO9,9^A0N,30^FDЖ^FS', 'it holds the letter "Ж"'],
  [
    'a graphic that is kept in the printer',
    '^FO9,9^XGR:LOGO.GRF^FS',
    'it recalls a graphic (R:LOGO.GRF) that its file',
  ],
  ['a format that is kept in the printer', '^XFE:FORM.ZPL^FS', 'it recalls ^XF (E:FORM.ZPL) that its file'],
  ['a broken graphic', '^FO9,9^GFA,8,8,1,:Z64:AAAA:0000^FS', 'it holds a graphic that is broken'],
  ['a format that recalls itself', '^DFS^XFS^FS^XZ^XA^XFS', 'it recalls more than 10 formats (^XF)'],
  [
    'a Data Matrix with an unknown control sequence',
    '^FO9,9^BXN,6,200,,,,_^FD_x^FS',
    'it holds ^BX with a control sequence other than _1, _d and __',
  ],
  ['an old kind of Data Matrix', '^FO9,9^BXN,6,80^FDx^FS', 'it holds ^BX with a quality other than 200'],
  ['a QR code of model 1', '^FO9,9^BQN,1,5^FDQA,x^FS', 'it holds ^BQ with data that are not for model 2'],
  ['an EAN of letters', '^FO9,9^BEN,50^FDABC^FS', 'it holds an EAN code of "ABC", which are not digits'],
  ['a Code 39 of small letters', '^FO9,9^B3N,N,50^FDabc^FS', "it holds a code (code39) that can't be made"],
  [
    'a QR code that is too long',
    `^FO9,9^BQN,2,5^FDHA,${'x'.repeat(3000)}^FS`,
    "it holds a code (qrcode) that can't be made",
  ],
  ['millimetres', '^MUM', 'it holds ^MU with a unit other than dots'],
  ['replaced characters', '^CI0,36,21', 'it holds ^CI with characters that are replaced'],
])('names a label with %s, and draws the others of its file', async (_name, fields, problem) => {
  const good = label('^CI28^FO9,9^A0N,40^FDgood^FS')
  const { labels, failed } = await zplSheets(good + label(fields) + good)
  expect(labels).toBe(2)
  expect(failed).toHaveLength(1)
  expect(failed[0]?.message).toContain(`The label SHP-7 (2 of 3) can't be drawn on a sheet: ${problem}`)
})

it('draws nothing of a label that is cut off', async () => {
  await expect(zplSheets(`^XA${SIZE}^FO9,9^A0N,40^FDcut`)).rejects.toMatchObject({
    message: 'The label SHP-7 has ZPL that draws nothing.',
  })
})
