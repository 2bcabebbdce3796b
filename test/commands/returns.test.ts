import { expect, it } from 'vitest'
import { displayWidth } from '../../src/lib/output/width.ts'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../helpers/command-line.ts'
import { type DemoReturn, usePlatform } from '../helpers/platform.ts'
import { valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/labels/create.ts'
import '../../src/commands/labels/get.ts'
import '../../src/commands/labels/print.ts'
import '../../src/commands/labels/update.ts'
import '../../src/commands/methods/calculate.ts'
import '../../src/commands/pudos/search.ts'
import '../../src/commands/returns/explain.ts'
import '../../src/commands/returns/get.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/returns/refunds.ts'
import '../../src/commands/returns/transportations.ts'

const platform = usePlatform()
const { run } = platform

const some = asTyped(async (flags): Promise<DemoReturn[]> => {
  return jsonOf(await run`returns list --json ${flags}`).returns
})

it('get by id and by name prints the record of the service', async () => {
  const [row] = await some`--limit 1`
  const sent = await platform.get(`/returns/${row?.id}`)
  for (const reference of [row?.id ?? '', row?.name ?? '']) {
    expect(jsonOf(expectEnd(await run`returns get ${reference} --json`, 0, ''))).toEqual(sent)
  }
})

it('get --full shows people parties, items, amounts and transport', async () => {
  const [row] = await some`--status CLOSED --limit 1`
  const { stdout } = await run`returns get ${row?.name ?? ''} --full`
  expect(stdout).toContain(row?.name)
  const words = [/Customer/, /Origin/, /Destination/, /Items/, /Transport/, /Scans/, /Refunds/]
  for (const word of words) expect(stdout).toMatch(word)
})

it('returns get begins with where the parcel is, when money comes, and what is next', async () => {
  const [row] = await some`--status RECEPTION_IN_PROGRESS --limit 1`
  const { stdout, stderr } = await run`returns get ${row?.name ?? ''}`
  const [where, money, next] = stdout.split('\n')
  expect(where).toMatch(
    /^Where {2}On its way to the shop, last scan \d{4}-\d\d-\d\d \d\d:\d\d \(\d+ \w+ ago\) by /,
  )
  expect(money).toMatch(/^Money {2}\d[\d.]* [A-Z]{3} (?:to|as) .*(?:due|executed|refunded)/)
  expect(next).toMatch(/^Next {3}(?:Wait for|Ask) /)
  expect(stderr).toBe('')
})

it('returns get shows the amount of the refunds, after the fee', async () => {
  const rows = (await some`--limit 60`) as (DemoReturn & { totalReturnFee: number; totalRefund: number })[]
  const withFee = rows.filter(({ totalReturnFee }) => totalReturnFee > 0).slice(0, 8)
  expect(withFee).toHaveLength(8)
  for (const { name, totalRefund } of withFee) {
    const { stdout } = await run`returns get ${name}`
    const [, money = ''] = stdout.split('\n')
    const told = [...money.matchAll(/(\d+(?:\.\d+)?) [A-Z]{3} /g)].map(([, amount]) => Number(amount))
    expect(told.reduce((sum, amount) => sum + amount, 0)).toBeCloseTo(totalRefund, 6)
  }
})

it('returns get prints at most 22 lines of 80 columns, with codes in words in a pipe too', async () => {
  const rows = (await some`--limit 100`) as (DemoReturn & { returnLineItems: unknown[] })[]
  const names = valuesOf(rows, 'name')
  const { stdout } = await run(typed`returns get ${names}`, { columns: 80 })
  const cards = stdout.split(/\n\n(?=Where )/)
  expect(cards).toHaveLength(names.length)
  for (const [index, card] of cards.entries()) {
    const lines = card.trimEnd().split('\n')
    const items = rows[index]?.returnLineItems.length ?? 0
    expect(lines.length, card).toBeLessThanOrEqual(22)
    for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(80)
    expect(card).toContain(`\nReturn    ${names[index]} · `)
    expect(card).not.toMatch(/RECEPTION_|PENDING|CLOSED/)
    if (items > 5) expect(card).toContain(`\n          ${items - 5} more: --full\n`)
  }
  const piped = await run`returns get ${names.slice(0, 3)}`
  expect(piped.stdout).not.toMatch(/RECEPTION_|PENDING|CLOSED/)
  const inColumns = await run`returns get ${names.slice(0, 3)} --columns name,status`
  expect(inColumns.stdout).toMatch(/^NAME +STATUS\n(?:R#-\S+ +[A-Z_]+\n){3}$/)
})

it('returns get of several names prints a list in that order', async () => {
  const rows = (await some`--limit 15`).reverse()
  const references = rows.map((row, index) => (index % 2 ? row.id : row.name))
  expect(
    valuesOf(jsonOf(succeeded(await run`returns get ${references} --json`)) as DemoReturn[], 'id'),
  ).toEqual(valuesOf(rows, 'id'))
})

it('returns get - reads names from standard input, in quotes or not, and skips blank lines', async () => {
  const rows = await some`--limit 3`
  const { stdout } = await run(typed`returns get - -o ndjson`, {
    stdin: `${rows.map((row, at) => (at === 0 ? `"${row.name}"` : row.name)).join('\r\n')}\n\n`,
  })
  expect(valuesOf(ndjson(stdout), 'id')).toEqual(valuesOf(rows, 'id'))
})

it('returns get does not read standard input without "-"', async () => {
  const [row] = await some`--limit 1`
  succeeded(await run(typed`returns get ${row?.id ?? ''}`, { stdin: 'R#-other\n' }))
})

it('unknown returns are named with exit 5, and the others printed', async () => {
  const rows = await some`--limit 2`
  const { stdout } = expectEnd(
    await run`returns get ${rows[0]?.id ?? ''} nope R#-nope ${rows[1]?.id ?? ''} --columns id`,
    5,
    /2 of 4 returns were not found\..*nope.*R#-nope/s,
  )
  expect(
    stdout
      .split('\n')
      .slice(1, 3)
      .map((line) => line.trim()),
  ).toEqual(valuesOf(rows, 'id'))
})

it('get without a name ends with 2', async () => {
  ended(await run`returns get`, 2)
  const long = await run(typed`returns get -`, { stdin: 'x'.repeat(2 ** 20 + 1) })
  expectEnd(long, 2, ['longer than 1 MiB'])
})

it('transportations and refunds print the documents of the service', async () => {
  const [row] = await some`--status CLOSED --limit 1`
  for (const what of ['transportations', 'refunds']) {
    const sent = await platform.get(`/returns/${row?.id}/${what}`)
    const shown = jsonOf(succeeded(await run`returns ${what} ${row?.name ?? ''} --json`))
    expect(shown).toEqual(sent)
    expect(shown[what].length).toBeGreaterThan(0)
  }
})

it('one transportation is printed with its events', async () => {
  const [row] = await some`--status CLOSED --limit 1`
  const { stdout } = await run`returns transportations ${row?.id ?? ''} --jq .transportations[0].id`
  const one = succeeded(await run`returns transportations ${row?.id ?? ''} ${stdout.trim()}`)
  expect(one.stdout).toMatch('SHIPPING_COMPLETED')
})

it('a return without transports or refunds ends with 0 and a note', async () => {
  const [row] = await some`--status NEEDS_VALIDATION --limit 1`
  const { stdout, stderr } = succeeded(await run`returns transportations ${row?.id ?? ''}`)
  expect(stdout + stderr).not.toBe('')
})

it.each([
  [['returns', 'transportations', 'nope'], 'No return is named nope\nTry: rma search nope'],
  [['returns', 'refunds', 'nope'], 'No return is named nope'],
])('rma %j is exit 5', async (argv, message) => {
  expectEnd(await run(argv), 5, [message])
})

it.each([
  'returns explain',
  'returns transportations',
  'returns refunds',
  'returns get',
  'pudos search',
  'methods calculate --for',
])('rma %s with an empty name: exit 2, and nothing to search for', async (command) => {
  expectEnd(await run([...command.split(' '), '']), 2, [
    /^Error: No return was named\.\nTry: give ids or names/,
  ])
})

it('a standard input without names is exit 2, and no word of the shell', async () => {
  expectEnd(
    await run(typed`returns get -`, { stdin: '\n' }),
    2,
    'Error: The standard input names no return.\nTry: give ids or names, one a line: R#-1001\n',
  )
})

it('an unknown transportation is exit 5', async () => {
  const [row] = await some`--limit 1`
  expectEnd(
    await run`returns transportations ${row?.id ?? ''} nope`,
    5,
    / has no transport nope\nTry: rma returns transportations \d+/,
  )
})

it.each([
  [typed`returns list --name R#-NONE`, () => "rma search 'R#-NONE'"],
  [['returns', 'transportations', 'NAME', '1'], (name) => `rma returns transportations '${name}'`],
  [['labels', 'get', 'NONE'], () => 'rma search NONE'],
  [typed`labels print NONE --out labels.pdf`, () => 'rma search NONE'],
  [typed`labels create --for NAME`, (name) => `rma returns transportations '${name}'`],
  [typed`labels update BARE --tracking-code 1`, (name) => `rma labels update '${name}' --tracking-code 1`],
] as [string[], (name: string) => string][])(
  'the next command after %j names the platform',
  async (argv, line) => {
    const [row] = await some`--status CLOSED --limit 1`
    const name = row?.name ?? ''
    const words = argv.map((word) => word.replace('NAME', name).replace('BARE', name.slice(3)))
    const { stderr } = await run`${words} --base-url ${platform.baseUrl}`
    expect(stderr).toContain(`${line(name)} --base-url ${platform.baseUrl}`)
  },
)
