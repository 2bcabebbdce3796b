import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

/** Source folders mirrored by folders of tests. */
const SOURCES = { unit: 'src/lib', property: 'src/lib', commands: 'src/commands' }
/** Tests of the whole command, its pages, and the text of the sources. */
const WITHOUT_SOURCE = ['e2e', 'surface', 'system', 'layout']

const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).sort()

/** True if the source exists, also without a topic suffix: `sandbox/http/server-limits` tests `server.ts`. */
function isOfSource(path: string): boolean {
  if (existsSync(`${path}.ts`) || existsSync(path)) return true
  const shorter = path.replace(/-[^/-]+$/, '')
  return shorter !== path && isOfSource(shorter)
}

it.each(Object.entries(SOURCES))('test/%s mirrors %s: files and folders, by name', (folder, sources) => {
  const tests = files.filter((file) => file.startsWith(`${folder}/`) && file.endsWith('.test.ts'))
  expect(tests.length).toBeGreaterThan(20)
  const lost = tests.filter((file) => !isOfSource(join(root, sources, file.slice(folder.length + 1, -8))))
  expect(lost).toEqual([])
})

it('a file that is not a test is in test/helpers or test/fixtures', () => {
  const folders = [...Object.keys(SOURCES), ...WITHOUT_SOURCE]
  const isElsewhere = (file: string) => folders.includes(file.split('/')[0] ?? '')
  const stray = files.filter((file) => /\.[cm]?[jt]s$/.test(file) && !file.endsWith('.test.ts'))
  expect(stray.filter(isElsewhere)).toEqual([])
})
