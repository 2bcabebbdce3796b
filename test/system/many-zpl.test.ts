import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { measuredCli } from '../helpers/measured-cli.ts'

it('5,000 ZPL labels of one file are printed on sheets, in time that grows with their number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rma-many-zpl-'))
  const printed = async (labels: number) => {
    const file = join(folder, `${labels}.zpl`)
    writeFileSync(file, '^XA^PW400^LL200^FO10,10^A0N,30,30^FDR#-1001^FS^XZ\n'.repeat(labels))
    const argv = ['labels', 'print', file, '--sheet', 'a4', '--out', join(folder, `${labels}.pdf`)]
    const result = await measuredCli(argv, {})
    expect(result.code, result.stderr).toBe(0)
    expect(result.peakMib).toBeLessThan(400)
    return result.cpuMs
  }
  const few = await printed(1000)
  expect(await printed(5000)).toBeLessThan(7 * few)
}, 240_000)
