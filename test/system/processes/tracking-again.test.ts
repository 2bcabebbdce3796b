import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { type SpawnOptions, shell, spawnCli, spawnEnv } from '../../helpers/spawn-cli.ts'
import { fileOf, type ServiceOptions, scans, trackingService } from '../../helpers/tracking-service.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

/* The same file pushed again by whole processes: at once, after a kill, and to a sandbox that was reset. */

async function processes(options: ServiceOptions = {}) {
  const service = await trackingService(options)
  const env = spawnEnv(service.env)
  const spawn = (argv: string[], more: Omit<SpawnOptions, 'env'> = {}) => spawnCli(argv, { ...more, env })
  return { ...service, env, spawn }
}

it('one of five simultaneous processes sends, and the others say so', async () => {
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const service = await processes({ onUpdate: () => held.then(() => undefined) })
  const argv = typed`tracking push --file ${fileOf(scans(100))} --json`
  let ended = 0
  const ends = await Promise.all(
    times(5, async () => {
      const end = await service.spawn(argv)
      ended += 1
      if (ended === 4) letGo()
      return end
    }),
  )
  expect(valuesOf(ends, 'code').sort()).toEqual([0, 2, 2, 2, 2])
  const [job = ''] = service.jobs()
  for (const { code, stdout, stderr } of ends) {
    if (code === 0) expect(JSON.parse(stdout)).toMatchObject({ jobId: job, succeeded: 100 })
    else
      expect(stderr).toMatch(new RegExp(`are being sent by the job ${job}, process \\d+; nothing was sent`))
  }
  expect([service.jobs().length, service.updates.length]).toEqual([1, 100])
  const later = await service.spawn(argv)
  expect([later.code, jsonOf(later)]).toMatchObject([0, { alreadySentBy: job, succeeded: 100 }])
  expect(service.updates).toHaveLength(100)
})

it('a job after kill -9 is resumed with its time, or refused without its journal', async () => {
  let child: ChildProcess | undefined
  const service = await processes({
    onUpdate: async (_, index) => {
      if (index === 50) child?.kill('SIGKILL')
      await new Promise((resolve) => setTimeout(resolve, 5))
      return undefined
    },
  })
  // Updates carry no dates: one that is sent twice would get two.
  const file = fileOf(scans(200).replace(/,[^,\n]*$/gm, ''))
  const argv = typed`tracking push --file ${file} --timeout 3 --json`
  const onStart = (started: ChildProcess) => {
    child = started
  }
  const killed = await service.spawn(argv, { onStart })
  expect(killed.signal).toBe('SIGKILL')
  const sent = service.updates.length
  expect(sent).toBeLessThan(150)
  const [job = ''] = service.jobs()
  const again = await service.spawn(argv)
  expectEnd(again, 2, [`rma jobs resume ${job}`])
  expect(service.updates).toHaveLength(sent)
  const resumed = await service.spawn(typed`jobs resume ${job} --timeout 1 --json`)
  expect([resumed.code, jsonOf(resumed)]).toMatchObject([0, { succeeded: 200 }])
  expect(new Set(valuesOf(service.updates, 'trackingDate')).size).toBe(1)
  expect(service.taken).toHaveLength(200)
  rmSync(`${service.jobFolder(job)}/journal`)
  for (const verb of ['show', 'resume', 'retry']) {
    const { code, stderr } = await service.spawn(['jobs', verb, job])
    expect([verb, code, stderr]).toEqual([
      verb,
      3,
      expect.stringMatching(/journal \S+ is gone\. Nothing was sent/),
    ])
  }
  succeeded(await service.spawn(argv))
  expect(service.taken).toHaveLength(200)
})

it('a sandbox is recognized by the id of its data, renewed by a reset, and its clock counts', async () => {
  const script = `
    export RMA_SHOP=LUMBRE-ES
    file="$RMA_DATA_DIR/../in.csv"
    name=$(rma returns list --all -q --jq '[.returns[] | select(.activeTransportation.status == "REQUESTED")][0].name')
    printf 'shipmentId,trackingStatus\\n%s,SHIPPING_IN_PROGRESS\\n' "$name" > "$file"
    push() { rma tracking push --file "$file" -q --jq '.alreadySentBy != null'; }
    push; push
    { rma sandbox reset --yes || rma sandbox reset; } > /dev/null 2>&1
    push
    rma sandbox advance 10d -q > /dev/null
    ahead() { rma tracking push "$name" --status REQUESTED --date "$(date -u -d "+$1 hours" +%FT%TZ)" -n -q > /dev/null 2>&1; }
    ahead 263; echo "exit $?"; ahead 265; echo "exit $?"
  `
  const { stdout } = await shell(script, { env: { ...spawnEnv(), RMA_TIME_ZONE: 'UTC' } })
  expect(stdout.split('\n').slice(0, 5)).toEqual(['false', 'true', 'false', 'exit 0', 'exit 2'])
})
