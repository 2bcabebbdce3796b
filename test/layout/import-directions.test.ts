import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

/** Who may import whom, besides itself. What is not listed may not. */
const ALLOWED: Record<string, readonly string[]> = {
  main: ['cli'],
  commands: ['services', 'cli', 'output', 'wire', 'errors'],
  services: [
    'api',
    'bulk',
    'labels',
    'conformance',
    'sandbox',
    'config',
    'output',
    'files',
    'wire',
    'cli',
    'errors',
  ],
  cli: ['api', 'config', 'output', 'sandbox', 'files', 'wire', 'errors'],
  api: ['wire', 'files', 'errors'],
  output: ['wire', 'errors'],
  bulk: ['wire', 'files', 'errors'],
  conformance: ['wire', 'errors'],
  labels: ['wire', 'files', 'errors'],
  config: ['wire', 'files', 'errors'],
  sandbox: ['wire', 'files', 'errors'],
  wire: [],
  files: ['errors'],
  errors: [],
}

/** `src/lib/wire/returns.ts` → `wire`, `src/commands/…` → `commands`, `src/lib/errors.ts` → `errors`. */
function areaOf(file: string): string {
  const [first = '', ...rest] = relative(join(root, 'src'), file).split('/')
  return (first === 'lib' ? (rest[0] ?? '') : first).replace(/\.ts$/, '')
}

function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8')
  const specifiers = source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...specifiers].map((match) => match[1] ?? '')
}

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => join(root, 'src', file))

describe('import directions', () => {
  it('sees the sources', () => {
    expect(files.length).toBeGreaterThan(30)
    expect(importsOf(join(root, 'src/main.ts'))).toContain('./lib/cli/execute.ts')
  })

  it.each(files.map((file) => [relative(root, file), file]))('%s', (_name, file) => {
    const from = areaOf(file)
    const forbidden = importsOf(file)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => areaOf(join(dirname(file), specifier)))
      .filter((to) => to !== from && !(ALLOWED[from] ?? []).includes(to))
    expect(forbidden, `${from} imports what it may not`).toEqual([])
  })

  it('no two commands import each other', () => {
    const commands = files.filter((file) => areaOf(file) === 'commands')
    const between = commands.flatMap((file) =>
      importsOf(file).filter((to) => to.startsWith('.') && areaOf(join(dirname(file), to)) === 'commands'),
    )
    expect(between).toEqual([])
  })

  it('a command is small, and talks neither HTTP nor to the terminal itself', () => {
    for (const file of files.filter((one) => areaOf(one) === 'commands')) {
      const source = readFileSync(file, 'utf8')
      expect(source.split('\n').length, file).toBeLessThanOrEqual(101)
      expect(source, file).not.toMatch(/\bprocess\.|\bconsole\.|from '(got|node:http|cli-table3)'/)
    }
  })
})
