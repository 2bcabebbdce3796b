import { utimesSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ended, expectEnd, itemsOf, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { type Answer, refusal } from '../../helpers/script-server.ts'
import { expectExact, fileOf, scans, trackingService } from '../../helpers/tracking-service.ts'
import { valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/audit/list.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/jobs/retry.ts'
import '../../../src/commands/tracking/push.ts'

const push = (content: string) => typed`tracking push --file ${fileOf(content)}`

it('rows of one shipment are sent one at a time and in order, and others in parallel', async () => {
  const underWay = new Map<string, number>()
  let most = 0
  const service = await trackingService({
    onUpdate: async ({ shipmentId }, index) => {
      underWay.set(shipmentId, (underWay.get(shipmentId) ?? 0) + 1)
      most = Math.max(
        most,
        [...underWay.values()].reduce((sum, count) => sum + count, 0),
      )
      expect(underWay.get(shipmentId)).toBe(1)
      await delay((index * 7) % 5)
      underWay.set(shipmentId, 0)
      if (index % 30 === 4) return refusal('UN01', 'busy', 503)
      return index % 30 === 15 ? refusal('RL01', 'slow down', 429) : undefined
    },
  })
  succeeded(await service.run`${push(scans(12, 10))} --concurrency 6`)
  expectExact(service, 12, 10)
  expect(most).toBeGreaterThan(2)
  expect(most).toBeLessThanOrEqual(6)
})

const LOST: [string, Answer][] = [
  ['reset', { fault: 'reset' }],
  ['500', { status: 500 }],
  ['silence', { fault: 'hang' }],
]

it.each(LOST)('lost answers are looked up, and no update is lost or sent twice: %s', async (name, answer) => {
  const step = name === 'silence' ? 40 : 5
  const service = await trackingService({
    onUpdate: (_, index) =>
      index % step === 2 ? { ...answer, isTaken: index % (2 * step) === 2 } : undefined,
  })
  expect(jsonOf(succeeded(await service.run`${push(scans(20, 4))} --timeout 0.3 --json`))).toMatchObject({
    succeeded: 80,
    unknown: 0,
    remaining: 0,
  })
  expectExact(service, 20, 4)
})

it('an expired token stops the job with exit 4, and another token continues it', async () => {
  let isValid = true
  const service = await trackingService({
    onUpdate: (_, index) => {
      if (index === 30) isValid = false
      return isValid ? undefined : refusal('AU03', 'The token has expired', 401)
    },
  })
  const stopped = ended(await service.run`${push(scans(100))} --json`, 4)
  const summary = jsonOf(stopped)
  expect(summary).toMatchObject({ succeeded: service.taken.length, failed: 0, unknown: 0 })
  expect(summary.remaining).toBe(100 - service.taken.length)
  // Only requests under way are sent.
  expect(service.updates.length).toBeLessThan(30 + 10)
  expect(stopped.stderr).toContain(`rma jobs resume ${summary.jobId}`)
  isValid = true
  const resumed = await service.run`jobs resume ${summary.jobId} --json`
  expect(jsonOf(succeeded(resumed))).toMatchObject({ succeeded: 100, remaining: 0 })
  expectExact(service, 100)
})

/** A way to a service that is not always there. */
async function line(port: number) {
  const open = new Set<{ destroy(): unknown }>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
    }
    client.pipe(upstream).pipe(client)
  })
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  await listen(0)
  const { port: own } = server.address() as AddressInfo
  const down = () => {
    for (const socket of open) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(async () => void (await down()))
  return { url: `http://127.0.0.1:${own}`, down, up: () => listen(own) }
}

it('an outage is waited for with a message, and the job then ends by itself', async () => {
  const service = await trackingService({
    onUpdate: async (_, index) => {
      if (index === 20) {
        void way.down()
        // Longer than looks at what was under way try by themselves.
        void delay(5000).then(() => way.up())
      }
      return undefined
    },
  })
  const way = await line(service.port)
  expectEnd(
    await service.run(push(scans(60)), { env: { RMA_BASE_URL: way.url } }),
    0,
    /Warning: Paused: .*(ECONNREFUSED|refused|connect)/i,
  )
  expectExact(service, 60)
})

