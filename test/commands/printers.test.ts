import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { asTyped, ended, expectEnd, type Home, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { barcodesInDrawings, barcodesInPdf, drawnZpl } from '../helpers/label-readers.ts'
import { rawPrinter } from '../helpers/raw-printer.ts'
import { freshHome, runIn } from '../helpers/run-cli.ts'
import '../../src/commands/labels/print.ts'
import '../../src/commands/printers/test.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/printers/add.ts'
import '../../src/commands/printers/list.ts'
import '../../src/commands/printers/remove.ts'
import { expectPrivate, jsonFile, textFile } from '../helpers/files.ts'

let env: Home
const run = asTyped((argv) => runIn(env)`printers ${argv}`)
const listed = async () => jsonOf(await run`list --json`)

beforeEach(() => {
  env = freshHome()
})

it('printers are kept by name beside the profiles, listed and removed', async () => {
  expect((await run`list`).stderr).toMatch('No printers; rma printers add NAME HOST keeps one')
  await runIn(env)`profiles add live --base-url https://returns.example/v1`
  expect((await run`add zebra 192.168.1.50`).stdout).toBe(
    'The printer zebra gets ZPL at 192.168.1.50:9100. Try it: rma printers test zebra\n',
  )
  const added = await run`add office cups:HP --sheet a4 --per-page 4 --json`
  const office = { name: 'office', address: 'cups:HP', language: 'pdf', sheet: 'a4', perPage: 4 }
  expect(jsonOf(added)).toEqual(office)
  await run`add desk cups:Zebra --language zpl --dpi 300`
  expect(await listed()).toEqual([
    { name: 'zebra', address: '192.168.1.50:9100', language: 'zpl' },
    office,
    { name: 'desk', address: 'cups:Zebra', language: 'zpl', dpi: 300 },
  ])
  expect((await run`list`).stdout).toMatch(/^NAME +ADDRESS +LANGUAGE .*\nzebra +192\.168\.1\.50:9100 +zpl/)
  const settings = join(env.RMA_CONFIG_DIR, 'config.json')
  expect(jsonFile(settings).profiles).toMatchObject([{ name: 'mock' }, { name: 'live' }])
  expectPrivate(settings)
  expect((await run`remove office`).stdout).toBe('Removed the printer office.\n')
  expect((await listed()).map(({ name }: { name: string }) => name)).toEqual(['zebra', 'desk'])
})

it.each([
  [['add', 'zebra', '10.0.0.2'], 3, /exists already.*\n.*printers remove zebra/],
  [['add', 'a b', '10.0.0.2'], 2, 'name may hold letters'],
  [['add', 'x', 'http://10.0.0.2'], 2, 'not the address of a printer'],
  [typed`add x 10.0.0.2 --per-page 2`, 2, 'no sheets to share'],
  [typed`add x 10.0.0.2 --sheet a5`, 2, '--sheet'],
  [typed`add x 10.0.0.2 --language epl`, 2, '--language'],
  [['remove', 'zebar'], 3, /no printer "zebar".*did you mean zebra/s],
  [['test', 'zebar'], 3, 'no printer "zebar"'],
])('printers %j is exit %d', async (argv, code, message) => {
  await run`add zebra 10.0.0.1`
  const result = await run`${argv}`
  expectEnd(result, code, [message])
  expect(await listed()).toHaveLength(1)
})

it('an invalid edited printer is named', async () => {
  await run`add zebra 10.0.0.1`
  const settings = join(env.RMA_CONFIG_DIR, 'config.json')
  writeFileSync(settings, textFile(settings).replace('"zpl"', '"epl"'))
  expectEnd(await run`list`, 3, ['printers[0].language must be one of zpl, pdf'])
})

it('printers test prints a ruler and a barcode in the printer’s language and density', async () => {
  const printers = { zebra: await rawPrinter(), fine: await rawPrinter(), office: await rawPrinter() }
  await run`add zebra ${printers.zebra.address}`
  await run`add fine ${printers.fine.address} --dpi 300`
  await run`add office ${printers.office.address} --language pdf`
  const dry = await run`test zebra --dry-run`
  expect(succeeded(dry).stdout).toMatch(/^Dry run: .*nothing was printed\.\n$/)
  expect(printers.zebra.prints()).toEqual([])
  expect(jsonOf(succeeded(await run`test zebra --json`))).toEqual({
    name: 'zebra',
    language: 'zpl',
    printer: printers.zebra.address,
    isConfirmed: true,
  })
  await run`test fine`
  await run`test office`
  const sent = ([name]: [string, { prints(): Buffer[] }]) =>
    printers[name as 'zebra'].prints()[0] ?? Buffer.alloc(0)
  const [zebra, fine, office] = Object.entries(printers).map(sent) as [Buffer, Buffer, Buffer]
  const code128 = [{ text: 'RMA-TEST', format: 'Code128' }]
  const drawn = await drawnZpl(zebra)
  expect(await barcodesInDrawings(drawn)).toEqual(code128)
  // The ruler: the longest black line that is not a part of the frame, 8 dots a millimetre.
  expect(Math.round(longestInnerRun(drawn[0]) / 8)).toBe(80)
  expect(fine.toString('latin1')).toMatch(/^\^XA\^PW1181\^LL1772\^/)
  expect(await barcodesInPdf(office)).toEqual(code128)
  // It is no last print.
  ended(await runIn(env)`labels print --reprint last`, 5)
})

/** Length of a row of black dots, at most 90 mm. */
function longestInnerRun(drawing: { data: Uint8ClampedArray; width: number } | undefined) {
  const { data, width } = drawing ?? expect.fail('nothing was drawn')
  let [longest, run] = [0, 0]
  for (let dot = 0; dot * 4 < data.length; dot++) {
    run = dot % width > 0 && (data[dot * 4] ?? 255) < 128 ? run + 1 : 0
    if (run > longest && run < 90 * 8 && (data[(dot + 1) * 4] ?? 255) >= 128) longest = run
  }
  return longest
}
