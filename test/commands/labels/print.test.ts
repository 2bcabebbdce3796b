import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PDFDocument } from '@cantoo/pdf-lib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { pdfLabel } from '../../helpers/barcode-label.ts'
import {
  asTyped,
  ended,
  expectEnd,
  jsonOf,
  lastErrorOf,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import { expectPrivate, newFile, newFolder, textFile } from '../../helpers/files.ts'
import { barcodesInPdf, barcodesInZpl, pdfPages } from '../../helpers/label-readers.ts'
import { filesOf, label, labelReturn, labelService, PDF, ZPL } from '../../helpers/label-service.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { rawPrinter } from '../../helpers/raw-printer.ts'
import { freshHome } from '../../helpers/run-cli.ts'
import { listening } from '../../helpers/script-server.ts'
import '../../../src/commands/labels/download.ts'
import '../../../src/commands/labels/get.ts'
import '../../../src/commands/labels/print.ts'
import '../../../src/commands/printers/add.ts'
import '../../../src/commands/printers/remove.ts'

const pdf = async (name: string, size = {}) => Buffer.from((await pdfLabel(name, size)).bytes)
const IDS = typed`A1 A2 A3 A4 A5`
/** A label with its name for each id. */
const pdfs = async (...ids: string[]) =>
  Object.fromEntries(await Promise.all(ids.map(async (id) => [id, label(await pdf(id))])))
/** A label of a third of the dots, which the reader of ZPL takes seconds for. */
const SMALL = { width: 100, height: 50 }
const textsOf = async (file: string) => (await pdfPages(readFileSync(file))).map(({ text }) => text)

/** A service with labels by shipment, and a home that all commands of a test share. */
async function serviceWith(sets: Record<string, object>, carriers: Record<string, string> = {}) {
  const service = await labelService({ returns: [labelReturn('R#-LU105189')] })
  for (const [id, one] of Object.entries(sets)) {
    service.made.set(id, [{ clientShipmentId: id, carrierCode: carriers[id], shippingLabels: [one] }])
  }
  const env = freshHome()
  const run = asTyped((argv) => service.run(argv, { env }))
  const print = asTyped((argv) => run`labels print ${argv}`)
  const out = join(newFolder(), 'out.pdf')
  /** Folder of the print runs, and what is below it. */
  const runs = (...names: string[]) => join(env.RMA_DATA_DIR, 'print-runs', ...names)
  return { service, run, print, env, out, runs }
}

/** A printer, and a service with labels for it. */
const withPrinter = async (sets: Record<string, object> = { A1: label(ZPL) }) => ({
  printer: await rawPrinter(),
  ...(await serviceWith(sets)),
})

it('returns, shipments and files print on sheets, one entry each, numbered as on paper', async () => {
  const content = await pdf('LABEL')
  const { print } = await serviceWith({ A1: label(content), 'R#-LU105189-T1': label(content) })
  const dir = newFolder()
  const [one, out] = [join(dir, 'one.pdf'), join(dir, 'sheets.pdf')]
  writeFileSync(one, content)
  const printed = await print`${one} A1 lu105189 R#-LU105189 --sheet a4 --per-page 2 --out ${out} --json`
  expect(jsonOf(succeeded(printed))).toMatchObject({ pages: 2, labels: 4, copies: 1 })
  expect(filesOf(printed).map(({ label, source, path }) => [label, source, path])).toEqual([
    [one, 'file', out],
    ['A1', 'base64', out],
    ['R#-LU105189-T1', 'base64', out],
    ['R#-LU105189-T1', 'base64', out],
  ])
  expect(await pdfPages(readFileSync(out))).toHaveLength(2)
  expectPrivate(out)
  // Stops a viewer's print dialog from scaling the page.
  const { catalog } = await PDFDocument.load(readFileSync(out))
  expect(catalog.getViewerPreferences()?.getPrintScaling()).toBe('None')
})

it('of two returns of one name, the one without a label is named', async () => {
  const name = 'R#-LU105189'
  const other = labelReturn(name, { id: '2' }, { id: '77', shopCode: 'HATS' })
  const service = await labelService({ returns: [labelReturn(name), other] })
  service.made.set(`${name}-T1`, [
    { clientShipmentId: `${name}-T1`, shippingLabels: [label(await pdf('A'))] },
  ])
  const out = join(newFolder(), 'sheets.pdf')
  expect(succeeded(await service.run`labels print ${name} --out ${out}`).stderr).toBe(
    `Warning: The return ${name} of the shop HATS (id 77) has no label: left out\n` +
      `1 label on 1 page in ${out}, run 1\n`,
  )
})

it('100 × 150 mm on a quarter of A4 is reduced, with one warning', async () => {
  const { print, out } = await serviceWith(await pdfs(...IDS))
  const { stderr } = await print`${IDS} --per-page 4 --out ${out}`
  expect(stderr).toBe(
    'Warning: 5 labels are larger than a quarter of A4 (105 × 148.5 mm): printed at 99 %; ' +
      `--per-page 2 keeps true size\n5 labels on 2 pages in ${out}, run 1\n`,
  )
  for (const perPage of ['1', '2']) {
    const kept = await print`${IDS} --per-page ${perPage} --out ${join(newFolder(), 'sheets.pdf')}`
    expect(kept.stderr).toMatch(/^5 labels on \d pages in .*\n$/)
  }
})

it.each([
  [typed`x.pdf --out y.pdf`, 'x.pdf does not exist'],
  [typed`A/1 --out y.pdf`, /A\/1 does not exist.*Try: .*if it is an id: --no-files\n/s],
  [typed`-`, 'No shipment was named.\nTry: give the ids that the labels were made with\n'],
  [[], 'Which labels should be printed'],
  [typed`A1 --out y.pdf --per-page 2 --start-at 3`, 'no place 3'],
  [typed`A1 --out y.pdf --dpi 150`, '--dpi'],
  [typed`A1 --printer x --per-page 2`, 'no sheets to share'],
  [typed`A1 --printer x --out y.pdf`, '--out'],
  [typed`A1 --printer 'my printer'`, 'not the address of a printer'],
  [typed`A1 --reprint last`, 'no label besides'],
  [typed`--reprint last --sort name`, '--sort'],
  [typed`A1 --copies 0`, '--copies'],
])('labels print %j is exit 2', async (argv, message) => {
  const { print } = await serviceWith({})
  expectEnd(await print`${argv}`, 2, [message])
})

it('a folder prints the labels of its manifest, by name, and names other files', async () => {
  const { run, print, out } = await serviceWith({
    A10: label(await pdf('A10')),
    A2: label(await pdf('A2'), 'TRK-2'),
  })
  const dir = newFolder()
  await run`labels download A10 A2 --out ${dir}`
  writeFileSync(join(dir, 'sheets.pdf'), await pdf('SHEETS'))
  const printed = expectEnd(await print`${dir}/ --out ${out} --json`, 0, [
    'Warning: sheets.pdf left out: not in the manifest.json of ',
  ])
  expect(filesOf(printed)).toMatchObject([
    { clientShipmentId: 'A2', carrierTrackingCode: 'TRK-2', source: 'file' },
    { clientShipmentId: 'A10' },
  ])
  expect(await textsOf(out)).toEqual(['A2', 'A10'])
  rmSync(join(dir, 'A2.pdf'))
  const short = await print`${dir} --out ${out}`
  expectEnd(short, 2, /A2\.pdf is in manifest\.json and not in the folder.*labels verify/s)
})

it('a folder without a manifest prints its label files, also of inner folders', async () => {
  const { print, out } = await serviceWith({})
  const dir = newFolder()
  ended(await print`${dir}`, 2)
  mkdirSync(join(dir, 'dpd'))
  writeFileSync(join(dir, 'dpd', 'one.pdf'), await pdf('ONE'))
  writeFileSync(join(dir, 'two.pdf'), await pdf('TWO'))
  writeFileSync(join(dir, 'notes.txt'), 'no label')
  const { stdout } = succeeded(await print`${dir} --out ${out} --columns number,label`)
  expect(stdout).toBe('NUMBER  LABEL\n     1  dpd/one.pdf\n     2  two.pdf\n')
  expect(await textsOf(out)).toEqual(['ONE', 'TWO'])
})

it('a folder prints visible files and links to files, and dangling links are named', async () => {
  const { print, out } = await serviceWith({})
  const dir = newFolder()
  const trash = join(dir, '.Trash-0', 'files')
  mkdirSync(trash, { recursive: true })
  for (const hidden of [join(trash, 'old.zpl'), join(dir, '.hidden.zpl')]) writeFileSync(hidden, ZPL)
  const elsewhere = newFile('label.pdf', await pdf('LINKED'))
  symlinkSync(elsewhere, join(dir, 'linked.pdf'))
  symlinkSync(join(dir, 'gone.pdf'), join(dir, 'broken.pdf'))
  expectEnd(
    await print`${dir} --out ${out}`,
    0,
    `Warning: broken.pdf left out: the link leads to no file\n1 label on 1 page in ${out}, run 1\n`,
  )
  expect(await textsOf(out)).toEqual(['LINKED'])
})

it('labels are named by path, so that equal file names in two folders differ', async () => {
  const { print, out } = await serviceWith({})
  const dir = newFolder()
  for (const carrier of ['UPS', 'DHL']) {
    mkdirSync(join(dir, carrier))
    writeFileSync(join(dir, carrier, '1001.zpl'), '^XA^FO9,9^B4N,20^FDx^FS^XZ')
  }
  writeFileSync(join(dir, 'good.zpl'), ZPL)
  const result = ended(await print`${dir} --out ${out} --copies 2 --json`, 9)
  expect(filesOf(result)).toMatchObject([{ label: 'good.zpl' }])
  expect(lastErrorOf(result)).toMatchObject({
    message: "2 labels can't be drawn on a sheet; the others were printed.",
    errors: [{ path: 'DHL/1001.zpl' }, { path: 'UPS/1001.zpl' }],
  })
})

it('a file of a manifest keeps its data if it is named alone', async () => {
  const { run, print, out } = await serviceWith({ A1: label(await pdf('A1'), 'TRK-1') })
  const dir = join(newFolder(), 'my labels')
  succeeded(await run`labels download A1 --out ${dir}`)
  mkdirSync(join(dir, 'UPS'))
  renameSync(join(dir, 'A1.pdf'), join(dir, 'UPS', 'A1.pdf'))
  const manifest = join(dir, 'manifest.json')
  writeFileSync(manifest, textFile(manifest).replace('A1.pdf', 'UPS/A1.pdf'))
  const file = join(dir, 'UPS', 'A1.pdf')
  const entry = { clientShipmentId: 'A1', carrierTrackingCode: 'TRK-1' }
  expect(filesOf(await print`${file} --out ${out} --json`)).toMatchObject([{ ...entry, label: file }])
  expect(filesOf(await print`${dir} --out ${out} --json`)).toMatchObject([{ ...entry, label: 'UPS/A1.pdf' }])
  writeFileSync(file, await pdf('ANOTHER'))
  const hint = `rma labels verify '${dir}'`
  expectEnd(await print`${dir} --out ${out} --force`, 2, [
    `${file} is not the label that was saved as A1.`,
    hint,
  ])
  rmSync(file)
  expectEnd(
    await print`${dir} --out ${out} --force`,
    2,
    `Error: The label ${file} is in manifest.json and not in the folder.\nTry: ${hint}\n`,
  )
  mkdirSync(file)
  expectEnd(await print`${dir} --out ${out} --force`, 2, `Error: ${file} can't be read: it is a folder.\n`)
  expect(await textsOf(out)).toEqual(['A1'])
})

it('labels sort by name, carrier or time of saving, else stay as given; unknown values come last', async () => {
  const ids = ['C3', 'A10', 'A2']
  const { run, print, service } = await serviceWith(await pdfs(...ids), {
    C3: 'dpd',
    A10: 'ups',
    A2: 'dpd',
  })
  const dir = newFolder()
  for (const [index, id] of ids.entries()) {
    await service.run(typed`labels download ${id} --out ${dir}`, { now: 1000 * (10 - index) })
  }
  const loose = newFile('B1.pdf', await pdf('B1'))
  utimesSync(loose, 9.5, 9.5)
  const given = ['A2', join(dir, 'C3.pdf'), loose, join(dir, 'A10.pdf')]
  const order = asTyped(async (flags) => {
    const out = join(newFolder(), 'out.pdf')
    succeeded(await run`labels print ${given} --out ${out} ${flags}`)
    return (await textsOf(out)).join(' ')
  })
  expect(await order``).toBe('A2 C3 B1 A10')
  expect(await order`--sort name`).toBe('A2 A10 B1 C3')
  expect(await order`--sort carrier`).toBe('A2 C3 A10 B1')
  // The service does not tell when A2 was made.
  expect(await order`--sort created`).toBe('A10 B1 C3 A2')
  ended(await print`A2 --sort size`, 2)
})

it('a printer gets ZPL unchanged, and PDF as a graphic whose barcode scans, with copies', async () => {
  const { printer, print } = await withPrinter({
    A1: label(ZPL),
    A2: label(await pdf('SBX0000012345', SMALL)),
  })
  const sent = await print`A1 A2 --printer ${printer.address} --copies 2 --json`
  expectEnd(sent, 0, `4 labels sent to ${printer.address}, run 1\n`)
  expect(jsonOf(sent)).toMatchObject({
    files: [
      { clientShipmentId: 'A1', format: 'ZPL', path: null },
      { clientShipmentId: 'A2', format: 'PDF', path: null },
    ],
    printer: printer.address,
    labels: 4,
    copies: 2,
    isConfirmed: true,
  })
  const [received] = printer.prints()
  expect(received?.subarray(0, ZPL.length * 2)).toEqual(Buffer.concat([ZPL, ZPL]))
  const graphics = received?.subarray(ZPL.length * 2) ?? Buffer.alloc(0)
  const [graphic, twin] = [graphics.subarray(0, graphics.length / 2), graphics.subarray(graphics.length / 2)]
  expect(twin.equals(graphic)).toBe(true)
  expect(await barcodesInZpl(graphic)).toEqual([{ text: 'SBX0000012345', format: 'Code128' }])
})

it('a printer without confirmation causes a warning', async () => {
  const { address } = await rawPrinter({ isJammed: true })
  const { print } = await serviceWith({ A1: label(ZPL) })
  const warning = `Warning: ${address} has not confirmed them: look whether they came out\n`
  const sent = await print`A1 --printer ${address} --timeout 1 --json`
  expectEnd(sent, 0, `1 label sent to ${address}, run 1\n${warning}`)
  expect(jsonOf(sent)).toMatchObject({ isConfirmed: false })
})

it('a failing --jq after printing is no usage error', async () => {
  const { printer, print } = await withPrinter()
  const { stdout, stderr } = ended(await print`A1 --printer ${printer.address} --jq .files[0].label[0]`, 7)
  expect([stdout, printer.prints().length]).toEqual(['', 1])
  expect(stderr).toContain('"label":"A1"')
  expect(stderr).not.toContain('the same command')
})

it('a named printer has its own paper, flags override it, and a dry run sends nothing', async () => {
  const { printer, run, print } = await withPrinter({ A1: label(await pdf('A1')) })
  await run`printers add office ${printer.address} --language pdf --sheet a6 --per-page 2`
  const dry = await print`A1 -P office -n --json`
  expectEnd(dry, 0, /Dry run: 1 label would be sent to office; nothing was printed\n$/)
  expect(printer.prints()).toEqual([])
  await print`A1 A1 -P office`
  await print`A1 A1 -P office --sheet letter --per-page 1`
  const sizes = await Promise.all(
    printer.prints().map(async (one) => (await pdfPages(one)).map(({ widthMm }) => Math.round(widthMm))),
  )
  expect(sizes).toEqual([[105], [216, 216]])
})

const undrawable = (name: string) => Buffer.from(`^XA^FO9,9^A0N,30^FD${name}^FS^FO9,90^B4N,20^FDx^FS^XZ`)

it('an undrawable label is named, the others are printed, and the exit code is 9', async () => {
  const { print, out } = await serviceWith({
    A1: label(ZPL),
    A2: label(undrawable('A2')),
    A3: label(await pdf('A3')),
  })
  const result = ended(await print`A1 A2 A3 --copies 2 --out ${out} --json`, 9)
  expect(await pdfPages(readFileSync(out))).toHaveLength(4)
  expect(jsonOf(result)).toMatchObject({
    files: [{ clientShipmentId: 'A1' }, { clientShipmentId: 'A3' }],
    labels: 4,
    failed: [{ clientShipmentId: 'A2', kind: 'usage', message: expect.stringContaining('it holds ^B4') }],
  })
  expect(lastErrorOf(result)).toMatchObject({
    kind: 'partial',
    message: "A label can't be drawn on a sheet; the others were printed.",
  })
})

it('an undrawable label alone is exit 2, and goes unchanged to a ZPL printer', async () => {
  const { print, out } = await serviceWith({ A2: label(undrawable('A2')) })
  expectEnd(
    await print`A2 --out ${out}`,
    2,
    /The label A2 can't be drawn on a sheet: it holds \^B4, .*\nTry: send it to a ZPL printer/,
  )
  expect(existsSync(out)).toEqual(false)
  const printer = await rawPrinter()
  succeeded(await print`A2 --printer ${printer.address}`)
  expect(printer.prints()).toEqual([undrawable('A2')])
})

it('Ctrl-C in the middle warns that a part may have been printed', async () => {
  const { service, env } = await serviceWith({})
  const file = newFile(
    'long.zpl',
    Buffer.concat([Buffer.from('^XA^FX'), Buffer.alloc(20_000_000, 'A'), Buffer.from('^FS^XZ')]),
  )
  const end = new AbortController()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.pause()
      end.abort()
    })
  })
  const argv = typed`labels print ${file} --printer 127.0.0.1:${await listening(server)}`
  onTestFinished(() => void server.close())
  expectEnd(await service.run(argv, { env, interrupt: end.signal }), 130, ['a part may have been printed'])
})

