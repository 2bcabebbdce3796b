import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const page = textOf('docs/security.md').replace(/\s+/g, ' ')

it('docs/security.md names tests that there are, by words of their titles', () => {
  const named = [...page.matchAll(/`(test\/[\w./-]+)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(
    ([, path = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ path, title })),
  )
  expect(named.length).toBeGreaterThan(25)
  expect(new Set(named.map(({ path }) => path))).toEqual(new Set(page.match(/test\/[\w./-]+\.ts/g)))
  expect(named.filter(({ path, title }) => !textOf(path).includes(title))).toEqual([])
})

it('docs/security.md names the SQLite that is loaded', () => {
  const db = new Libsql(':memory:')
  const { version } = db.prepare('select sqlite_version() as version').get() as { version: string }
  db.close()
  const { version: libsql } = JSON.parse(textOf('node_modules/libsql/package.json'))
  expect(page).toContain(`libsql ${libsql}, its newest version, contains SQLite ${version} `)
})
