import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

const run = promisify(execFile)
const folder = join(root, 'dist/man')

it('mandoc shows every page, and complains only of the missing date', async () => {
  const pages = readdirSync(folder).map((name) => join(folder, name))
  expect(pages.length).toBeGreaterThan(15)
  for (const page of pages) {
    // It ends with 2 where there is a warning.
    const { stdout, stderr } = await run('mandoc', ['-T', 'utf8', '-W', 'warning', page]).catch(
      (failure: { stdout: string; stderr: string }) => failure,
    )
    expect(stdout).toMatch(/^RMA/)
    const faults = stderr.split('\n').filter((line) => !/^$|missing date|: see above the output /.test(line))
    expect(faults).toEqual([])
  }
})