it('a program lp that is missing or can not be started is exit 3, and what to install is named', async () => {
  const { service, env } = await serviceWith({ A1: label(ZPL) })
  const path = newFolder()
  const print = () =>
    service.run(typed`labels print A1 --printer cups:zebra`, { env: { ...env, PATH: path } })
  expectEnd(await print(), 3, /needs the program lp.*\nTry: install .*cups-client/)
  writeFileSync(join(path, 'lp'), '', { mode: 0o600 })
  expectEnd(await print(), 3, ["lp, which can't be started (EACCES)"])
})

it('a print run is reprinted as it was, on the same or another printer', async () => {
  const [one, other] = [await rawPrinter(), await rawPrinter()]
  const { run, print, service, runs } = await serviceWith({ A1: label(await pdf('A1', SMALL)) })
  ended(await print`--reprint last`, 5)
  ended(await print`--reprint 1`, 5)
  await run`printers add zebra ${one.address}`
  const first = jsonOf(await print`A1 --printer zebra --json`)
  service.made.set('A1', [{ clientShipmentId: 'A1', shippingLabels: [label(PDF)] }])
  await run`printers remove zebra`
  const again = await print`--reprint last --json`
  expect(jsonOf(again)).toEqual({ ...first, run: 2 })
  expect(again.stderr).toBe(`1 label sent to ${one.address}, run 2\n`)
  succeeded(await print`--reprint 1 -P ${other.address}`)
  const [bytes] = one.prints()
  const sent = [...one.prints(), ...other.prints()].map((print) => bytes && print.equals(bytes))
  expect(sent).toEqual([true, true, true])
  expectPrivate(runs('1', 'labels'), runs('1', 'run.json'))
})