it('an outage of five minutes is exit 7, and the job can be resumed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = await trackingService()
  const way = await line(service.port)
  await way.down()
  const env = { RMA_BASE_URL: way.url }
  const running = service.run(typed`${push(scans(50))} --json`, { env })
  // Each try is real, only the clock of the job is not.
  const clock = setInterval(() => vi.advanceTimersByTime(30_000), 100)
  const { stdout, stderr } = ended(await running, 7)
  clearInterval(clock)
  expect(JSON.parse(stdout)).toMatchObject({ succeeded: 0, failed: 0, unknown: 0, remaining: 50 })
  expect(stderr).toMatch('nothing has worked for 300 s')
  await way.up()
  succeeded(await service.run(typed`jobs resume --last`, { env }))
  expectExact(service, 50)
})

it('Ctrl-C finishes rows under way, tells how to continue, and is exit 130', async () => {
  const interrupt = new AbortController()
  const service = await trackingService({
    onUpdate: async (_, index) => {
      if (index === 40) interrupt.abort()
      await delay(20)
      return undefined
    },
  })
  const { stdout, stderr } = ended(
    await service.run(typed`${push(scans(200))} --json`, {
      interrupt: interrupt.signal,
    }),
    130,
  )
  const summary = JSON.parse(stdout)
  // Every update that was sent has its answer.
  expect(summary).toMatchObject({ succeeded: service.taken.length, unknown: 0 })
  expect(service.updates.length).toBeLessThan(60)
  expect(stderr).toMatch('Finishing what is under way; Ctrl-C again stops at once')
  expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '')).toMatchObject({
    error: { kind: 'interrupted', hints: [`go on with: rma jobs resume ${summary.jobId}`] },
  })
  succeeded(await service.run`jobs resume ${summary.jobId}`)
  expectExact(service, 200)
  const audit = itemsOf(await service.run`audit list --json`)
  expect(valuesOf(audit, 'outcome')).toEqual(['succeeded', 'partial'])
})

it('a second Ctrl-C does not wait, and rows under way are looked up later', async () => {
  const [interrupt, halt] = [new AbortController(), new AbortController()]
  let isSilent = true
  const service = await trackingService({
    onUpdate: async (_, index) => {
      if (!isSilent || index < 30) return undefined
      if (!interrupt.signal.aborted) setTimeout(() => halt.abort(), 200)
      interrupt.abort()
      // Every other one is taken.
      return { fault: 'hang', isTaken: index % 2 === 0 }
    },
  })
  const signals = { interrupt: interrupt.signal, halt: halt.signal }
  // Longer than the test: whoever waited for an answer would still be there at its end.
  const argv = [...push(scans(100)), '--concurrency', '8', '--timeout', '600']
  ended(await service.run(argv, signals), 130)
  isSilent = false
  // The requests that were under way have ended long ago.
  utimesSync(join(service.jobFolder(), 'journal'), 1000, 1000)
  expect(jsonOf(await service.run`jobs resume --last --timeout 1 --json`)).toMatchObject({
    succeeded: 100,
    unknown: 0,
    remaining: 0,
  })
  expectExact(service, 100)
})

it('a resumed job waits for late answers by the time limit of the stopped run, and says so', async () => {
  const [interrupt, halt] = [new AbortController(), new AbortController()]
  const service = await trackingService({
    onUpdate: (update, index) => {
      if (index > 0) return undefined
      setTimeout(() => service.taken.push(update), 1300)
      setTimeout(() => halt.abort(), 50)
      interrupt.abort()
      return { fault: 'hang' }
    },
  })
  const signals = { interrupt: interrupt.signal, halt: halt.signal }
  ended(await service.run([...push(scans(1)), '--timeout', '2'], signals), 130)
  expectEnd(await service.run`jobs resume --last --timeout 1`, 0, [
    '1 row has no answer yet: looked up now, and in 2 seconds again',
  ])
  expectExact(service, 1)
})

it.each([502, 503])(
  'a row that is applied after its looks is unknown, and jobs retry finds it: %d',
  async (status) => {
    const service = await trackingService({
      onUpdate: (_, index) => (index === 0 ? { status } : undefined),
    })
    const pushed = await service.run`${push(scans(1))} --retries 0 --json`
    expectEnd(pushed, 10, ['--unknown'])
    expect(jsonOf(pushed)).toMatchObject({ failed: 0, unknown: 1, failedFile: null })
    service.taken.push(...service.updates)
    succeeded(await service.run`jobs retry --last --unknown`)
    expectExact(service, 1)
  },
)

