import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, textFile } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

/** Permitted imports besides those within an area. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  main: ['services', 'cli'],
  commands: ['services', 'cli', 'output', 'wire', 'errors'],
  'commands/desk': ['desk'],
  desk: ['services', 'cli', 'output', 'wire'],
  services: [
    'api',
    'audit',
    'bulk',
    'labels',
    'mappings',
    'mirror',
    'walk',
    'config',
    'output',
    'files',
    'wire',
    'cli',
    'errors',
  ],
  'services/conformance': ['conformance'],
  'services/completion': ['insight', 'sandbox'],
  'services/returns': ['insight'],
  'services/sandbox': ['sandbox'],
  cli: ['api', 'audit', 'config', 'output', 'wire', 'errors'],
  'cli/open-sandbox': ['sandbox'],
  api: ['walk', 'wire', 'files', 'errors'],
  audit: ['wire', 'files', 'errors'],
  output: ['wire', 'errors'],
  bulk: ['wire', 'files', 'errors'],
  conformance: ['wire', 'errors'],
  labels: ['wire', 'files', 'errors'],
  mappings: ['bulk', 'wire', 'files', 'errors'],
  insight: ['wire', 'errors'],
  mirror: ['insight', 'walk', 'wire', 'files', 'errors'],
  walk: ['wire'],
  config: ['wire', 'files', 'errors'],
  sandbox: ['wire', 'files', 'errors'],
  wire: [],
  files: ['errors'],
  errors: [],
}

/** Topics that may import each other's services: a push is a job, and jobs clear away its files. */
const TWIN_TOPICS = ['jobs', 'tracking']
/** Topic that all may import: it opens and updates the mirror. */
const SERVING_TOPIC = 'mirror'

interface Import {
  from: string
  to: string
  isTypeOnly: boolean
}

const src = join(root, 'src')
const files = filesBelow(src, '.ts')
const imports = files.flatMap((file) => importsOf(file, sourceOf(file)))

function sourceOf(file: string) {
  return textFile(join(src, file))
}

/** Project files that a file imports: statically, dynamically, or as types. */
function importsOf(from: string, source: string) {
  const found = source.matchAll(
    /^(?:import|export)\s(?<clause>[^'();]*)\bfrom\s*'(?<path>\.[^']+\.ts)'|\bimport\(\s*'(?<late>\.[^']+\.ts)'/gm,
  )
  return [...found].map(({ groups: { clause = '', path = '', late } = {} }) => ({
    from,
    to: join(dirname(from), late ?? path),
    isTypeOnly: /^type\b|^\{(?:\s*type\s[^,}]+,?)+\s*\}\s*$/.test(clause),
  }))
}

/** `lib/wire/returns.ts` → `wire`, `lib/services/labels/print.ts` → `services`, then `labels`. */
function partsOf(file: string) {
  const [area = '', part = ''] = file
    .replace(/^lib\//, '')
    .replace(/\.ts$/, '')
    .split('/')
  return { area, part }
}

function isAllowed({ from, to, isTypeOnly }: Import) {
  const [importer, imported] = [partsOf(from), partsOf(to)]
  if (importer.area === imported.area) {
    if (importer.area === 'commands') return false
    const isOther = importer.area === 'services' && importer.part !== imported.part
    return (
      !isOther ||
      imported.part === SERVING_TOPIC ||
      [importer.part, imported.part].every((topic) => TWIN_TOPICS.includes(topic))
    )
  }
  if (importer.area === 'services' && imported.area === 'cli' && !isTypeOnly) return false
  const allowed = [importer.area, `${importer.area}/${importer.part}`].flatMap((key) => ALLOWED[key] ?? [])
  return allowed.includes(imported.area)
}

/** Returns one import cycle in order, or an empty list. */
function findCircle(edges: readonly Pick<Import, 'from' | 'to'>[]) {
  const next = new Map<string, string[]>()
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to])
  const done = new Set<string>()
  const circleFrom = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return path.slice(path.indexOf(file))
    for (const to of done.has(file) ? [] : (next.get(file) ?? [])) {
      const circle = circleFrom(to, [...path, file])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  return [...next.keys()].map((file) => circleFrom(file, [])).find((circle) => circle.length > 0) ?? []
}

it('the layout test sees every import of the sources', () => {
  expect(files.length).toBeGreaterThan(300)
  expect(imports.filter(({ to }) => !files.includes(to))).toEqual([])
  const paths = files.flatMap((file) => sourceOf(file).match(/'\.{1,2}\/[^']+\.ts'/g) ?? [])
  expect(imports).toHaveLength(paths.length)
})

it.each([
  ["import { a, b } from './a.ts'", false],
  ["import type { A } from './a.ts'", true],
  ["import {\n  type A,\n  type B as C,\n} from './a.ts'", true],
  ["import { type A, b } from './a.ts'", false],
  ["const { a } = await import('./a.ts')", false],
])('type-only imports are recognized in %j: %s', (source, isTypeOnly) => {
  expect(importsOf('lib/b.ts', source)).toEqual([{ from: 'lib/b.ts', to: 'lib/a.ts', isTypeOnly }])
})

it('no import runs against the layout', () => {
  expect(imports.filter((one) => !isAllowed(one))).toEqual([])
})

it.each([
  ['lib/services/labels/print.ts', 'lib/services/returns/get.ts', false],
  ['lib/services/labels/print.ts', 'lib/services/jobs/jobs.ts', false],
  ['lib/services/returns/stuck.ts', 'lib/services/mirror/location.ts', true],
  ['lib/services/mirror/location.ts', 'lib/services/returns/stuck.ts', false],
  ['lib/services/tracking/start-job.ts', 'lib/services/jobs/jobs.ts', true],
  ['lib/services/labels/print.ts', 'lib/cli/context.ts', false],
  ['lib/services/labels/print.ts', 'lib/sandbox/index.ts', false],
  ['lib/services/sandbox/play.ts', 'lib/sandbox/index.ts', true],
  ['lib/cli/connection.ts', 'lib/sandbox/index.ts', false],
  ['lib/cli/context.ts', 'lib/services/jobs/jobs.ts', false],
  ['lib/wire/returns.ts', 'lib/errors.ts', false],
  ['commands/labels/get.ts', 'lib/api/labels.ts', false],
  ['commands/labels/get.ts', 'commands/labels/print.ts', false],
])('the layout allows the import %s → %s: %s', (from, to, expected) => {
  expect(isAllowed({ from, to, isTypeOnly: false })).toBe(expected)
})

it('no file imports itself indirectly, not even by types', () => {
  expect(findCircle(imports)).toEqual([])
  const circle = findCircle([...imports, { from: 'lib/errors.ts', to: 'lib/cli/context.ts' }])
  expect(circle).toContain('lib/errors.ts')
})

it('a command is small, and uses neither HTTP nor the terminal itself', () => {
  for (const file of files.filter((one) => partsOf(one).area === 'commands')) {
    const source = sourceOf(file)
    expect(source.split('\n').length, file).toBeLessThanOrEqual(101)
    expect(source, file).not.toMatch(/\bprocess\.|\bconsole\.|from '(got|node:http|cli-table3)'/)
  }
})