it('a run on a named printer is reprinted where that name leads today', async () => {
  const [old, today] = [await rawPrinter(), await rawPrinter()]
  const { run, print } = await serviceWith({ A1: label(ZPL) })
  await run`printers add zebra ${old.address}`
  await print`A1 -P zebra`
  await run`printers remove zebra`
  await run`printers add zebra ${today.address}`
  const again = await print`--reprint last --json`
  expectEnd(again, 0, '1 label sent to zebra, run 2\n')
  expect(jsonOf(again).printer).toBe(today.address)
  expect([old.prints(), today.prints()]).toEqual([[ZPL], [ZPL]])
})

it('a dry run refuses a file that the run would refuse, and changes nothing', async () => {
  const { print } = await serviceWith({ A1: label(await pdf('A1')) })
  const folder = newFolder()
  const out = join(folder, 'labels.pdf')
  await print`A1 --out ${out}`
  succeeded(await print`A1 --out ${out} -n`)
  succeeded(await print`--reprint 1 -n`)
  writeFileSync(out, 'x')
  for (const argv of [typed`A1 --out ${out}`, typed`--reprint 1`])
    expectEnd(await print`${argv} -n`, 2, [`${out} is there with other content`])
  succeeded(await print`A1 --out ${out} --force -n`)
  expect([readdirSync(folder), textFile(out)]).toEqual([['labels.pdf'], 'x'])
})

