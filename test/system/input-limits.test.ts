import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { expectWithinLimits, measuredCli } from '../helpers/measured-cli.ts'
import { type Deflated, zip } from '../helpers/row-input.ts'
import { times } from '../helpers/values-of.ts'

const MIB = 2 ** 20
const folder = newFolder()

function measured(argv: string[], stdin?: string) {
  return measuredCli(argv, { RMA_BASE_URL: 'http://127.0.0.1:9', RMA_TOKEN: 'token' }, { stdin })
}

function fileOf(name: string, content: Uint8Array | string) {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}

const HEAD = '<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>shipmentId</t></is></c></row>'
const TAIL = '</sheetData></worksheet>'

function workbook(name: string, sheet: Buffer, more: Record<string, string | Deflated> = {}) {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`
  const content = zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', 'sheet.xml')}${relation('r2', 'sharedStrings', 'strings.xml')}</Relationships>`,
    'xl/sheet.xml': sheet,
    ...more,
  })
  return fileOf(name, content)
}

/** A sheet whose middle is a text, over and over. */
function sheetOf(piece: string, bytes: number) {
  return Buffer.concat([Buffer.from(HEAD), Buffer.alloc(bytes, piece), Buffer.from(TAIL)])
}

it.each([
  ['millions of empty rows', () => workbook('rows.xlsx', sheetOf('<row/>', 18_000_000)), /2 million rows/],
  ['a cell of 20 MB', () => workbook('cell.xlsx', sheetOf('x', 20_000_000)), /cell longer than 1 MiB/],
  [
    'a cell just above 1 MiB',
    () =>
      workbook(
        'mib.xlsx',
        Buffer.from(`${HEAD}<row><c t="inlineStr"><is><t>${'x'.repeat(MIB + 1)}</t></is></c></row>${TAIL}`),
      ),
    /cell longer than 1 MiB/,
  ],
  [
    '1.1 GB unpacked',
    () => {
      const bytes = 100_000_000
      const part = { bytes, data: deflateRawSync(Buffer.alloc(bytes, ' '), { level: 1 }) }
      const parts = times(11, (at) => [`xl/media/${at}.xml`, part])
      return workbook('gigabyte.xlsx', sheetOf('<row/>', 60), Object.fromEntries(parts))
    },
    /larger than 1 GB unpacked/,
  ],
  [
    'four million different texts',
    () => {
      const thousand = times(1000, (at) => `<si><t>#${at}</t></si>`).join('')
      const between = thousand.split('#')
      const strings = times(4200, (at) => between.join(`${at}-`)).join('')
      return workbook('texts.xlsx', sheetOf('<row/>', 60), { 'xl/strings.xml': `<sst>${strings}</sst>` })
    },
    /more different texts than there is memory for/,
  ],
])('XLSX: %s: exit 2, named, in seconds and 400 MiB', async (_name, make, words) => {
  const file = make()
  const result = await measured(typed`tracking push --file ${file} --dry-run`)
  expectEnd(result, 2, words)
  expect(result.stderr).toContain('CSV')
  expectWithinLimits(result)
})

it('100,000 rows of XLSX are read in 400 MiB', async () => {
  const row = '<row><c t="inlineStr"><is><t>R#-1001</t></is></c></row>'
  const file = workbook('ok.xlsx', sheetOf(row, row.length * 100_000))
  const result = await measured(typed`tracking push --file ${file} --dry-run --skip-invalid -q`)
  const { code, stderr } = result
  // The column that is missing is what is said, of a file that was read.
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/trackingStatus|status/i)
  expectWithinLimits(result)
})

/** A page of 200 × 200 points whose stream is named by `use`. */
function pdf(name: string, dict: string, use: string, packed: Buffer) {
  const objects = Buffer.concat([
    Buffer.from(
      '%PDF-1.5\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n',
    ),
    Buffer.from(`3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]${use}>>\nendobj\n`),
    Buffer.from(`4 0 obj\n<<${dict}/Filter/FlateDecode/Length ${packed.length}>>\nstream\n`),
    packed,
    Buffer.from('\nendstream\nendobj\ntrailer\n<</Size 6/Root 1 0 R>>\n%%EOF\n'),
  ])
  return fileOf(name, objects)
}

const OBJECTS = '/Type/ObjStm/N 1/First 4'

const packedBlanks = new Map<number, Buffer>()

/** Deflated stream of object 5 and blanks, which is also a page's content and an image. */
function blanks(bytes: number) {
  const known = packedBlanks.get(bytes)
  if (known !== undefined) return known
  const content = Buffer.alloc(bytes, ' ')
  content.write('5 0 null')
  const packed = deflateSync(content, { level: 1 })
  packedBlanks.set(bytes, packed)
  return packed
}

it('a PDF whose object stream unpacks to 400 MB is exit 2 with a reason, in 400 MiB', async () => {
  const file = pdf('bomb.pdf', OBJECTS, '', blanks(400_000_000))
  const result = await measured(typed`labels print ${file} --out ${join(folder, 'sheets.pdf')}`)
  expectEnd(result, 2, /bomb\.pdf.*200 MB unpacked/)
  expectWithinLimits(result)
})

it.each([
  ['objects', OBJECTS, ''],
  ['what a page shows', '', '/Contents 4 0 R'],
  [
    'an image',
    '/Type/XObject/Subtype/Image/Width 10000/Height 19900/ColorSpace/DeviceGray/BitsPerComponent 8',
    '/Resources<</XObject<</I 4 0 R>>>>',
  ],
])(
  'a PDF with 199 MB of %s is handled in 400 MiB',
  {
    timeout: 120_000,
  },
  async (name, dict, use) => {
    const file = pdf(`${name.replaceAll(' ', '-')}.pdf`, dict, use, blanks(199_000_000))
    const out = join(folder, `sheet of ${name}.pdf`)
    const result = succeeded(await measured(typed`labels print ${file} --out ${out}`))
    expectWithinLimits(result)
  },
)

it.each([
  ['a list', 'deep.json', (deep: string) => `[{"shipmentId":${deep}}]`],
  ['lines', 'deep.ndjson', (deep: string) => `{"shipmentId":${deep}}\n{"shipmentId":"x"}\n`],
])('JSON nested 100,000 deep in %s: exit 2, and no fault of ours', async (_name, name, around) => {
  const file = fileOf(name, around('['.repeat(100_000) + ']'.repeat(100_000)))
  const result = await measured(typed`tracking push --file ${file} --dry-run`)
  expectEnd(result, 2, /nested too deeply/)
  expectWithinLimits(result)
})

const DEEP = '['.repeat(100_000) + ']'.repeat(100_000)

it.each([
  ['a label request', typed`labels create --from -`],
  ['a label update', typed`labels update R#-1 --from -`],
  ['a question for methods', typed`methods calculate --from -`],
  ['a request', typed`api POST /returns --input -`],
])('JSON nested 100,000 deep in %s: exit 2, and no fault of ours', async (_name, argv) => {
  const result = await measured(argv, `{"origin":${DEEP}}`)
  expectEnd(result, 2, /nested (too deeply|deeper)/)
  expectWithinLimits(result)
})
