import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { usePlatform } from '../../helpers/platform.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/stats.ts'

const platform = usePlatform({ returns: 60 })
let env: Record<string, string>
beforeAll(async () => {
  env = platform.env()
  succeeded(await platform.run(typed`mirror sync --yes --with transports,refunds`, { env }))
})

it('counts in every format, and draws bars and a line on a terminal', async () => {
  const { stats } = jsonOf(succeeded(await platform.run(typed`returns stats --json`, { env })))
  expect(stats[0]).toMatchObject({
    by: 'all',
    key: 'all',
    returns: 60,
    share: 100,
    requestToRefund: { count: expect.any(Number), p50: expect.any(Number), p95: expect.any(Number) },
    dropOffToArrival: { count: expect.any(Number) },
  })
  expect([...new Set(stats.map(({ by }: { by: string }) => by))]).toEqual(
    expect.arrayContaining(['all', 'status', 'reason', 'method', 'carrier', 'country', 'shop', 'week']),
  )
  const csv = await platform.run(typed`returns stats --offline -o csv --by shop --columns by,key,returns`, {
    env,
  })
  expect(csv.stdout).toMatch(/^by,key,returns\r\nall,all,60\r\nshop,[A-Z-]+,\d+\r\n/)
  const seen = await platform.run(typed`returns stats --offline --by status,week`, {
    env,
    columns: 80,
  })
  expect(seen.stdout).toMatch(/^Returns +60\nFrom request to refund +half within/)
  expect(seen.stdout).toMatch(
    /By status\n {2}STATUS +RETURNS +SHARE +TO REFUND +TO ARRIVE\n {2}closed +\d+ +[\d.]+ % {2}█{8} /,
  )
  expect(seen.stdout).toMatch(/\n {2}received, not checked {2}/)
  expect(seen.stdout).not.toMatch(/ \d+ % {2}/)
  expect(seen.stdout).toMatch(/Returns by week\n {2} *\d+ ┤.*[╭─]/)
  expect(Math.max(...seen.stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
})

it('counts what is asked for, and says what it can be counted by', async () => {
  const none = await platform.run(typed`returns stats --offline --created-to 2001-01-01 --json`, {
    env,
  })
  expect(jsonOf(none)).toEqual({ stats: [{ by: 'all', key: 'all', returns: 0, share: 0 }] })
  const wrong = await platform.run(typed`returns stats --by carier`, { env })
  expectEnd(wrong, 2, ['--by carrier'])
})

it('writes a page of charts and then their tables, which loads and runs nothing', async () => {
  const file = join(env.HOME ?? '', 'stats.html')
  expectEnd(
    await platform.run(typed`returns stats --html ${file} -o csv`, { env }),
    0,
    `Numbers of 60 returns in ${file}\n`,
  )
  const page = readFileSync(file, 'utf8')
  expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; img-src data:/)
  expect(page).not.toMatch(/<script|<style.*<style|<[^>]* (?:src|on\w+|style)=|https?:/s)
  const count = (what: RegExp) => page.match(what)?.length
  // Charts over time are drawn twice, for wide and for narrow screens.
  expect([count(/<svg /g), count(/<table>/g)]).toEqual([8, 7])
  expect(page.lastIndexOf('<svg ')).toBeLessThan(page.indexOf('<dt>Returns'))
})
