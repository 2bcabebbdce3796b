import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import {
  BIN,
  RUNNER,
  type SpawnOptions,
  shell,
  spawnCli,
  spawnEnv,
  withoutProgress,
} from '../../helpers/spawn-cli.ts'
import {
  expectExact,
  fileOf,
  type ServiceOptions,
  scans,
  trackingService,
} from '../../helpers/tracking-service.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

/*
 * Only whole processes can show this: signals, several at once, and pipes. The service takes every update that it gets
 * to see, so that one sent twice is there twice.
 */

async function processes(options: ServiceOptions = {}) {
  const service = await trackingService(options)
  const env = spawnEnv(service.env)
  return {
    ...service,
    env,
    spawn: (argv: string[], more: Omit<SpawnOptions, 'env'> = {}) => spawnCli(argv, { ...more, env }),
  }
}

/** Asserts that the last job, resumed, sends each row of `scans` once. */
async function expectResumed(service: Awaited<ReturnType<typeof processes>>, rows: number) {
  const resumed = await service.spawn(typed`jobs resume --last --timeout 1 --json`)
  expect([resumed.code, jsonOf(resumed)]).toMatchObject([0, { succeeded: rows, unknown: 0, remaining: 0 }])
  expectExact(service, rows)
}

const push = (content: string) => typed`tracking push --file ${fileOf(content)}`

/** Does something with the process as soon as the service has seen so many updates. */
function onUpdates(count: number, act: (child: ChildProcess) => void) {
  let process: ChildProcess | undefined
  return {
    onStart: (child: ChildProcess) => {
      process = child
    },
    onUpdate: (_update: unknown, index: number) => {
      if (index === count && process) act(process)
      return undefined
    },
  }
}

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s finishes rows under way and tells how to continue',
  async (signal) => {
    const at = onUpdates(30, (child) => child.kill(signal))
    let isSlow = true
    const service = await processes({
      onUpdate: async (update, index) => {
        at.onUpdate(update, index)
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 50))
        return undefined
      },
    })
    const { code, stdout, stderr } = await service.spawn([...push(scans(200)), '--json'], at)
    expect(code).toBe(130)
    const summary = JSON.parse(stdout)
    expect(summary).toMatchObject({ succeeded: service.taken.length, unknown: 0, total: 200 })
    expect(service.taken.length).toBeLessThan(80)
    expect(stderr).toContain(`rma jobs resume ${summary.jobId}`)
    isSlow = false
    await expectResumed(service, 200)
  },
)

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a second %s ends a push at once, and the job still continues exactly',
  async (signal) => {
    let isSilent = true
    const at = onUpdates(50, (child) => {
      child.kill(signal)
      setTimeout(() => child.kill(signal), 500)
    })
    const service = await processes({
      onUpdate: (update, index) => {
        at.onUpdate(update, index)
        if (!isSilent || index < 50) return undefined
        return { fault: 'hang', isTaken: index % 2 === 1 }
      },
    })
    // Longer than the test: whoever waited for an answer would still be there at its end.
    const { code } = await service.spawn([...push(scans(300)), '--timeout', '600'], at)
    expect(code).toBe(130)
    isSilent = false
    // The requests that were under way have ended long ago.
    utimesSync(join(service.jobFolder(), 'journal'), 1000, 1000)
    await expectResumed(service, 300)
  },
)

it('a closed window ends a push at once, and the job still continues exactly', async () => {
  const at = onUpdates(50, (child) => child.kill('SIGHUP'))
  const service = await processes({ onUpdate: at.onUpdate })
  const { signal } = await service.spawn([...push(scans(300)), '--timeout', '3'], at)
  expect(signal).toBe('SIGHUP')
  await expectResumed(service, 300)
})

