import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

const folder = join(root, 'dist/man')

it('npm installs every page that the build makes', () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect([...man].sort()).toEqual(
    readdirSync(folder)
      .map((name) => `dist/man/${name}`)
      .sort(),
  )
})

it('a page of a topic has all its commands, with flags, examples and exit codes', () => {
  const page = readFileSync(join(folder, 'rma-labels.1'), 'utf8')
  expect(page).toMatch(/^\.TH RMA\\-LABELS 1 /)
  for (const verb of ['create', 'download', 'get', 'print', 'update', 'verify']) {
    expect(page).toContain(`\n.SS rma labels ${verb}\n`)
  }
  expect(page).toContain('.B \\-\\-skip\\-invalid\n')
  expect(page).toContain('\nrma labels create \\-\\-for LU105189 ')
  expect(page).toContain('\nExit codes: 0, 1, 2, ')
})