it('two prints at once into a file without a given name write two files', async () => {
  const { print, out } = await serviceWith(await pdfs('A1', 'A2', 'A3'))
  await print`A1 A2 A3 --out ${out}`
  const parts = await Promise.all(['2', '3'].map((only) => print`--reprint 1 --only ${only} --json`))
  const paths = parts.map((part) => filesOf(succeeded(part))[0]?.path)
  expect(paths.sort()).toEqual([2, 3].map((number) => out.replace('.pdf', `-${number}.pdf`)))
  expect((await Promise.all(paths.map((path) => textsOf(String(path))))).flat().sort()).toEqual(['A2', 'A3'])
})

it('labels of a print run are numbered, and reprinting two keeps the whole run', async () => {
  const { print } = await serviceWith(await pdfs(...IDS))
  const out = join(newFolder(), 'morning.pdf')
  const places = (result: { stdout: string }) =>
    filesOf(result).map(({ number, sheet, position, clientShipmentId }) =>
      [number, sheet, position, clientShipmentId].join(' '),
    )
  const all = await print`${IDS} --per-page 2 --start-at 2 --out ${out} --json`
  expect(places(all)).toEqual(['1 1 2 A1', '2 2 1 A2', '3 2 2 A3', '4 3 1 A4', '5 3 2 A5'])
  expect(all.stderr).toMatch(/, run 1\n$/)
  const two = await print`--reprint last --only 2,4-5 --json`
  expect(places(two)).toEqual(['2 1 1 A2', '4 1 2 A4', '5 2 1 A5'])
  const part = out.replace('.pdf', '-2.pdf')
  expect(await textsOf(part)).toEqual(['A2', 'A5'].map((text) => expect.stringContaining(text)))
  const rest =
    await print`--reprint 1 --from-label 4 --start-at 2 --out ${join(newFolder(), 'rest.pdf')} --json`
  expect(places(rest)).toEqual(['4 1 2 A4', '5 2 1 A5'])
  for (const missing of [typed`--only 1`, typed`--only 2,3`, typed`--from-label 3`])
    expectEnd(await print`--reprint 2 ${missing}`, 2, [
      /^Error: There is no label [13]: the numbers are 2,4-5\.\n/,
    ])
  expect(places(await print`--reprint 2 --only 2-4 --json -n`)).toEqual(['2 1 1 A2', '4 1 2 A4'])
  expect(places(await print`--reprint last --only 5 --json -n`)).toEqual(['5 1 1 A5'])
  expect(jsonOf(await print`--history --json`)).toMatchObject({
    runs: [
      { run: 3, numbers: '4-5', of: 1 },
      { run: 2, numbers: '2,4-5', file: part, of: 1 },
      { run: 1, labels: 5, numbers: '1-5', pages: 3, file: out },
    ],
  })
  const bytes = readFileSync(out)
  rmSync(out)
  succeeded(await print`--reprint 1`)
  expect(readFileSync(out).equals(bytes)).toBe(true)
})

