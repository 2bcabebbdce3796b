import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

/** First line of a comment that begins with half a sentence. A `//` line after another one continues a comment. */
const FRAGMENT =
  /^\s*(?:\/\*\*?(?:\n\s*\*)?|(?<!^\s*\/\/[^\n]*\n\s*)\/\/) *(?:Of|As|By|Those|What|Where|Without|So many|Told|Whoever|Nobody|Nothing|None|In which|In a|From|Not|But|Else|Undefined)\b.*/gm

const fragmentsOf = (source: string) => [...source.matchAll(FRAGMENT)].map(([line]) => line.trim())

function sourcesIn(path: string) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  const files = readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => /\.[cm]?[jt]sx?$/.test(file)).map((file) => join(path, file))
}

it.each([
  ['/** Of a round. */', ['/** Of a round. */']],
  ['/**\n   * What it takes.\n   */', ['/**\n   * What it takes.']],
  ['a()\n  // Not threads.\n', ['// Not threads.']],
  ['// Sum over rows\n// Of all returns.', []],
  ['// Often\n/** Notes. */', []],
])('finds fragments in %j', (source, expected) => {
  expect(fragmentsOf(source)).toEqual(expected)
})

it.each([
  'src',
  'test',
  'bench',
  'tools',
  'bin',
  '.ci',
  'build.mjs',
  'vitest.config.mts',
  'vitest.system.config.mts',
])('no comment of %s begins with half a sentence', (path) => {
  const sources = sourcesIn(path)
  expect(sources.length).toBeGreaterThan(0)
  const found = sources.flatMap((file) =>
    fragmentsOf(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`),
  )
  expect(found).toEqual([])
})
