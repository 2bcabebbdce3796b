import { expect, it } from 'vitest'
import { ended, errorOf, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { freshHome, runIn } from '../helpers/run-cli.ts'
import '../../src/commands/alias/list.ts'
import '../../src/commands/alias/remove.ts'
import '../../src/commands/alias/set.ts'
import '../../src/commands/profiles/list.ts'
import '../../src/commands/profiles/set.ts'
import '../../src/commands/profiles/show.ts'
import '../../src/commands/returns/stuck.ts'
import '../../src/commands/search.ts'

const aliasHome = async (name: string, expansion: string) => {
  const env = freshHome()
  const { code, stderr } = await runIn(env)`alias set ${name} ${expansion}`
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return runIn(env)
}

it('an alias stands for a command line, with flags before and after it', async () => {
  const run = await aliasHome('who', "rma profiles list --columns 'name,shop'")
  expect((await run`-o csv who --no-headers`).stdout).toBe('mock,\r\n')
  expect((await run`who --help`).stdout).toContain('profiles list')
  const listed = await run`alias list -o json`
  expect(jsonOf(listed)).toEqual([{ name: 'who', expansion: "profiles list --columns 'name,shop'" }])
  succeeded(await run`alias remove who`)
  ended(await run(['who']), 2)
  ended(await run`alias remove who`, 5)
})

it('an alias inserts arguments at $1, each as one word', async () => {
  const run = await aliasHome('put', 'profiles set $2 --shop=$1')
  const changed = await run`put 'A B; $(touch x)' mock -o json`
  expect(jsonOf(changed)).toMatchObject({ name: 'mock', shop: 'A B; $(touch x)' })
  const missing = ended(await run`put MODA`, 2)
  expect(missing.stderr).toContain('The alias put needs an argument $2.')
  expect(missing.stderr).toContain('rma profiles set $2 --shop=$1')
})

it('typed flags override those of an alias, except flags that may be repeated', async () => {
  const run = await aliasHome('own', "profiles list --columns=name -o json --no-headers --time-zone 'UTC'")
  expect((await run`own -o csv --columns name,shop`).stdout).toBe('mock,\r\n')
  expect((await run`-o csv own`).stdout).toBe('mock\r\n')
  expect(jsonOf(await run(['own']))).toHaveLength(1)
  await run`alias set two 'api GET /returns -f limit=1 -f status=PENDING --dry-run -o json'`
  const { stdout } = await run`two -f page=2`
  expect(stdout).toMatch('limit=1&status=PENDING&page=2')
})

it.each([
  ['profiles list --json', typed`-o csv --columns name`, /^name\r\nmock\r\n$/],
  ['profiles list -o csv', ['--json'], /^\[\n/],
  ['profiles list -o yaml', ['-ojson'], /^\[\n/],
  ['profiles list --jq .[].name', ['--output=yaml'], /^- name: mock\n/],
  ['profiles list --jq .[].name', typed`-o json`, /^mock\n$/],
  ['profiles list --jq .name', typed`-o ndjson`, /^mock\n$/],
])('the output of the alias for %s is replaced by %j', async (expansion, flags, expected) => {
  const run = await aliasHome('own', expansion)
  expect(succeeded(await run(['own', ...flags])).stdout).toMatch(expected)
})

it('rma help shows an alias with the help of its command', async () => {
  const run = await aliasHome('late', 'returns stuck --rule no-scan')
  const { stdout } = succeeded(await run`help late`)
  expect(stdout).toMatch(
    /^rma late stands for: rma returns stuck --rule no-scan\n\n.*USAGE\n {2}\$ rma returns stuck/s,
  )
  ended(await run`help lat`, 2)
  expect(await run`help help`).toEqual(await run(['help']))
})

it('errors have the output format of the alias', async () => {
  const run = await aliasHome('broken', 'profiles show nobody -o json')
  expect(errorOf(ended(await run(['broken']), 3)).kind).toBe('config')
})

it.each([
  ['returns', 'profiles list', "returns is a command of rma's own"],
  ['search', 'profiles list', "search is a command of rma's own"],
  ['help', 'profiles list', "help is a command of rma's own"],
  typed`-x 'profiles list' "can't be called"`,
  ['a b', 'profiles list', "can't be called"],
  ['x', 'nothing here', 'does not begin with a command'],
  ['x', 'profiles', 'does not begin with a command'],
  ['x', "profiles list 'open", 'A quote is not closed'],
])('the alias %s for %s is refused', async (name, expansion, message) => {
  const run = runIn()
  expectEnd(await run`alias set -- ${name} ${expansion}`, 2, [message])
  expect(jsonOf(await run`alias list --json`)).toEqual([])
})

it('an alias can not use another one, and replaces one of the same name', async () => {
  const run = await aliasHome('one', 'profiles list')
  ended(await run`alias set two one`, 2)
  succeeded(await run`alias set one 'profiles show'`)
  expect((await run`one --jq .name`).stdout).toBe('mock\n')
})