it('a first print may begin at a label, or have only some', async () => {
  const printer = await rawPrinter()
  const zpl = (text: string) => Buffer.from(`^XA^FO9,9^A0N,30^FD${text}^FS^XZ`)
  const { print } = await serviceWith({ A1: label(zpl('A1')), A2: label(zpl('A2')), A3: label(zpl('A3')) })
  await print`A1 A2 A3 -P ${printer.address} --from-label 2`
  await print`A1 A2 A3 -P ${printer.address} --only 1,3`
  const [fromSecond, some] = printer.prints()
  expect(fromSecond).toEqual(Buffer.concat([zpl('A2'), zpl('A3')]))
  expect(some).toEqual(Buffer.concat([zpl('A1'), zpl('A3')]))
  expectEnd(await print`A1 A2 A3 -P ${printer.address} --only 2-4`, 2, [
    'There is no label 4: the numbers are 1-3.',
  ])
  expectEnd(await print`A1 -P ${printer.address} --only 3-2`, 2, [/numbers of labels.*Try: --only 17-19,22/s])
})

it('a print run for a label printer can be reprinted on paper, and the reverse', async () => {
  const { printer, print, out } = await withPrinter({ A1: label(await pdf('A1', SMALL)) })
  await print`A1 --per-page 2 --out ${out}`
  succeeded(await print`--reprint last -P ${printer.address}`)
  const barcodes = [{ text: 'A1', format: 'Code128' }]
  expect(await barcodesInZpl(printer.prints()[0] ?? Buffer.alloc(0))).toEqual(barcodes)
  const paper = join(newFolder(), 'paper.pdf')
  succeeded(await print`--reprint last --out ${paper}`)
  expect(await barcodesInPdf(readFileSync(paper))).toEqual(barcodes)
})

