import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { measuredCli } from '../helpers/measured-cli.ts'
import { shell, spawnCli } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

const folder = newFolder()

/** Each says something else; every 500th with a barcode. */
function labelsOf(count: number) {
  return times(count, (at) => {
    const code = at % 500 === 0 ? `^FO40,60^BY2^BCN,80,N,N,N^FDMANY${at}^FS` : ''
    return `^XA^PW400^LL200^FO10,10^A0N,30,30^FDR#-${at}^FS${code}^XZ\n`
  }).join('')
}

it('5,000 ZPL labels of one file are printed in order, within memory and time limits', async () => {
  const printed = async (labels: number) => {
    const file = join(folder, `${labels}.zpl`)
    const out = join(folder, `${labels}.pdf`)
    writeFileSync(file, labelsOf(labels))
    const result = succeeded(await measuredCli(typed`labels print ${file} --sheet a4 --out ${out}`, {}))
    expect(result.peakMib).toBeLessThan(400)
    return { out, cpuMs: result.cpuMs }
  }
  const many = await printed(5000)
  // Measured: 3.3 s.
  expect(many.cpuMs).toBeLessThan(10_000)
  const pages = times(4, (at) => 1500 * at)
  const script = pages.map(
    (at) =>
      `pdftoppm -r 203 -png -f ${at + 1} -l ${at + 1} "${many.out}" x && zbarimg -q --raw x*.png; rm x*.png`,
  )
  const { stdout } = await shell(`cd "${folder}"; ${script.join('; ')}`)
  expect(stdout.trim().split('\n')).toEqual(pages.map((at) => `MANY${at}`))
}, 300_000)

it('drawing tells the remaining time, and Ctrl-C ends it at once with 130 and no file', async () => {
  const file = join(folder, 'interrupted.zpl')
  const out = join(folder, 'interrupted.pdf')
  // Each label has a code, which takes seconds in all.
  writeFileSync(file, labelsOf(5000).replaceAll('^XZ', '^FO40,150^B3N,N,30,N^FDSLOW^FS^XZ'))
  let signalledAt = 0
  ended(
    await spawnCli(typed`labels print ${file} --out ${out}`, {
      onOutput(_stdout, stderr, child) {
        if (signalledAt > 0 || !/Printing labels: \d+ of 5000, about [1-9]\d* s left/.test(stderr)) return
        signalledAt = Date.now()
        child.kill('SIGINT')
      },
    }),
    130,
  )
  expect(existsSync(out)).toEqual(false)
  expect(signalledAt).toBeGreaterThan(0)
  expect(Date.now() - signalledAt).toBeLessThan(5000)
})
