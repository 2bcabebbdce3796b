import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connect } from '../../src/lib/sandbox/store/open.ts'
import { Statements } from '../../src/lib/sandbox/store/snapshot.ts'
import { bundleProgram } from '../helpers/bundle-program.ts'
import { newFolder } from '../helpers/files.ts'
import { NOW, testSandbox } from '../helpers/sandbox-client.ts'
import { times } from '../helpers/values-of.ts'

const folder = newFolder()
// It opens a file, tells of its progress, then of what it sees; or stops where it is to be killed.
const program = await bundleProgram(
  'processes',
  `const [file, returns, heldAt = Infinity] = process.argv.slice(2)
    openSandbox({
      file, returns: Number(returns), clock: { now: () => ${NOW} },
      onSeeding: (done, total) => {
        process.send({ done, total })
        if (done >= heldAt) process.kill(process.pid, 'SIGSTOP')
      },
    }).then(async (sandbox) => {
      const request = {
        method: 'GET',
        url: new URL('http://x/integration/v1/returns?limit=1'),
        headers: new Map([['Authorization', 'Bearer ' + sandbox.issueToken()]]),
      }
      const body = JSON.parse((await sandbox.fetch(request)).text)
      sandbox.close()
      process.send({ total: body.pageInfo.totalRecords, newest: body.returns[0].id })
      process.disconnect()
    })`,
)

interface Message {
  done?: number
  total: number
  newest?: string
}

function start(file: string, returns: number, heldAt?: number) {
  const started = fork(program, [file, returns, heldAt ?? []].flat().map(String))
  const messages: Message[] = []
  started.on('message', (message: Message) => messages.push(message))
  return { process: started, messages, exited: once(started, 'exit') }
}

test('eight processes at once on a new file see the same data, filled by one', async () => {
  const file = join(folder, 'eight.db')
  const all = times(8, () => start(file, 1200))
  for (const { exited } of all) expect(await exited).toEqual([0, null])
  for (const { messages } of all) expect(messages.at(-1)).toEqual({ total: 1200, newest: '100001200' })
  expect(all.filter(({ messages }) => messages.some(({ done }) => done !== undefined))).toHaveLength(1)
})

test('a process killed half-way leaves nothing, and a waiting one takes over', async () => {
  const file = join(folder, 'killed.db')
  const victim = start(file, 12_000, 6000)
  await new Promise<void>((resolve) => {
    victim.process.on('message', ({ done = 0 }: Message) => {
      if (done >= 6000) resolve()
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

test('old data, killed while they are remade, are unchanged for the next two processes', async () => {
  const file = join(folder, 'earlier.db')
  const { sandbox } = await testSandbox({ file, returns: 60 })
  sandbox.close()
  const db = await connect(file)
  db.exec('PRAGMA user_version = 6')
  const victim = start(file, 12_000, 4000)
  await once(victim.process, 'message')
  const count = () => new Statements(db).get<{ n: number }>('SELECT count(*) AS n FROM returns')?.n
  while (victim.messages.every(({ done = 0 }) => done < 4000)) await delay(20)
  expect(count()).toBe(60)
  victim.process.kill('SIGKILL')
  expect(await victim.exited).toEqual([null, 'SIGKILL'])
  expect(count()).toBe(60)

  const next = [start(file, 300), start(file, 300)]
  for (const { exited } of next) expect(await exited).toEqual([0, null])
  for (const { messages } of next) expect(messages.at(-1)).toEqual({ total: 300, newest: '100000300' })
  db.close()
})