it('equal labels make equal files, and a refused print is no run', async () => {
  const { printer, print, out } = await withPrinter({ A1: label(await pdf('A1')), B1: label(ZPL) })
  await print`A1 --out ${out}`
  // The time in a PDF is to the second.
  const { mtimeMs } = statSync(out)
  while (Math.floor(Date.now() / 1000) === Math.floor(mtimeMs / 1000)) await delay(10)
  succeeded(await print`A1 --out ${out}`)
  await print`B1 -P ${printer.address}`
  ended(await print`A1 A1 --out ${out}`, 2)
  succeeded(await print`--reprint last`)
  expect(printer.prints()).toEqual([ZPL, ZPL])
})

it('a failed print run is kept, and can go to another printer', async () => {
  const { printer, print } = await withPrinter()
  expectEnd(
    await print`A1 A1 -P 127.0.0.1:1`,
    7,
    /can't be reached.*\nTry: the same once more: rma labels print --reprint 1\n$/s,
  )
  await print`--reprint 1 -P ${printer.address}`
  expect(printer.prints()).toEqual([Buffer.concat([ZPL, ZPL])])
})

it('a print that broke off names the second of its labels, if there is one', async () => {
  const server = createServer((socket) => void socket.once('data', () => socket.resetAndDestroy()))
  const address = `127.0.0.1:${await listening(server)}`
  onTestFinished(() => void server.close())
  const { print } = await serviceWith({ A1: label(ZPL) })
  const hints = async (...argv: string[]) => {
    const { hints: all } = lastErrorOf(ended(await print`A1 A1 A1 -P ${address} ${argv} --json`, 7))
    return all
  }
  const [look, again, rest] = [
    'look at what came out before you print again',
    'the same once more: rma labels print --reprint',
    'from the second label on: rma labels print --reprint',
  ]
  expect(await hints()).toEqual([look, `${again} 1`, `${rest} 1 --from-label 2`])
  expect(await hints('--only', '1,3')).toEqual([look, `${again} 2`, `${rest} 2 --from-label 3`])
  expect(await hints('--only', '3', '--copies', '2')).toEqual([look, `${again} 3`])
})

