import { join } from 'node:path'
import Libsql from 'libsql'
import { beforeAll, expect, it } from 'vitest'
import { asTyped, ended, expectEnd, type Home, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { listDated } from '../../helpers/dated-returns.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { mirrorHome } from '../../helpers/mirror-home.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { homeAt, type RunOptions, runCli } from '../../helpers/run-cli.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/mirror/status.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/reconcile.ts'
import '../../../src/commands/returns/stats.ts'
import '../../../src/commands/returns/stuck.ts'
import '../../../src/commands/search.ts'
import '../../../src/commands/tracking/push.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

const platform = usePlatform({ returns: 60 })
let env: Home
beforeAll(async () => {
  env = platform.env()
  succeeded(await platform.run(typed`mirror sync --yes --with transports,refunds`, { env }))
})

it('stats are printed in every format, with bars and a line on a terminal', async () => {
  const { stats } = jsonOf(succeeded(await platform.run(typed`returns stats --json`, { env })))
  expect(stats[0]).toMatchObject({
    by: 'all',
    key: 'all',
    returns: 60,
    share: 100,
    requestToRefund: { count: expect.any(Number), p50: expect.any(Number), p95: expect.any(Number) },
    dropOffToArrival: { count: expect.any(Number) },
  })
  expect([...new Set(valuesOf(stats, 'by'))]).toEqual(
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

it('stats count only the requested dimensions, and an unknown one lists all', async () => {
  const none = await platform.run(typed`returns stats --offline --created-to 2001-01-01 --json`, {
    env,
  })
  expect(jsonOf(none)).toEqual({ stats: [{ by: 'all', key: 'all', returns: 0, share: 0 }], unread: 0 })
  const wrong = await platform.run(typed`returns stats --by carier`, { env })
  expectEnd(wrong, 2, ['--by carrier'])
})

it('--html writes charts and tables, and loads and runs nothing', async () => {
  const file = join(env.HOME, 'stats.html')
  expectEnd(
    await platform.run(typed`returns stats --html ${file} -o csv`, { env }),
    0,
    `Numbers of 60 returns in ${file}\n`,
  )
  const page = textFile(file)
  expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; img-src data:/)
  expect(page).not.toMatch(/<script|<style.*<style|<[^>]* (?:src|on\w+|style)=|https?:/s)
  const count = (what: RegExp) => page.match(what)?.length
  // Charts over time are drawn twice, for wide and for narrow screens.
  expect([count(/<svg /g), count(/<table>/g)]).toEqual([8, 7])
  expect(page.lastIndexOf('<svg ')).toBeLessThan(page.indexOf('<dt>Returns'))
})

/** Platforms tell the time of the machine that the tests run on. */
const NOW = Date.now()
const dayBefore = (days: number) => new Date(NOW - days * 86_400_000).toISOString().slice(0, 10)
const createdOn = (date: Date, id: number) => {
  const createdAt = `${date.toISOString().slice(0, 19).replace('T', ' ')}Z`
  return { id: `${id}`, name: `R#-${id}`, shopCode: 'S', createdAt, updatedAt: createdAt }
}

it('says that a first copy was stopped where nothing goes on with it', async () => {
  const returns = times(300, (id) => createdOn(new Date(NOW - (id + 1) * 3_600_000), id))
  let pages = 0
  const server = await scriptServer((request) => {
    if (request.query.get('limit') === '200') pages += 1
    return pages > 1 ? { status: 500 } : listDated(returns, request)
  })
  const run = asTyped((argv) => runCli(argv, { env: home, now: NOW }))
  const home = homeAt(server.baseUrl)
  ended(await run`mirror sync --yes --with none --retries 0`, 7)
  const { stats } = jsonOf(succeeded(await run`returns stats --offline --json`))
  expect(stats[0]).toMatchObject({ returns: 200 })
  for (const command of ['returns stats', 'returns reconcile', 'search 299']) {
    const { stderr } = succeeded(await run`${command.split(' ')} --offline`)
    const said =
      'Warning: What follows is not of all returns: the copy of all returns stopped at 200 of 300; rma mirror sync goes'
    expect(stderr, command).toContain(said)
  }
})

it('says which returns are too old for the mirror, and of when the numbers are', async () => {
  const days = [1, 2, 500, 600].map((age, id) => createdOn(new Date(NOW - age * 86_400_000), id))
  const server = await scriptServer((request) =>
    request.path === '/returns' ? listDated(days, request) : { status: 404 },
  )
  const home = homeAt(server.baseUrl)
  const run = asTyped((argv, more: RunOptions = {}) => runCli(argv, { env: home, now: NOW, ...more }))
  const synced = jsonOf(succeeded(await run`mirror sync --yes --with transports,refunds --json`))
  const notKept = { returns: 2, createdBefore: `${dayBefore(400)}T00:00:00.000Z` }
  expect(synced).toMatchObject({ held: 2, platformTotal: 2, isComplete: true, notKept })
  const said = `Not kept in the mirror: 2 returns created before ${dayBefore(400)}\n`
  const wanted = typed`returns stats --offline --created-from`
  expectEnd(await run([...wanted, dayBefore(550)]), 0, said)
  expectEnd(await run([...wanted, dayBefore(10)]), 0, '')
  expectEnd(await run`returns stats --offline`, 0, '')
  expectEnd(await run`search xyzzy --offline`, 0, [said.trim(), 'No returns match'])
  expectEnd(await run(typed`returns stats --offline`, { columns: 80 }), 0, [said.trim()])
  const file = join(home.HOME, 'old.html')
  const later = { now: NOW + 3 * 86_400_000 }
  succeeded(await run(typed`returns stats --offline --time-zone UTC --html ${file}`, later))
  expect(textFile(file)).toContain(`As of ${dayBefore(0)} `)
})

it('stats of a first copy that was never compared say so, and are dated by the copy', async () => {
  const { run, file } = await mirrorHome()
  succeeded(await run`mirror sync --yes --with none`)
  const db = new Libsql(file())
  db.exec("update sync_state set value = json_set(value, '$.syncedMs', null, '$.markMs', 1767225600000)")
  db.close()
  const page = join(newFolder(), 'stats.html')
  expectEnd(await run`returns stats --offline --html ${page} --time-zone UTC`, 0, [
    'What follows was never compared with the platform; rma mirror sync does it.',
  ])
  expect(textFile(page)).toContain('As of 2026-01-01 00:00')
})

it('stats tell in JSON and on the page of how many returns the refunds were not copied', async () => {
  const { run } = await mirrorHome()
  succeeded(await run`mirror sync --yes --with none`)
  const page = join(newFolder(), 'stats.html')
  expect(jsonOf(await run`returns stats --offline --html ${page} --json`)).toMatchObject({ unread: 60 })
  expect(textFile(page)).toContain('; refunds of 60 returns were not copied</p>')
})

it('analyses that can not reach the platform offer the copy with its age, and tracking push does not', async () => {
  let isDown = false
  const server = await scriptServer((request) =>
    isDown ? { status: 503 } : listDated([createdOn(new Date(NOW - 86_400_000), 1)], request),
  )
  const home = homeAt(server.baseUrl, { RMA_RETRIES: '0' })
  const run = (argv: string[], more: RunOptions = {}) => runCli(argv, { env: home, now: NOW, ...more })
  succeeded(await run(typed`mirror sync --yes --with none`))
  isDown = true
  const later = { now: NOW + 5 * 60_000 }
  for (const what of ['stats', 'stuck', 'reconcile']) {
    expectEnd(await run(typed`returns ${what}`, later), 7, ['--offline answers from the copy, 5 min old'])
    succeeded(await run(typed`returns ${what} --offline`, later))
  }
  const push = typed`tracking push --file - --by tracking-number --yes`
  const pushed = await run(push, { ...later, stdin: 'trackingNumber,trackingStatus\nX1,PICK_UP_COMPLETED\n' })
  expect(ended(pushed, 7).stderr).not.toContain('--offline')
})
