import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { barcodesInPdf, pdfPages } from '../helpers/label-readers.ts'
import { rawPrinter } from '../helpers/raw-printer.ts'
import { runCli, runIn } from '../helpers/run-cli.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

it('the built command makes, saves, checks and prints a label that scans', async () => {
  const out = newFolder()
  const env = { ...spawnEnv(), RMA_SHOP: 'LUMBRE-ES' }
  const run = asTyped(async (argv) => {
    const { stdout } = expectEnd(await spawnCli(argv, { env }), 0, expect.not.stringContaining('Error'))
    return stdout
  })
  // Preparations are made in this process.
  const prepared = asTyped(async (argv) => succeeded(await runCli(argv, { env })).stdout)
  await prepared`sandbox reset --returns 200 --yes`
  const [{ name }] = JSON.parse(await prepared`returns list --status PENDING --limit 1 --json`).returns
  const made = typed`labels create --for ${name} --carrier-service SBX_STANDARD --out ${out} --json`
  const [pdf] = JSON.parse(await run`${made}`).files
  const [zpl] = JSON.parse(await run`${made} --another --force --format ZPL`).files
  expect([pdf.format, zpl.format]).toEqual(['PDF', 'ZPL'])
  expect(readdirSync(out)).toHaveLength(3)
  await run`labels verify ${out}`
  const sheets = join(out, 'sheets.pdf')
  await run`labels print ${pdf.path} ${zpl.path} --sheet a4 --per-page 2 --out ${sheets}`
  const bytes = readFileSync(sheets)
  expect(await pdfPages(bytes)).toHaveLength(1)
  const codes = (await barcodesInPdf(bytes)).map(({ text }) => text)
  expect(codes).toEqual(expect.arrayContaining([pdf.carrierTrackingCode, zpl.carrierTrackingCode]))
  // Into the first free of labels.pdf, labels-2.pdf, …: of this folder, or it would be where the tests run.
  const start = process.cwd()
  process.chdir(out)
  try {
    for (const file of ['labels.pdf', 'labels-2.pdf'])
      expect(succeeded(await runIn(env)`labels print .`).stderr).toMatch(`1 label on 1 page in ${file}, run`)
  } finally {
    process.chdir(start)
  }
  expect(readdirSync(out)).toEqual(expect.arrayContaining(['labels.pdf', 'labels-2.pdf']))
  // The renderer for a label printer's dots is built in.
  const printer = await rawPrinter()
  await prepared`printers add zebra ${printer.address}`
  await run`labels print ${pdf.path} -P zebra`
  expect(printer.prints()[0]?.toString('latin1')).toMatch(/^\^XA\^PW800\^LL1200\^.*\^XZ\n$/)
})

it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a print run that %s ends is listed as failed, and can be printed again',
  async (signal) => {
    const jammed = await rawPrinter({ isJammed: true })
    const [file, env] = [join(newFolder(), 'one.zpl'), spawnEnv()]
    writeFileSync(file, '^XA^FO9,9^FDx^FS^XZ')
    const isPrinting = expect.poll(() => jammed.prints().length)
    const run = await spawnCli(typed`labels print ${file} -P ${jammed.address}`, {
      env,
      onStart: (child) => void isPrinting.toBe(1).then(() => child.kill(signal)),
    })
    expect([run.code, run.signal]).toEqual(signal === 'SIGKILL' ? [null, signal] : [130, null])
    const history = JSON.parse((await runIn(env)`labels print --history --json`).stdout)
    const failed = signal === 'SIGKILL' ? 'It was not finished' : 'Interrupted'
    expect(history.runs).toMatchObject([{ run: 1, failed: expect.stringContaining(failed) }])
    const printer = await rawPrinter()
    succeeded(await runIn(env)`labels print --reprint 1 -P ${printer.address}`)
    expect(printer.prints()).toEqual([readFileSync(file)])
    const { runs } = JSON.parse((await runIn(env)`labels print --history --json`).stdout)
    expect(runs.map((one: { failed?: string }) => 'failed' in one)).toEqual([false, true])
  },
)

it('prints a damaged PDF without remarks of the PDF library', async () => {
  const [damaged, out] = ['damaged.pdf', 'sheets.pdf'].map((name) => join(newFolder(), name)) as [
    string,
    string,
  ]
  const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 150 150150150150150150150] >>'
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [3 0 R] /Count 1 >>', page]
  const text = objects.map((object, at) => `${at + 1} 0 obj ${object} endobj\n`).join('')
  writeFileSync(damaged, `%PDF-1.4\n${text}0 0 obj << >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n`)
  const { stderr } = expectEnd(
    await spawnCli(typed`labels print ${damaged} --out ${out}`),
    0,
    expect.anything(),
  )
  expect(stderr.split('\n')).toEqual([
    'Warning: A label is larger than A4 (210 × 297 mm): printed at 0 %',
    `1 label on 1 page in ${out}, run 1`,
    '',
  ])
})