it('a failed print run is listed as failed, and pushes out no printed one', async () => {
  const { printer, print, runs } = await withPrinter()
  await print`A1 -P ${printer.address}`
  ended(await print`A1 -P 127.0.0.1:1`, 7)
  expect(jsonOf(await print`--history --json`).runs).toMatchObject([
    { run: 2, failed: expect.stringContaining("can't be reached") },
    { run: 1 },
  ])
  expect(succeeded(await print`--history -o csv --columns run`).stdout).toMatch(/^run\r\n\d/i)
  expect((await print`--history`).stdout).toMatch(/127\.0\.0\.1:1, failed/)
  const record = textFile(runs('2', 'run.json'))
  for (let run = 3; run <= 50; run++) {
    cpSync(runs('2'), runs(`${run}`), { recursive: true })
    writeFileSync(runs(`${run}`, 'run.json'), record.replace('"run":2', `"run":${run}`))
  }
  ended(await print`A1 -P 127.0.0.1:1`, 7)
  expect(readdirSync(runs())).toHaveLength(50)
  await print`--reprint 1`
  expect(printer.prints()).toEqual([ZPL, ZPL])
})

it('a failed print run can be printed again after later runs, though fifty are kept', async () => {
  const { printer, print, runs } = await withPrinter()
  await print`A1 -P ${printer.address}`
  const record = textFile(runs('1', 'run.json'))
  for (let run = 2; run <= 50; run++) {
    cpSync(runs('1'), runs(`${run}`), { recursive: true })
    writeFileSync(runs(`${run}`, 'run.json'), record.replace('"run":1', `"run":${run}`))
  }
  ended(await print`A1 -P 127.0.0.1:1`, 7)
  await print`A1 -P ${printer.address}`
  succeeded(await print`--reprint 51 -P ${printer.address}`)
  expect(
    readdirSync(runs())
      .map(Number)
      .sort((a, b) => a - b)
      .slice(0, 2),
  ).toEqual([4, 5])
})

