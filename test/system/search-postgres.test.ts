import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { searchReturns } from '../../src/lib/mirror/search/search.ts'
import { applyReturns } from '../../src/lib/mirror/store/apply.ts'
import { forgetPerson } from '../../src/lib/mirror/store/forget.ts'
import type { MirrorStore } from '../../src/lib/mirror/store/open.ts'
import { openMirror } from '../../src/lib/mirror/store/open.ts'
import { openPostgres } from '../../src/lib/mirror/store/postgres.ts'
import type { Return } from '../../src/lib/wire/returns.ts'
import { PASSWORD, type PostgresTestServer, startPostgres } from '../helpers/postgres-server.ts'
import { testSandbox } from '../helpers/sandbox-client.ts'
import { wrongAnswers } from '../helpers/support-questions.ts'

let server: PostgresTestServer
let mirror: MirrorStore
const { allReturns } = await testSandbox({ returns: 1200 })
const returns = await allReturns()

beforeAll(async () => {
  server = await startPostgres()
  await server.query('postgres', 'create database search')
  mirror = await openMirror({ server: address() })
  await apply(returns)
})

afterAll(async () => {
  await mirror.db.destroy()
  await server.stop()
})

const address = () => ({
  host: '127.0.0.1',
  port: Number(new URL(server.url).port),
  user: 'rma',
  password: PASSWORD,
  database: 'search',
  schema: undefined,
  isLocal: true,
})

const apply = (records: readonly Return[]) =>
  applyReturns(
    mirror.db,
    records.map((record) => ({ record, syncedAt: '2026-04-15T12:00:00.000Z' })),
  )

it('finds what a support desk asks for, in PostgreSQL', async () => {
  const { asked, wrong } = await wrongAnswers(mirror)
  expect(asked).toBe(100)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(3)
})

it('PostgreSQL does not compile queries, which takes longer than running them', async () => {
  const db = await openPostgres(address())
  onTestFinished(() => db.destroy())
  const { rows } = await sql`show jit`.execute(db)
  expect(await server.query('search', 'show jit')).toEqual(['on'])
  expect(rows).toEqual([{ jit: 'off' }])
})

it('a search in PostgreSQL filters, follows changes, and keeps no word of a forgotten person', async () => {
  const names = async (text: string, filter = {}) =>
    (await searchReturns(mirror.db, { text, filter, limit: 1000 })).map(({ record }) => record.name)
  const closed = returns.filter(({ status }) => status === 'CLOSED').length
  expect(await names('example', { status: 'CLOSED' })).toHaveLength(Math.min(closed, 1000))
  const [first] = returns
  if (!first) throw new Error('no returns')
  await apply([{ ...first, customer: { ...first.customer, fullName: 'Zenobia Quixote' } }])
  expect(await names('zenobai quixote')).toEqual([first.name])
  await forgetPerson(mirror, `${first.customer?.email}`)
  expect(await names('quixote')).toEqual([])
  expect(
    await server.query('search', `select word from search_words where word in ('zenobia', 'quixote')`),
  ).toEqual([])
})

it('takes whatever is typed', async () => {
  for (const text of [`"*' AND OR NEAR( & | ! :* <->`, '\\', "''", '<', 'a\u0000b', '\ud800', '%_']) {
    expect(await searchReturns(mirror.db, { text, limit: 5 }), text).toEqual(expect.any(Array))
  }
})
