import { expect, it } from 'vitest'
import { inkOf } from '../../../helpers/label-ink.ts'
import { barcodesInDrawings, barcodesInPure } from '../../../helpers/label-readers.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'
import { zplDots } from '../../../helpers/zpl-sheets.ts'

const label = (fields: string) => `^XA^CI28^PW800^LL500${fields}^XZ`
const codesOf = async (fields: string) => barcodesInDrawings(await zplDots(label(fields)))

it.each([
  ['^B8N,100', '9638507', 'EAN8', '96385074'],
  ['^B8N,100,N', '5', 'EAN8', '00000055'],
  ['^BEN,100', '401234567890', 'EAN13', '4012345678901'],
  ['^BEN,100,Y,Y', '4012345678901', 'EAN13', '4012345678901'],
  ['^B2N,100', '12345', 'ITF', '012345'],
  ['^B2N,100,Y,N,Y', '1234567890123', 'ITF', '12345678901231'],
  ['^B3N,N,100', 'ABC-12', 'Code39', 'ABC-12'],
  ['^B3N,Y,100', 'ABC-12', 'Code39', 'ABC-12T'],
  ['^BCN,100', 'Ab1234', 'Code128', 'Ab1234'],
  ['^BCN,100', '>;123456>6Ab', 'Code128', '123456Ab'],
  ['^BCN,100', '>:AB>51234>612', 'Code128', 'AB123412'],
  ['^BCN,100', '>93334>6x', 'Code128', 'ABx'],
  ['^BCN,100', 'a>0b><c>=', 'Code128', 'a>b^c~'],
  ['^BCN,100,Y,N,N,A', 'AB12345678>', 'Code128', 'AB12345678>'],
  ['^BCN,100,Y,N,N,D', '(01)0841 2345678905(10)AB>8(21)9', 'Code128', '(01)08412345678905(10)AB(21)9'],
  ['^BCN,100,Y,N,N,U', '0001234560000000012', 'Code128', '(00)012345600000000128'],
  ['^B7N,4,3,4', 'Straße 12', 'PDF417', 'Straße 12'],
  ['^B7N,6,2,3,,Y', 'truncated', 'PDF417', 'truncated'],
  ['^BQN,2,5', 'QA,https://example.com/é', 'QRCode', 'https://example.com/é'],
  ['^BQN,2,5,,0', 'HM,N0123', 'QRCode', '0123'],
  ['^BQN,2,5', 'LM,B0005abcdefg', 'QRCode', 'abcde'],
  ['^BQN,2,5', 'A,no level', 'QRCode', 'no level'],
  ['^BXN,6,200', '~d065B^C', 'DataMatrix', 'AB^C'],
  ['^BXN,6,200,,,,_', '_10108412345678905_110A_d066', 'DataMatrix', '(01)08412345678905(10)AB'],
  ['^BXN,6,200,,,,,2', 'WIDE', 'DataMatrix', 'WIDE'],
  ['^BXN,6,200,24,24', 'LARGE', 'DataMatrix', 'LARGE'],
])('%s of %s scans', async (command, data, format, text) => {
  const fields = `^FO80,40^BY2,3,100${command}^FD${data.replaceAll('^', '_5E').replaceAll('~', '_7E')}^FS`
  const withEscapes = data.includes('^') || data.includes('~') ? fields.replace('^FD', '^FH^FD') : fields
  expect(await codesOf(withEscapes)).toEqual([{ text, format }])
})

it.each(['N', 'R', 'I', 'B'])(
  'scans codes that are turned by ^FW%s, by either way to place them',
  async (turn) => {
    const fields = `^FW${turn}^FO40,20^BY2^BC,60,N^FDFIRST^FS^FT500,250^BC,60,N^FDSECOND^FS`
    expect(valuesOf(await codesOf(fields), 'text').sort()).toEqual(['FIRST', 'SECOND'])
  },
)

it('makes a MaxiCode of its printed size, with address and message', async () => {
  const data =
    '003840152382802[)>_1E01_1D961Z00004951_1DUPSN_1D06X610_1D159_1D_1D1/1_1D_1DY_1D_1DPITTSBURGH_1DPA_1E_04'
  const pages = await zplDots(label(`^FO80,40^BD2^FH^FD${data}^FS`))
  const { left, right, top, bottom } = inkOf(pages[0]!)
  // 26.4 × 25.2 mm of 8 dots: 30 hexagons across, 33 rows.
  expect((right - left) / 8).toBeCloseTo(26.4, 0)
  expect((bottom - top) / 8).toBeCloseTo(25.2, 0)
  const [code] = await barcodesInPure(pages[0]!)
  expect(code?.format).toBe('MaxiCode')
  expect(code?.text).toContain('152382802\u001d840\u001d003\u001d1Z00004951')
})

it.each([
  // 18 narrow and 9 wide bars and spaces, with start and stop.
  ['^BY2,2.0^B2N,60,N', '1234', 72],
  ['^BY2,3.0^B2N,60,N', '1234', 90],
  // 21 squares of 2 dots: model 2, magnification 2 and level M are the defaults.
  ['^BQ', 'A,1', 42],
  ['^BQN,2,2,,9', 'QA,1', 42],
  ['^BQN,2,2', 'A,of fifteen byte', 50],
  ['^BXN,2,200,24,24', 'LARGE', 48],
  ['^BY2,3,4^BXN,,200', 'A', 40],
  ['^BY2^B7N,4,3,4', 'A', 274],
])('%s of %s is %i dots wide', async (command, data, width) => {
  const { left, right } = inkOf((await zplDots(label(`^FO80,40${command}^FD${data}^FS`)))[0]!)
  expect(right - left).toBe(width)
})

it.each([
  ['^BCN,60', 'below'],
  ['^BCN,60,N', 'nowhere'],
  ['^BCN,60,Y,Y', 'above'],
  ['^BCN,60,,,,U', 'above'],
])('the text of %s is %s', async (command, where) => {
  const { top, bottom } = inkOf((await zplDots(label(`^FO80,40^BY2${command}^FD12^FS`)))[0]!)
  expect([top < 40 - 15, bottom > 40 + 60]).toEqual([where === 'above', where === 'below'])
})

it.each([
  ['^FO80,40', 40 + 100],
  ['^FT80,300', 300 - 42 - 14],
])('a QR code at %s begins in row %i', async (origin, row) => {
  const [drawing] = await zplDots(label(`${origin}^BY2,3,100^BQN,2,2^FDQA,1^FS`))
  expect(inkOf(drawing!).top).toBe(row)
})

it.each([
  ['^BEN,60', '401234567890', [0, 2, 46, 48, 92, 94]],
  ['^B8N,60', '9638507', [0, 2, 32, 34, 64, 66]],
])('lengthens the bars at both ends and in the middle of %s, and no others', async (command, data, ends) => {
  const [drawing] = await zplDots(label(`^FO80,40^BY2,3,60${command},N^FD${data}^FS`))
  const { left, right, bottom } = inkOf(drawing!)
  const long = times((right - left) / 2, (at) => at).filter(
    (at) => (drawing!.data[((bottom - 1) * drawing!.width + left + 2 * at) * 4] ?? 255) < 128,
  )
  expect([bottom, long]).toEqual([40 + 60 + 10, ends])
})
