import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

const run = promisify(execFile)
const folder = join(root, 'dist/man')

it('mandoc shows every page, and finds nothing wrong but that it has no date', async () => {
  const pages = readdirSync(folder).map((name) => join(folder, name))
  expect(pages.length).toBeGreaterThan(15)
  for (const page of pages) {
    expect((await run('mandoc', ['-T', 'utf8', page])).stdout).toMatch(/^RMA/)
    const lint = run('mandoc', ['-T', 'lint', '-W', 'warning', page])
    // It ends with 2 where there is a warning.
    const { stdout } = await lint.catch((failure: { stdout: string }) => failure)
    expect(stdout.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
  }
})
