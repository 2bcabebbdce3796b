import type { ChildProcess } from 'node:child_process'
import { expect, it } from 'vitest'
import { expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { plainPlatform } from '../helpers/plain-platform.ts'
import { runCli } from '../helpers/run-cli.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { answering, runInTerminal } from '../helpers/terminal.ts'
import '../../src/commands/labels/update.ts'

const ids = { id: 'T1', returnName: 'R#-1001', shopCode: 'LU', clientReference: 'P#R#LU1001' }
const labels = [{ carrierTrackingCode: 'OLD' }]

it.each([
  ['n', 2, 0],
  ['y', 0, 1],
])('an update on a terminal asks before anything may be emptied: %s', async (answer, exit, sent) => {
  const label = { carrierTrackingCode: 'OLD', format: 'ZPL' }
  const { env, puts } = await plainPlatform({ ...ids, labels: [label] })
  const { code, screen } = await runInTerminal(typed`labels update R#-1001 --tracking-code NEW`, {
    env: spawnEnv(env),
    columns: 180,
    onOutput: answering('[y/N]', `${answer}\r`),
  })
  expect([code, puts().length], screen.join('\n')).toEqual([exit, sent])
  expect(screen.join('\n')).toMatch(
    'may be emptied: additional codes, label format, labels of other parcels. Update the label of R#-1001 all the same?',
  )
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s while a single write is under way is exit 130, and names the return and how to undo or see it',
  async (signal) => {
    let child: ChildProcess | undefined
    const insteadOfUpdate = () => {
      child?.kill(signal)
      return { fault: 'hang' } as const
    }
    const { env, ...platform } = await plainPlatform({ ...ids, labels }, { insteadOfUpdate })
    const run = (argv: string[]) =>
      spawnCli(argv, { env: spawnEnv(env), onStart: (started) => (child = started) })
    const updated = await run(typed`labels update R#-1001 --tracking-code NEW --label-format PDF -y`)
    expectEnd(updated, 130, ['the label of R#-1001 may have been updated', 'labels update --undo /'])
    const pushed = await run(typed`tracking push R#-1001 --status SHIPPING_IN_PROGRESS`)
    expectEnd(pushed, 130, ['the update of R#-1001 may have been applied', "transportations 'R#-1001'"])
    expect(platform.puts()).toHaveLength(1)
  },
)

const undoWords = (said: string) => /--undo '?(\S+?\.json)/.exec(said)?.[1] ?? ''

it.each([
  ['another transport', { id: 'T2' }, 'The active transport of R#-1001 is another one by now'],
  [
    'another label',
    { labels: [{ carrierTrackingCode: 'OTHER' }] },
    'The label of R#-1001 is another one by now',
  ],
])(
  'an update and an undo send nothing if the return has %s once the question is answered',
  async (_what, moved, words) => {
    const { env: direct, puts, transport } = await plainPlatform({ ...ids, labels })
    const { RMA_BASE_URL, ...home } = direct
    const env = { ...home, RMA_PROFILE: 'live' }
    const live = typed`profiles add live --base-url ${RMA_BASE_URL} --environment production --protected`
    succeeded(await runCli(live, { env: home }))
    const argv = typed`labels update R#-1001 --tracking-code`
    const sent = succeeded(await runCli(typed`${argv} ONE -y`, { env, columns: 180 }))
    const before = { ...transport }
    for (const asked of [
      [...argv, 'TWO'],
      typed`labels update --undo ${undoWords(sent.stdout + sent.stderr)}`,
    ]) {
      let isAnswered = false
      const { code, screen } = await runInTerminal(asked, {
        env: spawnEnv(env),
        columns: 180,
        onOutput: (raw, type) => {
          if (isAnswered || !raw.includes('[y/N]')) return
          isAnswered = true
          Object.assign(transport, moved)
          type('y\r')
        },
      })
      expect([code, isAnswered], screen.join('\n')).toEqual([2, true])
      expect(screen.join('\n')).toMatch(words)
      Object.assign(transport, before)
    }
    expect(puts()).toHaveLength(1)
  },
)

it('an update in a script does not ask, and -y answers on a terminal', async () => {
  const { env, puts } = await plainPlatform({ ...ids, labels })
  const argv = typed`labels update R#-1001 --tracking-code`
  succeeded(await runCli(typed`${argv} ONE`, { env }))
  succeeded(await runInTerminal(typed`${argv} TWO -y`, { env: spawnEnv(env) }))
  expect(puts()).toHaveLength(2)
})
