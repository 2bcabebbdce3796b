import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../src/lib/sandbox/http/app.ts'
import { root } from '../helpers/run-cli.ts'

const page = readFileSync(join(root, 'docs/specification.md'), 'utf8')

it('names files that there are', () => {
  const files = [...page.matchAll(/`((?:src|test)\/[^`\s]+)`/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(50)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

it('names every operation', () => {
  const named = OPERATIONS.filter(({ path }) => !path.includes(':')).map(
    ({ method, path }) => `\`${method} ${path}\``,
  )
  for (const operation of named) expect(page).toContain(operation.replace('`', ''))
})

it('links to pages that there are', () => {
  const links = [...page.matchAll(/\]\(([\w/-]+\.md)/g)].map(([, file = '']) => file)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((file) => !existsSync(join(root, 'docs', file)))).toEqual([])
})