it.each([
  [true, 0],
  [false, 9],
])(
  'a row that is refused after an unclear answer is looked at once more, as the first may be applied: %s',
  async (isApplied, exitCode) => {
    const service = await trackingService({
      onUpdate: (update, index) => {
        if (index === 0) return { status: 502 }
        if (isApplied) service.taken.push(update)
        return refusal('TR02', 'not allowed')
      },
    })
    const pushed = ended(await service.run`${push(scans(1))} --retries 2 --json`, exitCode)
    expect(JSON.parse(pushed.stdout)).toMatchObject({
      succeeded: isApplied ? 1 : 0,
      failed: isApplied ? 0 : 1,
    })
    expect(service.updates).toHaveLength(2)
  },
)

it('--max-failures reached by unknown rows alone is exit 10', async () => {
  const service = await trackingService({ onUpdate: () => ({ status: 503 }) })
  expectEnd(await service.run`${push(scans(8))} --retries 0 --max-failures 2 --concurrency 1`, 10, [
    'too many rows failed or are unknown',
  ])
})

it('a job whose first 200 rows are all unknown stops', async () => {
  const service = await trackingService({ onUpdate: () => ({ status: 500 }) })
  const { stdout, stderr } = ended(await service.run`${push(scans(230))} --retries 0 --json`, 10)
  expect(JSON.parse(stdout).remaining).toBeGreaterThan(0)
  expect(stderr).toMatch(/all of the first 2\d\d rows failed or are unknown/)
})

it('Ctrl-C while rows are checked ends at once, and leaves no job', async () => {
  const interrupt = new AbortController()
  const service = await trackingService()
  setTimeout(() => interrupt.abort(), 100)
  const started = process.cpuUsage()
  ended(await service.run(push(scans(200_000)), { interrupt: interrupt.signal }), 130)
  expect(service.jobs()).toEqual([])
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000)
})

it('a file that is written to while it is sent stops the job', async () => {
  // Long enough that it is not read whole before the first row is sent.
  const content = `${scans(5000)}\n`.replaceAll('Z\n', `Z,${'x'.repeat(100)}\n`).replace('Date', 'Date,note')
  const path = fileOf(content)
  const interrupt = new AbortController()
  const { run, taken } = await trackingService({
    onUpdate: (_, index) => {
      if (index === 50) writeFileSync(path, `${content}R#-9999,REQUESTED,`)
      if (index === 400) interrupt.abort()
      return undefined
    },
  })
  const { code, stdout, stderr } = await run`tracking push --file ${path} --json`
  const { succeeded, remaining } = JSON.parse(stdout)
  expect([code, succeeded, remaining]).toEqual([9, taken.length, 5000 - taken.length])
  expect(stderr).toMatch(/was changed while it was being read; \d+ rows remain.*rma jobs resume/)
  expectEnd(await run`jobs resume --last`, 2, /is not what it was.*nothing was sent/s)
  writeFileSync(path, content)
  ended(await run(typed`jobs resume --last`, { interrupt: interrupt.signal }), 130)
  expect(taken.length).toBeGreaterThan(succeeded)
  expect(new Set(valuesOf(taken, 'shipmentId')).size).toBe(taken.length)
})

it('a file changed in place while it is sent is exit 9, and no changed row is sent', async () => {
  // Several blocks, so that the change lies in one that is not read yet.
  const content = `${scans(10_000)}\n`
    .replaceAll('Z\n', `Z,${'x'.repeat(100)}\n`)
    .replace('Date', 'Date,note')
  const path = fileOf(content)
  // A whole number of milliseconds, which is what can be restored.
  const time = new Date('2026-01-01T00:00:00Z')
  utimesSync(path, time, time)
  const service = await trackingService({
    onUpdate: (_, index) => {
      if (index !== 50) return undefined
      writeFileSync(path, content.replaceAll('R#-', 'X#-'), { flag: 'r+' })
      utimesSync(path, time, time)
      return undefined
    },
  })
  const { stdout, stderr } = ended(await service.run`tracking push --file ${path} --json`, 9)
  const { succeeded, remaining } = JSON.parse(stdout)
  expect(succeeded + remaining).toBe(10_000)
  expect(service.taken.filter(({ shipmentId }) => shipmentId.startsWith('X'))).toEqual([])
  expect(stderr).toMatch(/was changed while it was being read; \d+ rows remain.*rma jobs resume/)
})
