import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

const folder = join(root, 'dist/man')

it('mandoc finds nothing wrong with any page but that it has no date, and shows it', () => {
  const pages = readdirSync(folder).map((name) => join(folder, name))
  expect(pages.length).toBeGreaterThan(15)
  for (const page of pages) {
    const shown = execFileSync('mandoc', ['-T', 'utf8', page], { encoding: 'utf8' })
    expect(shown).toMatch(/^RMA/)
    const found = execFileSync('sh', ['-c', 'mandoc -T lint -W warning "$0" || true', page], {
      encoding: 'utf8',
    })
    expect(found.split('\n').filter((line) => line !== '' && !line.includes('missing date'))).toEqual([])
  }
})
