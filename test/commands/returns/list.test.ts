import { expect, it } from 'vitest'
import { asTyped, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { type DemoReturn, usePlatform } from '../../helpers/platform.ts'
import { pageOf, scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/returns/list.ts'
import { valuesOf } from '../../helpers/values-of.ts'

const platform = usePlatform()
const { run } = platform

const listed = asTyped(
  async (flags): Promise<{ returns: DemoReturn[]; pageInfo: { totalRecords: number } }> => {
    return jsonOf(succeeded(await run`returns list --json ${flags}`))
  },
)

it('list without flags shows the last 100, newest first', async () => {
  const { returns, pageInfo } = await listed``
  expect(returns).toHaveLength(100)
  expect(pageInfo.totalRecords).toBe(300)
  const dates = valuesOf(returns, 'createdAt')
  expect(dates).toEqual([...dates].sort().reverse())
})

it('returns list prints the document of the service, field by field', async () => {
  const sent = await platform.get('/returns?limit=100&time_zone=UTC')
  expect(await listed``).toEqual(sent)
})

it('--all lists every return once, with the counts of the service', async () => {
  const { returns, pageInfo } = await listed`--all`
  expect(new Set(valuesOf(returns, 'id')).size).toBe(300)
  expect(pageInfo.totalRecords).toBe(300)
})

it.each([
  [typed`--limit 7`, 7],
  [typed`--limit 250`, 250],
  [typed`--limit 5 --page 2`, 5],
  [typed`--limit 500 --page 2`, 0],
  [typed`--limit 1200`, 300],
])('returns list %j gives %i', async (flags, count) => {
  expect((await listed`${flags}`).returns).toHaveLength(count)
})

it('--page continues where the page before ended', async () => {
  const both = await listed`--limit 10`
  const second = await listed`--limit 5 --page 2`
  expect(second.returns).toEqual(both.returns.slice(5))
})

it('--status accepts words of the table, in any letter case, and their beginnings', async () => {
  const { returns } = await listed`--status Clo --all`
  expect(returns.length).toBeGreaterThan(0)
  expect(new Set(valuesOf(returns, 'status'))).toEqual(new Set(['CLOSED']))
})

it('--name and --order find a return', async () => {
  const [first] = (await listed`--limit 1`).returns
  expect((await listed`--name ${first?.name ?? ''}`).returns).toEqual([first])
  const byOrder = await listed`--order ${first?.ecommerceOrder.name ?? ''}`
  expect(valuesOf(byOrder.returns, 'id')).toContain(first?.id)
})

it('--shop lists the returns of one shop', async () => {
  const shop = platform.sandbox.shops()[1]?.code ?? ''
  const { returns } = await listed`--shop ${shop} --all`
  expect(returns.length).toBeGreaterThan(0)
  expect(new Set(valuesOf(returns, 'shopCode'))).toEqual(new Set([shop]))
})

it('--created-from and --created-to are inclusive, in the zone', async () => {
  const { returns } = await listed`--limit 40`
  const [newest, oldest] = [returns[10], returns[30]]
  const iso = (text = '') => text.replace(' ', 'T')
  const range =
    await listed`--created-from ${iso(oldest?.createdAt)} --created-to ${iso(newest?.createdAt)} --all`
  expect(valuesOf(range.returns, 'id')).toEqual(valuesOf(returns.slice(10, 31), 'id'))
})

it('--updated-from and --refunded-from narrow the result', async () => {
  const updated = await listed`--updated-from 30d --all`
  expect(updated.returns.length).toBeGreaterThan(0)
  expect(updated.returns.every((one) => one.updatedAt >= '2026-10-21 12:00:00Z')).toBe(true)
  const refunded = await listed`--refunded-from 60d --refunded-to today --all`
  expect(refunded.returns.length).toBeGreaterThan(0)
  expect(refunded.returns.length).toBeLessThan(300)
})

it('dates come in the zone asked for', async () => {
  const { returns } = await listed`--time-zone Europe/Madrid --limit 1`
  expect(returns[0]?.createdAt).toMatch(/\+01:00$/)
})

it('a piped table has one line per return, never cut', async () => {
  const { stdout, stderr } = await run`returns list --limit 3`
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^NAME +STATUS +CREATED +CUSTOMER +ITEMS +REFUND +TRANSPORT +CARRIER$/)
  expect(stdout).not.toContain('…')
  expect(stderr).toBe('3 of 300; --all for the rest\n')
})

it('a page after the last is named as missing', async () => {
  const { stdout, stderr } = succeeded(await run`returns list --limit 100 --page 4`)
  expect(stdout).toBe('')
  expect(stderr).toBe('There is no page 4: 300 returns match, on 3 pages\n')
})

it.each([
  ['table', /^$/, "No returns match\nTry: rma search 'R#-none'\n"],
  ['ndjson', /^$/, ''],
  ['json', /^\{\n {2}"returns": \[\],\n {2}"pageInfo": \{\n {4}"totalRecords": 0,\n/, ''],
  ['yaml', /^returns: \[\]\n/, ''],
  ['csv', /^name,[^\n]*\r\n$/, ''],
])('an empty list as %s says that no returns match', async (format, stdout, stderr) => {
  const result = expectEnd(await run`returns list --name R#-none -o ${format}`, 0, stderr)
  expect(result.stdout).toMatch(stdout)
})

it('--no-headers omits the header', async () => {
  const { stdout } = await run`returns list --limit 1 --no-headers --columns status`
  expect(stdout.trim()).toMatch(/^[A-Z_]+$/)
})

it.each([
  [typed`--sttus PENDING`, 'Unknown flag: --sttus'],
  [typed`--status ''`, '--status is empty.\nTry: one of PENDING, '],
  [typed`--name ''`, '--name is empty.'],
  [typed`--order ''`, '--order is empty.'],
  [typed`--columns nmae`, /"nmae" is not a column\..*name, status.*Try: --columns name/s],
  [typed`--time-zone Europe/Madird`, /--time-zone.*Europe\/Madird/],
  [typed`--created-from 2026-02-30`, /--created-from: "2026-02-30".*Try:.*7d/s],
  [typed`--created-from tomorrowish`, '--created-from: "tomorrowish" is not a date'],
  [typed`--created-from today --created-to yesterday`, /--created-from .* later than --created-to/],
  [typed`--limit 0`, '--limit: "0"'],
  [typed`--limit many`, '--limit: "many"'],
  [typed`--page -1`, '--page: "-1"'],
  [typed`--limit 501 --page 1`, '--limit 501: a page holds 500'],
  [typed`--all --limit 5`, '--limit'],
  [typed`-o xml`, /xml.*table, json, ndjson, csv, yaml/s],
  [typed`--jq .returns[ --limit 1`, 'jq'],
  [typed`--timeout soon`, '--timeout'],
  [typed`--retries -2`, '--retries'],
  [['extra'], 'extra'],
])('returns list %j is refused before anything is sent', async (flags, message) => {
  const { stdout } = expectEnd(
    await run(typed`returns list ${flags}`, {
      env: { RMA_BASE_URL: 'http://127.0.0.1:9' },
    }),
    2,
    [message],
  )
  expect(stdout).toBe('')
})

it.each(['PENDIGN', 'on-hold'])(
  'the unknown status %s is sent as it was typed, with one warning',
  async (status) => {
    const server = await scriptServer([{ body: pageOf([]) }])
    const { stderr } = succeeded(
      await run(typed`returns list --status ${status} --json`, {
        env: { RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'a.b.c' },
      }),
    )
    expect(server.requests.map(({ query }) => query.get('status'))).toEqual([status])
    const guess = status === 'PENDIGN' ? ' Did you mean PENDING\\?' : ''
    expect(stderr).toMatch(
      new RegExp(
        `^Warning: --status: "${status}" is not a status .* as it is\\.${guess} Known: PENDING, [^\n]*\n$`,
      ),
    )
  },
)

it('the sandbox refuses an unknown status', async () => {
  expectEnd(await run`returns list --status on-hold`, 6, /VA01.*status: on-hold is not one of PENDING/s)
})

it('a skipped time of day causes a warning', async () => {
  expectEnd(await run`returns list --created-from 2026-03-29T02:30 --time-zone Europe/Madrid`, 0, [
    'Warning: --created-from: 2026-03-29T02:30:00 does not exist in Europe/Madrid',
  ])
})

it('a token for two shops lists both', async () => {
  const shops = valuesOf(platform.sandbox.shops().slice(0, 2), 'code')
  const codes = valuesOf(
    jsonOf(
      await run(typed`returns list --all --json`, {
        env: { RMA_TOKEN: platform.sandbox.issueToken({ shops }) },
      }),
    ).returns as DemoReturn[],
    'shopCode',
  )
  expect([...new Set(codes)].sort()).toEqual([...shops].sort())
})

it('a shop outside the token is refused by the service, with a warning that names its own', async () => {
  const [mine = '', other = ''] = valuesOf(platform.sandbox.shops(), 'code')
  const env = { RMA_TOKEN: platform.sandbox.issueToken({ shops: [mine] }) }
  const list = (shop: string) => run(typed`returns list --shop ${shop}`, { env })
  const covers = `Warning: The token covers ${mine}, and not the shop`
  expectEnd(await list(other), 6, [`${covers} ${other} (--shop)\n`, 'SC02'])
  const lower = mine.toLowerCase()
  expectEnd(await list(lower), 6, [`${covers} ${lower} (--shop); did you mean ${mine}?\n`])
  expectEnd(await list(mine), 0, expect.not.stringContaining('Warning'))
})

it.each([
  ['missing', '', /no token.*Try:.*RMA_TOKEN/s],
  ['of two lines', 'abc\ndef', 'line break'],
  ['refused', 'abc.def.ghi', 'Try:'],
])('returns list is exit 4 with a token that is %s', async (_what, token, message) => {
  expectEnd(await run(typed`returns list`, { env: { RMA_TOKEN: token } }), 4, [message])
})

it('a token about to expire causes a warning with the result', async () => {
  const token = platform.sandbox.issueToken({ lifetimeSeconds: 20 * 3600 })
  expectEnd(
    await run(typed`returns list --limit 1`, {
      env: { RMA_TOKEN: token },
      now: Date.parse('2026-11-21T07:00:00Z'),
    }),
    0,
    ['Warning: The token expires in 60 min'],
  )
})
