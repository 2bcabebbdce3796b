import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { pdfLabel } from '../helpers/barcode-label.ts'
import { expectEnd, jsonOf, typed } from '../helpers/command-line.ts'
import { newFile, newFolder, textFile } from '../helpers/files.ts'
import { barcodesInPdf, barcodesInZpl, pdfPages } from '../helpers/label-readers.ts'
import { type RawPrinter, rawPrinter } from '../helpers/raw-printer.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const run = promisify(execFile)
const START_MS = 60_000

/** A CUPS of its own, on a socket in a folder of its own; its queues have printers on this machine. */
async function startCups() {
  const root = newFolder()
  const at = (name: string) => join(root, name)
  for (const name of ['spool', 'spool/tmp', 'cache', 'state', 'log', 'ppd']) mkdirSync(at(name))
  const socket = at('cups.sock')
  writeFileSync(
    at('cupsd.conf'),
    `Listen ${socket}\nBrowsing Off\nDefaultAuthType None\nPreserveJobFiles Yes\nDirtyCleanInterval 0\nLogLevel warn\n` +
      '<Location />\nOrder allow,deny\nAllow all\n</Location>\n<Policy default>\n<Limit All>\nOrder deny,allow\nAllow all\n' +
      '</Limit>\n</Policy>\n',
  )
  writeFileSync(
    at('cups-files.conf'),
    `ServerRoot ${root}\nRequestRoot ${at('spool')}\nTempDir ${at('spool/tmp')}\nCacheDir ${at('cache')}\n` +
      `StateDir ${at('state')}\nErrorLog ${at('log/error')}\nAccessLog ${at('log/access')}\nPageLog ${at('log/page')}\n` +
      'SystemGroup root\nUser lp\nGroup lp\n',
  )
  const server = spawn('/usr/sbin/cupsd', typed`-f -c ${at('cupsd.conf')} -s ${at('cups-files.conf')}`, {
    stdio: 'ignore',
  })
  onTestFinished(() => void server.kill('SIGTERM'))
  const env = { CUPS_SERVER: socket }
  const lp = (program: string, ...args: string[]) => run(program, args, { env: { ...process.env, ...env } })
  for (const until = Date.now() + START_MS; ; await delay(50)) {
    const answer = await lp('lpstat', '-r').catch(() => undefined)
    if (answer?.stdout.includes('is running')) break
    if (Date.now() > until) expect.fail(`cupsd does not answer: ${textFile(at('log/error'))}`)
  }
  return {
    env,
    queue: (name: string, printer: RawPrinter) =>
      lp('lpadmin', '-p', name, '-E', '-v', `socket://${printer.address}`),
    async ended(name: string, job: string) {
      for (const until = Date.now() + START_MS; ; await delay(50)) {
        if ((await lp('lpstat', '-W', 'completed', '-o', name)).stdout.includes(job)) return
        if (Date.now() > until) expect.fail(`${job} does not end: ${textFile(at('log/error'))}`)
      }
    },
    /** The attributes that the job came with; their names and values are plain text. */
    attributes: (job: string) =>
      readFileSync(at(`spool/c${job.replace(/^.*-/, '').padStart(5, '0')}`), 'latin1'),
  }
}

it('CUPS queues get sheets at true size, or ZPL, and their refusals are reported in their words', async () => {
  const cups = await startCups()
  const printers = { office: await rawPrinter(), zebra: await rawPrinter() }
  for (const name of ['office', 'zebra'] as const) await cups.queue(name, printers[name])
  const jobs = { office: 0, zebra: 0 }
  /** Output of the queue's printer for its next job. */
  const printed = async (name: 'office' | 'zebra', job: string) => {
    jobs[name] += 1
    // CUPS is asked only once the printer has the job.
    await expect.poll(() => printers[name].prints().length).toBe(jobs[name])
    await cups.ended(name, job)
    return printers[name].prints().at(-1) ?? Buffer.alloc(0)
  }
  const file = newFile('one.pdf', (await pdfLabel('SBX0000012345')).bytes)
  const env = spawnEnv({ ...cups.env, RMA_TOKEN: 'not for lp' })
  const rma = (...argv: string[]) => spawnCli(typed`${argv} --json`, { env })

  const office = await rma(
    'labels',
    'print',
    file,
    '--printer',
    'cups:office',
    '--sheet',
    'a6',
    '--copies',
    '2',
  )
  expectEnd(office, 0, ['2 labels sent to cups:office'])
  const { job, printer } = jsonOf(office)
  expect([printer, job]).toEqual(['cups:office', expect.stringMatching(/^office-\d+$/)])
  const sheets = await printed('office', job)
  expect(
    (await pdfPages(sheets)).map(({ widthMm, heightMm }) => [Math.round(widthMm), Math.round(heightMm)]),
  ).toEqual([
    [105, 148],
    [105, 148],
  ])
  expect((await barcodesInPdf(sheets)).map(({ text }) => text)).toEqual(['SBX0000012345', 'SBX0000012345'])
  expect(cups.attributes(job)).toMatch(/print-scaling.*none/s)
  expect(cups.attributes(job)).toMatch(/media.*iso_a6_105x148mm/s)

  await rma('printers', 'add', 'desk', 'cups:zebra', '--language', 'zpl')
  const zebra = await rma('labels', 'print', file, '-P', 'desk')
  const zpl = await printed('zebra', jsonOf(zebra).job)
  expect(await barcodesInZpl(zpl)).toEqual([{ text: 'SBX0000012345', format: 'Code128' }])
  const again = await rma('labels', 'print', '--reprint', 'last')
  expect((await printed('zebra', jsonOf(again).job)).equals(zpl)).toBe(true)
  const tested = await rma('printers', 'test', 'desk')
  const label = await printed('zebra', jsonOf(tested).job)
  expect(await barcodesInZpl(label)).toEqual([{ text: 'RMA-TEST', format: 'Code128' }])

  const refused = await spawnCli(typed`labels print ${file} -P cups:nowhere`, { env })
  expectEnd(
    refused,
    7,
    /The queue nowhere can't be printed on: .*does not exist.*\nTry: lpstat -e lists the queues/,
  )
})
