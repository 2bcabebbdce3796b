import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectEnd, typed } from '../../helpers/command-line.ts'
import { filesBelow, textFile } from '../../helpers/files.ts'
import { root, runCli } from '../../helpers/run-cli.ts'

const help = async (...argv: string[]) => {
  const { stdout } = expectEnd(await runCli(argv), 0, '')
  return stdout
}

it('help shows a command’s own flags first, in file order, and global flags in one line', async () => {
  const text = await help('returns', 'list', '--help')
  expect(text).toMatch(
    /^List returns, newest first\n\nUSAGE\n {2}\$ rma returns list \[FLAGS\]\n\nFLAGS\n {2}--name=/,
  )
  expect(text).not.toMatch(/--time-zone=|--ca-file/)
  expect(text).toMatch(
    /GLOBAL FLAGS\n {2}-p PROFILE, .*: rma help flags\n\nDESCRIPTION\n {2}Without a filter/,
  )
  expect(text.split('List returns, newest first')).toHaveLength(2)
  const labels = await help('labels', 'create', '-h')
  expect(labels.search(/--from=/)).toBeLessThan(labels.search(/--dry-run/))
  // Commands that fetch have their own.
  expect(labels).toMatch(/FLAGS.*--label-host.*GLOBAL FLAGS/s)
})

it('help shows arguments and required flags in its usage', async () => {
  expect(await help('returns', 'get', '--help')).toContain('$ rma returns get RETURN… [FLAGS]\n')
  expect(await help('returns', 'export', '--help')).toContain('$ rma returns export --out FILE [FLAGS]\n')
  expect(await help('api', '--help')).toContain('$ rma api METHOD PATH [FLAGS]\n')
  expect(await help('returns')).toContain('$ rma returns COMMAND [FLAGS]\n')
  expect(await help()).toContain('$ rma COMMAND [FLAGS]\n')
})

it('--help given twice shows all flags, as rma help does', async () => {
  const whole = await help('returns', 'list', '--help', '--help')
  expect(whole).toMatch(/\n {2}-p, --profile=NAME.*CONNECTION FLAGS\n.*--ca-file=FILE/s)
  expect(whole).not.toContain('rma help flags')
  expect(await help('help', 'returns', 'list', '--help')).toBe(whole)
})

it('rma --help begins with what to type first, and lists every topic and command once, by role', async () => {
  const text = await help('--help')
  expect(text).toMatch(/^ {2}rma desk .*\n {2}rma search .*\n {2}rma returns get .*\n\n/)
  const names = [...text.matchAll(/^ {2}([a-z]+) {2,}[A-Z]/gm)].map(([, name]) => name)
  const commands = readdirSync(join(root, 'src/commands')).map((name) => name.replace('.ts', ''))
  expect(names.filter((name) => name && commands.includes(name)).sort()).toEqual(commands.sort())
  expect(text.indexOf('\nSUPPORT\n  search')).toBeLessThan(text.indexOf('\nDEVELOPERS\n'))
})

it('rma help flags lists every global flag', async () => {
  const text = await help('help', 'flags')
  for (const flag of typed`'-p, --profile NAME' '    --columns A,B,…' '    --ca-file FILE'`)
    expect(text).toContain(flag)
})

it('rma help environment lists every variable that the sources read', async () => {
  const text = await help('help', 'environment')
  const sources = filesBelow(join(root, 'src'), '.ts').map((name) => textFile(join(root, 'src', name)))
  const read = new Set(sources.flatMap((source) => source.match(/\bRMA_[A-Z_]+\b/g) ?? []))
  expect(read.size).toBeGreaterThan(10)
  expect([...read].filter((name) => !text.includes(name))).toEqual([])
  expect([...new Set(text.match(/\bRMA_[A-Z_]+\b/g))].filter((name) => !read.has(name))).toEqual([])
  expect(text).toMatch(/RMA_TOKEN +the token itself/)
})

it('rma help exit-codes agrees with docs/reference.md', async () => {
  const text = (await help('help', 'exit-codes')).replace(/\s+/g, ' ')
  const rows = [
    ...textFile(join(root, 'docs/reference.md')).matchAll(/^\| (\d+) \| `([\w-]+)` \| (.*?) \| (.*?) ?\|$/gm),
  ]
  expect(rows).toHaveLength(11)
  for (const [, code, kind, when, next] of rows) {
    expect(text).toContain(`${code} ${kind} ${when}${next ? `: ${next}` : ''}`)
  }
})

it('rma help has formatting and references, and rma --help names all topics', async () => {
  expect(await help('help', 'formatting')).toMatch('--jq EXPR')
  expect(await help('help', 'references')).toMatch(/RETURN +R#-LU105189/)
  expect(await help('--help')).toMatch(
    /\n {2}flags .*\n {2}exit-codes .*\n {2}environment .*\n {2}formatting .*\n {2}references /,
  )
})

it('rma help with an unknown topic suggests the nearest', async () => {
  expectEnd(await runCli(typed`help exit-code`), 2, /^Error: "exit-code".*\nTry: rma help exit-codes\n/)
})
