import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { runLine } from '../helpers/examples.ts'
import { newFile, newFolder, textFile } from '../helpers/files.ts'
import { labelService } from '../helpers/label-service.ts'
import { usePlatform } from '../helpers/platform.ts'
import { valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/samples.ts'

const platform = usePlatform({ returns: 1200 })

interface Written {
  path: string
  outcome: string
  command: string
}

it('samples writes files of existing returns, and replaces no other content without --force', async () => {
  const folder = join(newFolder(), 'new')
  const samples = async (...flags: string[]) => {
    const { code, stdout, stderr } = await platform.run`samples ${folder} --json ${flags}`
    return { code, stderr, files: stdout === '' ? [] : (JSON.parse(stdout).files as Written[]) }
  }
  const first = await samples()
  expectEnd(first, 0, '')
  expect(valuesOf(first.files, 'path').sort()).toEqual(
    readdirSync(folder)
      .map((name) => join(folder, name))
      .sort(),
  )
  expect(new Set(valuesOf((await samples()).files, 'outcome'))).toEqual(new Set(['unchanged']))
  const mine = join(folder, 'goods.csv')
  writeFileSync(mine, 'mine')
  writeFileSync(join(folder, 'updates.csv'), 'too')
  writeFileSync(join(folder, 'names.txt'), '')
  const refused = ended(await samples(), 2)
  for (const name of ['goods.csv', 'updates.csv', 'names.txt']) expect(refused.stderr).toContain(name)
  expect(refused.stderr).not.toContain('export.csv')
  expect(textFile(mine)).toBe('mine')
  succeeded(await samples('--force'))
  expect(textFile(mine)).toMatch(/^sku,hsCode/)
})

it('samples prints a command for each file, and each command works', async () => {
  const folder = newFolder()
  const env = platform.env()
  const { stdout } = await platform.run(typed`samples ${folder} --json`, { env })
  const start = process.cwd()
  process.chdir(folder)
  try {
    for (const { command } of JSON.parse(stdout).files as Written[]) {
      // Both files are for a sandbox of this machine.
      if (/rma sandbox/.test(command)) continue
      const { code, stderr } = await runLine(command, { env })
      expect(code, `${command}: ${stderr}`).toBe(0)
    }
  } finally {
    process.chdir(start)
  }
})

it('samples refuses a file in the place of its folder', async () => {
  const file = newFile('file', '')
  for (const folder of [file, join(file, 'deeper')]) {
    expectEnd(
      await platform.run`samples ${folder}`,
      2,
      `Error: ${folder} is not a folder.\nTry: another one: rma samples DIR\n`,
    )
  }
})

it('samples refuses a live platform', async () => {
  const service = await labelService()
  const folder = newFolder()
  expectEnd(await service.run`samples ${folder}`, 2, /live platform/)
  expect(readdirSync(folder)).toEqual([])
})

it.runIf(process.platform === 'linux')(
  'a file system without place for folders ends with an error',
  async () => {
    const { stderr } = expectEnd(await platform.run`samples /proc/rma-samples`, 2, ['rma samples DIR'])
    expect(stderr).toEqual(expect.stringContaining("The samples can't be written"))
    expect(stderr).not.toMatch('--out')
  },
)
