import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, prepareQuery } from '../../src/lib/sandbox/store/database.ts'
import { bundleProgram } from '../helpers/bundle-program.ts'
import { PARTS_APART } from '../helpers/former-data.ts'
import { NOW, testSandbox } from '../helpers/sandbox-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'rma-processes-'))
let child: Awaited<ReturnType<typeof bundleProgram>>

beforeAll(async () => {
  // Opens a file, tells of its progress, then of what it sees; or stops where it is to be killed.
  child = await bundleProgram(
    'processes',
    `const [file, returns, heldAt = Infinity] = process.argv.slice(2)
    openSandbox({
      file, returns: Number(returns), clock: { now: () => ${NOW} },
      onSeeding: (done, total) => {
        process.send({ done, total })
        if (done >= heldAt) process.kill(process.pid, 'SIGSTOP')
      },
    }).then(async (sandbox) => {
      const request = new Request('http://x/integration/v1/returns?limit=1', {
        headers: { authorization: 'Bearer ' + sandbox.issueToken() },
      })
      const body = JSON.parse((await sandbox.fetch(request)).text)
      sandbox.close()
      process.send({ total: body.pageInfo.totalRecords, newest: body.returns[0].id })
      process.disconnect()
    })`,
  )
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  child.remove()
})

interface Message {
  done?: number
  total: number
  newest?: string
}

function start(
  file: string,
  returns: number,
  heldAt?: number,
): { process: ChildProcess; messages: Message[]; exited: Promise<unknown[]> } {
  const started = fork(child.file, [file, returns, heldAt ?? []].flat().map(String))
  const messages: Message[] = []
  started.on('message', (message: Message) => messages.push(message))
  return { process: started, messages, exited: once(started, 'exit') }
}

test('eight processes at once on a fresh file: one fills it, all see the same', async () => {
  const file = join(folder, 'eight.db')
  const all = Array.from({ length: 8 }, () => start(file, 1200))
  for (const { exited } of all) expect(await exited).toEqual([0, null])
  for (const { messages } of all) expect(messages.at(-1)).toEqual({ total: 1200, newest: '100001200' })
  expect(all.filter(({ messages }) => messages.some(({ done }) => done !== undefined))).toHaveLength(1)
})

test('a process killed half-way leaves nothing, and one that waits takes over', async () => {
  const file = join(folder, 'killed.db')
  const victim = start(file, 40_000, 20_000)
  await new Promise<void>((resolve) => {
    victim.process.on('message', ({ done = 0 }: Message) => {
      if (done >= 20_000) resolve()
    })
  })
  // With pages already in the file, so that there is something to undo.
  const waiting = start(file, 300)
  expect(statSync(file).size).toBeGreaterThan(0)
  victim.process.kill('SIGKILL')
  expect(await victim.exited).toEqual([null, 'SIGKILL'])
  expect(await waiting.exited).toEqual([0, null])
  expect(waiting.messages.at(-1)).toEqual({ total: 300, newest: '100000300' })

  const { sandbox, allReturns } = await testSandbox({ file })
  expect(await allReturns()).toHaveLength(300)
  sandbox.close()
  expect(existsSync(`${file}-journal`)).toBe(false)
})

test('data of an older version, killed while they are moved, are moved to their end by the next two', async () => {
  const file = join(folder, 'older.db')
  const returns = 7000
  const ROWS = 'SELECT * FROM returns ORDER BY no'
  const { sandbox } = await testSandbox({ file, returns })
  sandbox.close()
  const db = await connect(file)
  const before = JSON.stringify(prepareQuery(db, ROWS).all())
  // The third part of the move does not come to its end.
  db.exec(`${PARTS_APART} PRAGMA user_version = 5;
    CREATE VIEW forever AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
    CREATE TRIGGER hold AFTER DELETE ON returns WHEN old.no = 100004100
    BEGIN SELECT count(*) FROM forever; END`)
  const victim = start(file, returns)
  const kept = () => prepareQuery<{ kept: number }>(db, 'SELECT count(*) AS kept FROM returns').get()?.kept
  while (victim.process.exitCode === null && kept() !== 4000) await delay(20)
  victim.process.kill('SIGKILL')
  expect(await victim.exited).toEqual([null, 'SIGKILL'])
  db.exec('DROP TRIGGER hold; DROP VIEW forever')

  const next = [start(file, returns), start(file, returns)]
  for (const { exited } of next) expect(await exited).toEqual([0, null])
  for (const { messages } of next) expect(messages.at(-1)).toEqual({ total: returns, newest: '100007000' })
  expect(JSON.stringify(prepareQuery(db, ROWS).all()) === before).toBe(true)
  db.close()
})
