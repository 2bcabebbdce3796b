import { expect, it } from 'vitest'
import { succeeded, typed } from '../helpers/command-line.ts'
import { homeAt, runCli } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import { spawnCli, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { fileOf, scans, trackingService } from '../helpers/tracking-service.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/tracking/push.ts'
import { times } from '../helpers/values-of.ts'

const ENDLESS = 'first(range(1; infinite) | select(. < 0))'

it.each([
  ['a document', typed`api GET /returns --jq ${ENDLESS}`],
  ['records as they arrive', typed`returns list -o ndjson --jq ${ENDLESS}`],
])('Ctrl-C ends an endless --jq over %s', async (_, argv) => {
  const timers: NodeJS.Timeout[] = []
  let interrupt = () => {}
  const server = await scriptServer(() => {
    // The answer is read by then, and the filter at work.
    timers.push(setTimeout(() => interrupt(), 1000))
    return { body: pageOf([{ id: '1', name: 'R#-1' }]) }
  })
  const { code, signal, stdout, stderr } = await spawnCli(argv, {
    env: spawnEnvAt(server.baseUrl),
    onStart: (child) => {
      interrupt = () => void child.kill('SIGINT')
      timers.push(setTimeout(() => child.kill('SIGKILL'), 15_000))
    },
  })
  for (const timer of timers) clearTimeout(timer)
  expect([code, signal, stdout]).toEqual([130, null, ''])
  expect(stderr).toMatch('Interrupted')
})

it('--jq with -o ndjson sees one record after the other, as they arrive', async () => {
  let letGo: () => void = () => {}
  const isSeen = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const page = (number: number) =>
    pageOf(
      times(number === 1 ? 500 : 1, (at) => ({
        id: `${number}-${at}`,
        name: `R#-${number}-${at}`,
        createdAt: '2026-03-01 10:00:00Z',
      })),
      501,
    )
  const server = await scriptServer(async ({ query }) => {
    if (query.get('page') === '2') await isSeen
    return { body: page(Number(query.get('page') ?? 1)) }
  })
  const argv = typed`returns list --all -o ndjson --jq 'select(.name | endswith("-0")) | .name # one'`
  expect(
    succeeded(
      await runCli(argv, {
        env: homeAt(server.baseUrl),
        // The second page comes only once the first one is shown.
        onOutput: (shown) => shown.includes('R#-1-0\n') && letGo(),
      }),
    ).stdout,
  ).toBe('R#-1-0\nR#-2-0\n')
})

it('a --jq that fails on the answer to a write: the answer as it came, and no word of sending again', async () => {
  const server = await scriptServer([{ body: { code: 'TRK-1' } }])
  const { code, stdout, stderr } = await runCli(typed`api POST /shipping_labels -f a=b --jq .code[0]`, {
    env: homeAt(server.baseUrl),
  })
  expect([code, stdout, server.requests.length]).toEqual([7, '', 1])
  const [answer = '', error = ''] = stderr.split('\n')
  expect(JSON.parse(answer)).toEqual({ code: 'TRK-1' })
  expect(JSON.parse(error).error).toEqual({
    kind: 'unavailable',
    exitCode: 7,
    message: 'Standard output could not be written: --jq: Cannot index string with number.',
    hints: [],
    errors: [{ message: 'the command went on to its end; what could not be written stands above' }],
  })
})

it('a --jq that fails on a row of a job: the rows as they are, and the outcome of the job', async () => {
  const service = await trackingService()
  const argv = typed`tracking push --file ${fileOf(scans(3))} -o ndjson --jq .row[0]`
  const { code, stdout, stderr } = await runCli(argv, { env: service.env })
  expect([code, stdout, service.taken.length]).toEqual([7, '', 3])
  expect(stderr.match(/^\{.*"status":"succeeded".*\}$/gm)).toHaveLength(3)
  expect(stderr).toMatch(/^\{"jobId":.*"succeeded":3,/m)
})
