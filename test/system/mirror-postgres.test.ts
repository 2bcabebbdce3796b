import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openMirror } from '../../src/lib/mirror/store/open.ts'
import { asTyped, type Env, ended, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { fixture } from '../helpers/fixture.ts'
import { expectMeasured } from '../helpers/measured.ts'
import { PASSWORD, type PostgresTestServer, startPostgres } from '../helpers/postgres-server.ts'
import { freshHome } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'

/* A team's mirror: the built command on a real PostgreSQL, filled from a sandbox that stands for the platform. */

/** Three pages of the copy. */
const RETURNS = 450

let server: PostgresTestServer
let platform: Awaited<ReturnType<typeof startSandbox>>
let env: Env
let databases = 0
/** Database that a whole copy has filled, with what its sync printed. */
let filled: Promise<{ name: string; report: Record<string, unknown> }> | undefined

beforeAll(async () => {
  server = await startPostgres()
  platform = await startSandbox(freshHome(), '--returns', `${RETURNS}`)
  env = { RMA_BASE_URL: platform.baseUrl, RMA_TOKEN: platform.token, PGPASSWORD: PASSWORD }
})

afterAll(async () => {
  await platform.stop()
  await server.stop()
})

/** @param template database to copy */
async function newDatabase(template = 'template1') {
  databases += 1
  await server.query('postgres', `create database mirror${databases} template ${template}`)
  return `mirror${databases}`
}

function filledDatabase() {
  filled ??= (async () => {
    const name = await newDatabase()
    const first = await rma`mirror sync --yes --database ${server.url + name} --json`
    return { name, report: jsonOf(succeeded(first)) }
  })()
  return filled
}

const databaseAt = (name: string) => ({ name, database: ['--database', server.url + name] })
const copiedDatabase = async () => newDatabase((await filledDatabase()).name)

const rma = asTyped((argv, more: Env = {}) => spawnCli(argv, { env: spawnEnv({ ...env, ...more }) }))

it('a mirror in PostgreSQL holds the same data, in tables with plain columns', async () => {
  const empty = await newDatabase()
  ended(await rma`mirror sync --database ${server.url + empty}`, 2)
  const { name, report } = await filledDatabase()
  const database = ['--database', server.url + name]
  expect(report).toMatchObject({
    added: RETURNS,
    held: RETURNS,
    platformTotal: RETURNS,
    isComplete: true,
  })
  const listed = jsonOf(await rma`returns list --all --time-zone UTC --json`)
  const rows = await server.query(
    name,
    `select name, customer_email, amount_requested::text, created_at::timestamptz at time zone 'UTC' from returns order by id`,
  )
  const expected = listed.returns
    .sort((one: { id: string }, other: { id: string }) => Number(one.id) - Number(other.id))
    .map((one: Record<string, never> & { customer: { email: string }; createdAt: string }) =>
      [one.name, one.customer.email, one.totalReturnAmount, one.createdAt.replace('Z', '')].join('|'),
    )
  expect(rows).toEqual(expected)
  const items = listed.returns.flatMap((one: { returnLineItems: unknown[] }) => one.returnLineItems).length
  expect(await server.query(name, 'select count(*) from return_items')).toEqual([`${items}`])
  const [detailed, events, refunds] = await server.query(
    name,
    `select count(has_transports) from returns union all select count(*) from tracking_events
        union all select count(*) from refunds where amount is not null`,
  )
  expect([detailed, events, refunds].map(Number).every((count) => count > 0)).toBe(true)
  const status = jsonOf(await rma`mirror status ${database} --json`)
  expect(status).toMatchObject({ returns: RETURNS, isComplete: true, bytes: expect.any(Number) })
  expect(status.bytes).toBeGreaterThan(1_000_000)
})

it('measures in PostgreSQL agree with the documents', async () => {
  const { name } = await filledDatabase()
  const { hostname: host, port, username: user } = new URL(server.url)
  const place = { host, port: Number(port), user, password: PASSWORD, database: name }
  const mirror = await openMirror({ server: { ...place, schema: undefined, isLocal: true } })
  onTestFinished(() => mirror.db.destroy())
  const now = Date.now() + 30 * 86_400_000
  expect(await expectMeasured(mirror, now)).toMatchObject({ returns: RETURNS })
  const filter = { status: 'CLOSED', createdFromMs: Date.now() - 60 * 86_400_000 }
  expect((await expectMeasured(mirror, now, filter)).returns).toBeGreaterThan(10)
})

it('simultaneous syncs to PostgreSQL run one after another', async () => {
  const name = await newDatabase()
  const url = server.url + name
  const argv = typed`mirror sync --yes --with none --json`
  const runs = await Promise.all([1, 2, 3].map(() => rma(argv, { RMA_DATABASE: url })))
  for (const { code, stderr } of runs) expect([code, stderr]).toEqual([0, expect.any(String)])
  const reports = runs.map(({ stdout }) => JSON.parse(stdout))
  expect(reports.map(({ added }) => added).sort()).toEqual([0, 0, RETURNS])
  expect(reports.every(({ held, isComplete }) => held === RETURNS && isComplete)).toBe(true)
  expect(await server.query(name, 'select count(*), count(distinct id) from returns')).toEqual([
    `${RETURNS}|${RETURNS}`,
  ])
})

it('a person is forgotten in PostgreSQL, also in a separate schema', async () => {
  // Another team's in the same database is not a part of it.
  const name = await copiedDatabase()
  const RMA_DATABASE = `${server.url}${name}?schema=team`
  await rma(typed`mirror sync --yes --with none`, { RMA_DATABASE })
  const [email = ''] = await server.query(name, 'select customer_email from team.returns order by id limit 1')
  const { stdout } = await rma(typed`mirror forget --email ${email}`, { RMA_DATABASE })
  expect(stdout).toMatch(/^Returns removed +[1-9]/)
  expect(stdout).toMatch('write-ahead log, replicas and dumps')
  const again = jsonOf(await rma(typed`mirror sync --full --json`, { RMA_DATABASE }))
  expect(again).toMatchObject({ isComplete: true, platformTotal: RETURNS })
  const holding = (schema: string) =>
    server.query(name, `select count(*) > 0 from ${schema}.returns where document like '%${email}%'`)
  expect([await holding('team'), await holding('public')]).toEqual([['f'], ['t']])
})

it('a sync to PostgreSQL tells whose returns a database holds, what it refuses, and that it is newer', async () => {
  const { name, database } = databaseAt(await copiedDatabase())
  const other = await rma`mirror sync --shop LUMBRE ${database}`
  expectEnd(other, 2, /holds the returns of http:.*, not of/)
  const wrong = await rma(typed`mirror status ${database}`, { PGPASSWORD: 'wrong' })
  expectEnd(wrong, 3, /refuses: password.*\nTry: .*PGPASSWORD/)
  expect(wrong.stderr).not.toContain(PASSWORD)
  const missing = await rma`mirror status --database ${server.url}nowhere`
  expectEnd(missing, 3, /refuses: database "nowhere" does not exist.*\nTry: check the names of database/)
  await server.query(name, `update meta set value = '99' where name = 'schema'`)
  const newer = await rma`mirror sync ${database}`
  expectEnd(newer, 3, ['another version of rma'])
})

it('a sync that loses its connections to PostgreSQL is exit 7, and the next one goes on', async () => {
  const name = await newDatabase()
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and application_name = 'rma'`
  let isOver = false
  const syncing = rma`mirror sync --yes --database ${server.url + name}`.finally(() => (isOver = true))
  // A connection that is idle is replaced unnoticed.
  while (!isOver) await server.query(name, end)
  expectEnd(await syncing, 7, ["can't be reached"])
  succeeded(await rma`mirror sync --yes --with none --database ${server.url + name}`)
})

it('mirror forget --all leaves the tables of a sync that is running', async () => {
  const { name, database } = databaseAt(await newDatabase())
  const syncing = rma`mirror sync --yes ${database}`
  const locks = `select 1 from pg_locks l join pg_database d on d.oid = l.database where locktype = 'advisory' and datname = '${name}'`
  await expect.poll(() => server.query(name, locks)).not.toEqual([])
  expectEnd(await rma`mirror forget --all --yes ${database}`, 2, ['worked on by another process'])
  succeeded(await syncing)
})

it('PostgreSQL tables of an earlier version are refused until they are removed', async () => {
  const { name, database } = databaseAt(await copiedDatabase())
  await server.query(name, `update meta set value = '1' where name = 'schema'`)
  const earlier = await rma`mirror sync ${database}`
  expectEnd(earlier, 3, /made by another version of rma.*rma mirror forget --all/s)
  expect(await server.query(name, 'select count(*) from returns')).toEqual([String(RETURNS)])
  expect(succeeded(await rma`mirror forget --all --yes ${database}`).stdout).toEqual(
    expect.stringMatching(new RegExp(`^Returns removed +${RETURNS}\n`)),
  )
  succeeded(await rma`mirror sync --yes --with none ${database}`)
})

it('sync and forget --all leave tables of another application alone', async () => {
  const { name, database } = databaseAt(await newDatabase())
  await server.query(
    name,
    `create table returns (id int); create table refunds (id int); create table meta (name text, value text);
     insert into meta values ('schema', '7')`,
  )
  const refusal = /table \w+ that rma did not make.\nTry: .*\?schema=NAME/
  expectEnd(await rma`mirror sync --yes ${database}`, 2, refusal)
  expectEnd(await rma`mirror forget --all --yes ${database}`, 2, refusal)
  await server.query(name, 'drop table meta')
  expectEnd(await rma`mirror forget --all --yes ${database}`, 2, refusal)
  expect(await server.query(name, 'select count(*) from returns, refunds')).toEqual(['0'])
})

it('mirror forget --all removes no mirror of another platform, and no table that a view uses', async () => {
  const { name, database } = databaseAt(await copiedDatabase())
  const elsewhere = await spawnCli(typed`mirror forget --all ${database}`, {
    env: spawnEnv({ PGPASSWORD: PASSWORD }),
  })
  expectEnd(elsewhere, 2, /holds the returns of http.*, not of sandbox/)
  await server.query(name, 'create view daily as select created_at from returns')
  const used = await rma`mirror forget --all --yes ${database}`
  expectEnd(used, 3, /view daily depends on table returns.*\nTry: drop what depends on the mirror first/)
  expect(await server.query(name, 'select count(*) from daily')).toEqual([`${RETURNS}`])
})

it('forget and status without a mirror in PostgreSQL are exit 5 and make no tables', async () => {
  const name = await newDatabase()
  for (const words of [typed`forget --email a@b.example`, typed`forget --all`, ['status']]) {
    const missing = await rma`mirror ${words} --database ${server.url + name}`
    expectEnd(missing, 5, /no mirror.*\nTry: rma mirror sync --database postgres:/)
    const elsewhere = await rma`mirror ${words} --database ${`${server.url}${name}?schema=none`}`
    expectEnd(elsewhere, 5, /no mirror/)
  }
  expect(await server.query(name, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
  await server.query(
    name,
    `create role guest login password '${PASSWORD}'; create schema hidden; create view meta as select 1 as n`,
  )
  const hidden = `${server.url.replace('rma@', 'guest@')}${name}?schema=hidden`
  expectEnd(await rma`mirror forget --all --yes --database ${hidden}`, 3, ['not use the schema hidden'])
  const view = await rma`mirror sync --yes --database ${server.url + name}`
  expectEnd(view, 2, ['has a table meta that rma did not make'])
})

it('forgetting in PostgreSQL ends with 7 while others keep rows in the files, and locks no other table', async () => {
  const name = await copiedDatabase()
  const RMA_DATABASE = server.url + name
  await server.query(name, 'create table sales (id int)')
  const forget = async () => {
    const [email = ''] = await server.query(name, 'select customer_email from returns order by id limit 1')
    return rma(typed`mirror forget --email ${email} --json`, { RMA_DATABASE })
  }
  const other = new pg.Client(RMA_DATABASE.replace('@', `:${encodeURIComponent(PASSWORD)}@`))
  await other.connect()
  onTestFinished(() => other.end())
  const still = 'Removed, but another process still reads what was there.'
  await other.query('begin; lock table sales in share mode')
  succeeded(await forget())
  // A transaction with a snapshot may look at removed rows, whatever it has read so far.
  await other.query('rollback; begin isolation level repeatable read; select * from sales')
  expectEnd(await forget(), 7, [still])
  await other.query('rollback; begin; lock table search_words in access share mode')
  expectEnd(await forget(), 7, [still])
  await other.query('rollback; begin isolation level repeatable read; select * from sales')
  const leaveOut = () => rma`mirror sync --without customer.phone --database ${RMA_DATABASE}`
  expectEnd(await leaveOut(), 7, [still])
  await other.query('rollback')
  const bytes = () => server.query(name, `select pg_relation_size('returns')`)
  const [before] = await bytes()
  succeeded(await leaveOut())
  expect(Number((await bytes())[0])).toBeLessThan(Number(before))
})

it('a user who owns neither database nor tables forgets nobody for good, and is told who can', async () => {
  const name = await copiedDatabase()
  const clerk = server.url.replace('rma@', 'clerk@') + name
  await server.query(
    name,
    `create role clerk login password '${PASSWORD}'; grant all on all tables in schema public to clerk;
     create schema "Big" authorization clerk`,
  )
  const [email = ''] = await server.query(name, 'select customer_email from returns order by id limit 1')
  const forgotten = await rma`mirror forget --email ${email} --database ${clerk}`
  expectEnd(forgotten, 7, /Removed, but only rma can clear.*\nTry: run it again as rma/)
  succeeded(await rma`mirror forget --email ${email} --database ${server.url + name}`)
  // The schema is there: the right to make one is not needed.
  succeeded(await rma`mirror sync --yes --with none --database ${`${clerk}?schema=Big`}`)
  expect(await server.query(name, 'select count(*) from "Big".returns')).toEqual([`${RETURNS}`])
})

it('what a platform without dates deleted leaves a database that sorts by language', async () => {
  const returns = ['R#-1', 'R#-2', 'R#-3'].map((name, at) => ({
    ...fixture('wire/return.full.json'),
    ...{ id: `${at}`, name, createdAt: `2026-03-0${at + 1} 10:00:00Z` },
  }))
  const { baseUrl } = await scriptServer(() => ({ body: pageOf(returns) }))
  const sync = () =>
    rma(typed`mirror sync --yes --with none --full --json --database ${server.url + name}`, {
      RMA_BASE_URL: baseUrl,
    })
  const name = await newDatabase()
  expect(jsonOf(succeeded(await sync()))).toMatchObject({ held: 3, isComplete: true })
  returns.pop()
  expect(jsonOf(succeeded(await sync()))).toMatchObject({ held: 2, removed: 1, platformTotal: 2 })
})
