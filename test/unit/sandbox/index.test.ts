import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSandbox } from '../../../src/lib/sandbox/index.ts'
import { connect } from '../../../src/lib/sandbox/store/open.ts'
import { expectPrivate, newFolder } from '../../helpers/files.ts'
import { expectRejection, failureOf } from '../../helpers/rejections.ts'
import { clientOf, NOW, testSandbox } from '../../helpers/sandbox-client.ts'

const folder = newFolder()
const fileNamed = (name: string) => join(folder, name)
const clock = { now: () => NOW }

/** Claims of a token. */
function decodeJwt(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}

test('a data file is filled once, in a new folder, readable by its owner only', async () => {
  const file = fileNamed('new/folder/sandbox.db')
  const progress: [number, number][] = []
  const open = (returns: number) =>
    openSandbox({ file, returns, clock, onSeeding: (done, total) => progress.push([done, total]) })
  const first = await open(60)
  const before = (await clientOf(first).request('/returns')).body
  const token = first.issueToken()
  first.close()
  expect(progress[0]).toEqual([0, 60])
  expect(progress.at(-1)).toEqual([60, 60])
  expectPrivate(file)

  progress.length = 0
  const second = await open(70)
  expect((await clientOf(second).request('/returns')).body).toEqual(before)
  const headers = { authorization: `Bearer ${token}` }
  expect((await clientOf(second).request('/returns', { headers })).status).toBe(200)
  second.close()
  expect(progress).toEqual([])
})

test('each sandbox has its own secret', async () => {
  const [one, two] = await Promise.all([testSandbox({ returns: 5 }), testSandbox({ returns: 5 })])
  const headers = { authorization: `Bearer ${one.sandbox.issueToken()}` }
  expect((await two.request('/returns', { headers })).body.errors[0].code).toBe('AU02')
})

test('a data file of an earlier version is made anew with one note, and its tokens stay valid', async () => {
  const file = fileNamed('earlier.db')
  const first = await testSandbox({ file, returns: 5 })
  const headers = { authorization: `Bearer ${first.sandbox.issueToken()}` }
  first.sandbox.close()
  const db = await connect(file)
  db.exec('ALTER TABLE returns DROP COLUMN doc; CREATE TABLE return_columns (first); PRAGMA user_version = 6')
  db.close()
  const notes: string[] = []
  const onNote = (text: string) => notes.push(text)
  const second = await testSandbox({ file, returns: 30, onNote })
  expect((await second.request('/returns', { headers })).body.pageInfo.totalRecords).toBe(30)
  second.sandbox.close()
  const third = await testSandbox({ file, onNote })
  expect((await third.request('/returns')).body.pageInfo.totalRecords).toBe(30)
  third.sandbox.close()
  expect(notes).toEqual([
    `${file} is of an earlier version: its data are made anew, changes made to them are gone`,
  ])
})

test.each([
  ['text', (file: string) => writeFileSync(file, 'not a database, '.repeat(100))],
  ['a folder', (file: string) => mkdirSync(file)],
  [
    'another program’s database',
    async (file: string) => {
      const db = await connect(file)
      db.exec('CREATE TABLE recipes (name TEXT)')
      db.close()
    },
  ],
  [
    'data of a later version',
    async (file: string) => {
      const { sandbox } = await testSandbox({ file, returns: 5 })
      sandbox.close()
      const db = await connect(file)
      db.exec('PRAGMA user_version = 99')
      db.close()
    },
  ],
])('a data file that is %s is refused by name and left unchanged', async (name, make) => {
  const file = fileNamed(`bad ${name}`)
  await make(file)
  const size = statSync(file).size
  const error = await failureOf(openSandbox({ file, clock }))
  expect(error.kind).toBe('config')
  expect(error.message).toContain(file)
  expect(error.hints).not.toEqual([])
  expect(statSync(file).size).toBe(size)
})

test.each([{ returns: -1 }, { returns: 1.5 }, { returns: 5_000_001 }, { seed: -1 }, { seed: Number.NaN }])(
  'no data file is created with %o',
  async (options) => {
    await expectRejection(openSandbox({ file: ':memory:', ...options }), 'usage')
  },
)

test('tokens have the requested claims', async () => {
  const { sandbox } = await testSandbox({ returns: 5 })
  const codes = sandbox.shops().map(({ code }) => code)
  const iat = NOW / 1000
  expect(codes).toHaveLength(5)
  expect(decodeJwt(sandbox.issueToken())).toEqual({
    iss: 'rma-sandbox',
    sub: 'sandbox-user',
    shops: codes,
    iat,
    exp: iat + 30 * 86_400,
  })
  const shops = [codes[1] ?? '']
  expect(decodeJwt(sandbox.issueToken({ shops, lifetimeSeconds: 60, subject: 'me' }))).toEqual({
    iss: 'rma-sandbox',
    sub: 'me',
    shops,
    iat,
    exp: iat + 60,
  })
  expect(() => sandbox.issueToken({ shops: ['NOWHERE'] })).toThrow('no shop NOWHERE')
})

test.each([':memory:', fileNamed('reset.db')])(
  'a reset replaces the data and keeps tokens valid (%s)',
  async (file) => {
    const { sandbox, request } = await testSandbox({ file, returns: 40 })
    const before = (await request('/returns')).body
    await sandbox.reset({ seed: 9, returns: 30 })
    const after = (await request('/returns')).body
    expect(after.pageInfo.totalRecords).toBe(30)
    expect(after.returns[0]).not.toEqual(before.returns[0])
    await sandbox.reset({ returns: 40 })
    expect((await request('/returns')).body).toEqual(before)
    sandbox.close()
  },
)

test('a reset is seen by others that have the file open', async () => {
  const file = fileNamed('shared.db')
  const one = await testSandbox({ file, returns: 40 })
  const two = await testSandbox({ file })
  expect((await two.request('/returns?limit=1')).body.pageInfo.totalRecords).toBe(40)
  await one.sandbox.reset({ returns: 25 })
  expect((await two.request('/returns?limit=1')).body.pageInfo.totalRecords).toBe(25)
  expect((await two.request('/returns?limit=1&page=2')).status).toBe(200)
  one.sandbox.close()
  two.sandbox.close()
})

test('requests during a reset are answered from the old data', async () => {
  const { sandbox, request } = await testSandbox({ file: fileNamed('busy.db'), returns: 40 })
  const reset = sandbox.reset({ returns: 6000 })
  const seen = new Set<number>()
  for (let i = 0; i < 20; i++) seen.add((await request('/returns?limit=1')).body.pageInfo.totalRecords)
  expect(seen).toContain(40)
  await reset
  expect((await request('/returns?limit=1')).body.pageInfo.totalRecords).toBe(6000)
  seen.delete(6000)
  expect([...seen]).toEqual([40])
  sandbox.close()
})