it('Ctrl-C before the first row leaves no job, no copy of the input and no partial plan', async () => {
  const service = await processes({
    onLook: ({ path }) => (path === '/returns' ? undefined : { fault: 'hang' }),
    listed: 5,
  })
  const out = newFolder()
  const data = service.env.RMA_DATA_DIR
  for (const argv of [
    typed`tracking push --file -`,
    typed`tracking plan --file - --out ${join(out, 'plan')}`,
  ]) {
    const child = spawn(RUNNER, [BIN, ...argv], {
      env: service.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    // More may come.
    child.stdin.write(scans(1000))
    await expect.poll(() => existsSync(data) && readdirSync(data).length).toBe(1)
    child.kill('SIGINT')
    expect(await ended).toBe(130)
    expect(readdirSync(data)).toEqual([])
  }
  // While the platform is asked about a row, with half of the plan written.
  await service.spawn(push(scans(5, 2)))
  const plan = typed`tracking plan --file ${fileOf(scans(5))} --out ${join(out, 'plan')} -v`
  let isOver = false
  ended(
    await service.spawn(plan, {
      onOutput: (_stdout, stderr, child) => {
        if (isOver || !/> GET \S*transportations/.test(stderr)) return
        isOver = true
        child.kill('SIGINT')
      },
    }),
    130,
  )
  expect(readdirSync(out)).toEqual([])
  expect(service.jobs()).toHaveLength(1)
})

it('a job of a running process is left to it', async () => {
  let isFirst = true
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const service = await processes({
    onUpdate: async () => {
      if (isFirst) return { fault: 'hang', isTaken: true }
      await held
      return undefined
    },
  })
  const child = await new Promise<ChildProcess>((resolve) => {
    void service.spawn([...push(scans(100)), '--timeout', '8'], { onStart: resolve })
  })
  await expect.poll(() => service.updates.length).toBeGreaterThan(0)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for (const verb of ['resume', 'retry']) {
    expectEnd(await service.run`jobs ${verb} --last`, 2, expect.stringContaining(`by process ${child.pid}`))
  }
  const [job] = jsonOf(await service.spawn(typed`jobs list --json`))
  expect(job.state).toBe('running')
  await service.run(typed`jobs prune --older-than 0s --force`, { now: Date.now() })
  expect(service.jobs()).toHaveLength(1)
  child.kill('SIGKILL')
  await ended
  isFirst = false
  const [killed] = jsonOf(await service.spawn(typed`jobs list --json`))
  expect(killed.state).toBe('remaining')
  // Two at once: one of them gets it, and has to wait until the other has seen that.
  const both = [1, 2].map(() => service.spawn(typed`jobs resume --last -q`))
  expect((await Promise.race(both)).code).toBe(2)
  letGo()
  expect(valuesOf(await Promise.all(both), 'code').sort()).toEqual([0, 2])
  expectExact(service, 100)
})

it('four parts at once send all rows, and their summaries can be merged', async () => {
  const service = await processes()
  const file = fileOf(scans(100, 5))
  const out = newFolder()
  const parts = await Promise.all(
    times(4, (at) => service.spawn(typed`tracking push --file ${file} --shard ${at + 1}/4 --json -q`)),
  )
  const summaries = parts.map(({ code, stdout, stderr }, at) => {
    expect([code, withoutProgress(stderr)]).toEqual([0, ''])
    const path = join(out, `shard-${at + 1}.json`)
    writeFileSync(path, stdout)
    return path
  })
  expectExact(service, 100, 5)
  const merged = await service.run`jobs merge ${summaries} --json`
  expect([merged.code, jsonOf(merged)]).toMatchObject([0, { total: 500, succeeded: 500, remaining: 0 }])
})

it('a reader that leaves neither ends nor delays the job', async () => {
  const service = await processes()
  const file = fileOf(scans(1500))
  const script = `{ rma tracking push --file ${file} -o ndjson 2>&3; echo "exit $?" >&3; } 3>&2 | head -n 1`
  const { stdout, stderr } = await shell(script, { env: service.env })
  expect(stdout).toMatch(/^\{"row".*\}\n$/)
  expect(withoutProgress(stderr)).toMatch(/^Job \S+\nexit 0\n$/)
  expectExact(service, 1500)
})

it('a push in a loop does not read the loop’s standard input', async () => {
  const service = await processes()
  const script = [
    'while read -r line; do',
    `rma tracking push "$line" --status REQUESTED -q >/dev/null || echo failed`,
    `rma tracking push --file ${fileOf(scans(2))} --again -q >/dev/null || echo failed`,
    'rma jobs list >/dev/null',
    'echo "$line"; done',
  ].join('\n')
  const { stdout } = await shell(script, { env: service.env, stdin: 'R#-1\nR#-2\n' })
  expect(stdout).toBe('R#-1\nR#-2\n')
  expect(service.taken).toHaveLength(6)
})