it('an unreadable print run is left out of the list, and later runs are kept', async () => {
  const { printer, print, runs } = await withPrinter()
  const argv = typed`A1 -P ${printer.address}`
  for (let run = 1; run <= 2; run++) await print(argv)
  writeFileSync(runs('2', 'run.json'), 'no\n')
  expect(succeeded(await print(argv)).stderr).toBe(`1 label sent to ${printer.address}, run 3\n`)
  expect(jsonOf(succeeded(await print`--history --json`)).runs).toMatchObject([{ run: 3 }, { run: 1 }])
})

it('a kept label that has changed is not printed again: exit 3', async () => {
  const { printer, print, runs } = await withPrinter({
    A1: label(ZPL),
    B1: label(Buffer.from('^XA^FO9,9^FDB^FS^XZ')),
  })
  await print`A1 B1 -P ${printer.address}`
  const kept = runs('1', 'labels')
  writeFileSync(kept, textFile(kept).replace('FDB', 'FDX'))
  expectEnd(await print`--reprint 1`, 3, [`${kept} has changed: it does not hold the label B1 as printed`])
  expect(printer.prints()).toHaveLength(1)
})

it('a foreign print run is exit 3, and labels print even if runs can’t be kept', async () => {
  const { printer, print, env, runs } = await withPrinter()
  mkdirSync(runs('1'), { recursive: true })
  writeFileSync(runs('1', 'run.json'), 'no\n')
  ended(await print`--reprint last`, 3)
  rmSync(env.RMA_DATA_DIR, { recursive: true })
  writeFileSync(env.RMA_DATA_DIR, 'a file where the folder should be')
  expectEnd(await print`A1 -P ${printer.address}`, 0, ["Warning: What is printed can't be kept"])
  expect(printer.prints()).toEqual([ZPL])
})

describe('labels print, of a platform with several shops', () => {
  const platform = usePlatform()

  it('a name that nobody knows is not told to name a shop first', async () => {
    expectEnd(
      await platform.run`labels print TYPO`,
      5,
      /^Error: No return is named TYPO, and no label was made with that id\.\nTry: rma search TYPO\n/,
    )
  })

  it('a return without a label is named as such, though the service asks for the shop first', async () => {
    const returns = await platform.returns()
    const { name = '', shopCode } = returns.find(({ activeTransportation }) => !activeTransportation) ?? {}
    for (const verb of ['print', 'get', 'download']) {
      expectEnd(
        await platform.run`labels ${verb} ${name}`,
        5,
        `Error: ${name} has no label\nTry: rma labels create --for '${name}' --shop ${shopCode}\n`,
      )
    }
  })
})
