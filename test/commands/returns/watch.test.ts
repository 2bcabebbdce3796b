import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changingPlatform, iso, NOW } from '../../helpers/changing-platform.ts'
import { ended, expectEnd, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { expectPrivate, newFolder, textFile } from '../../helpers/files.ts'
import { freshHome, homeAt, runCli, runIn } from '../../helpers/run-cli.ts'
import '../../../src/commands/returns/watch.ts'

/** Such a platform, and the command on it. */
async function watched() {
  const { server, state, change } = await changingPlatform()
  const pauses: number[] = []
  const env = homeAt(server.baseUrl, {
    PATH: process.env.PATH ?? '',
    RMA_TOKEN: 'secret',
    RMA_DATABASE: 'postgres://me:secret@db.invalid/returns',
  })
  /** Ended by a signal when it looks once more than `untilLook` times. */
  const watch = (
    argv: string[],
    untilLook: number,
    by: 'terminate' | 'interrupt' = 'terminate',
    columns?: number,
  ) => {
    const end = new AbortController()
    const first = state.onLook
    state.looks = 0
    state.onLook = (looks) => {
      first(looks)
      if (looks > untilLook) end.abort()
    }
    return runCli(typed`returns watch --interval 1s --retries 0 ${argv}`, {
      env,
      columns,
      [by]: end.signal,
      onPause: (forMs) => pauses.push(forMs),
    }).finally(() => {
      state.onLook = () => {}
    })
  }
  return { state, change, watch, pauses, env }
}

const names = (text: string) => ndjson(text).map(({ name }) => name)

it('watch prints each later change once, in order', async () => {
  const { state, change, watch } = await watched()
  state.onLook = (look) => {
    if (look === 2) for (const name of ['R#-3', 'R#-4', 'R#-1']) change(name)
    if (look === 3) change('R#-4')
  }
  const { stdout, stderr } = succeeded(await watch(typed`-o ndjson`, 3))
  expect(names(stdout)).toEqual(['R#-3', 'R#-4', 'R#-1', 'R#-4'])
  expect(stderr).toBe('Watching; Ctrl-C ends it.\n')
})

it('watch prints a change that kept its date, and a single header', async () => {
  const { state, change, watch } = await watched()
  state.onLook = (look) => {
    if (look === 2) change('R#-2', { status: 'PENDING', updatedAt: iso(NOW) })
    if (look === 3) change('R#-2', { status: 'RECEIVED', updatedAt: iso(NOW) })
  }
  const { stdout } = await watch(typed`-o csv --columns name,status`, 3)
  expect(stdout).toBe('name,status\r\nR#-2,PENDING\r\nR#-2,RECEIVED\r\n')
})

it('watch prints a return once if only the signature of its label’s address changes', async () => {
  const { state, change, watch } = await watched()
  let signature = 0
  state.onLook = (look) => {
    const carrierLabel = `https://labels.example/1.pdf?signature=${signature++}`
    if (look > 1) change('R#-2', { updatedAt: iso(NOW), activeTransportation: { id: '1', carrierLabel } })
  }
  const { stdout } = await watch(typed`-o ndjson`, 4)
  expect(names(stdout)).toEqual(['R#-2'])
})

it('watch on a terminal prints one table, with all columns from the start', async () => {
  const { state, change, watch } = await watched()
  state.onLook = (look) => {
    if (look === 2) change('R#-1', { status: 'DISCARDED', updatedAt: iso(NOW) })
    if (look === 3) change('R#-2', { activeTransportation: { id: '1', status: 'SHIPPING_IN_PROGRESS' } })
  }
  const { stdout, stderr } = await watch([], 3, 'terminate', 80)
  const [head, first, second] = stdout.split('\n')
  expect(head).toMatch(/^NAME +STATUS +CREATED/)
  expect([first, second]).toEqual([expect.stringMatching(/^R#-1 /), expect.stringMatching(/^R#-2 /)])
  expect(stderr.match(/Not shown at this width: .*transport/g)).toHaveLength(1)
})

it('watch --since-last continues where it ended, and printed all before', async () => {
  const { state, change, watch } = await watched()
  const flags = typed`--since-last -o ndjson`
  state.onLook = (look) => look === 2 && change('R#-1')
  const first = await watch(flags, 2)
  expect([names(first.stdout), first.stderr]).toEqual([
    ['R#-1'],
    expect.stringContaining('Nothing was watched'),
  ])
  change('R#-2')
  change('R#-5')
  const second = await watch(flags, 1)
  expect([names(second.stdout), second.stderr]).toEqual([['R#-2', 'R#-5'], 'Watching; Ctrl-C ends it.\n'])
  expect(names((await watch(flags, 1)).stdout)).toEqual([])
  // Other filters are another watch.
  const other = await watch(typed`${flags} --status PENDING`, 1)
  expect([names(other.stdout), other.stderr]).toEqual([[], expect.stringContaining('Nothing was watched')])
  expect(
    names((await watch(typed`--updated-from 2026-05-01T00:00 -o ndjson --time-zone UTC`, 1)).stdout),
  ).toHaveLength(4)
})

it('watch passes returns to a command one at a time, without the token, until it succeeds', async () => {
  const folder = newFolder()
  const [log, fails, env] = ['log', 'fails', 'env'].map((name) => join(folder, name))
  const { state, change, watch } = await watched()
  writeFileSync(fails ?? '', '')
  state.onLook = (look) => {
    if (look === 2) for (const name of ['R#-1', 'R#-2']) change(name)
  }
  // Fails for R#-1 until it is told not to; each try is in the log.
  const command = `record=$(cat); env > ${env}; echo "$record" >> ${log}
    case "$record" in *'R#-1'*) test ! -e ${fails} || exit 3;; esac`
  const flags = typed`--since-last --exec ${command} -o ndjson`
  const first = await watch(flags, 2)
  expect(names(textFile(log ?? ''))).toEqual(['R#-1', 'R#-1', 'R#-1', 'R#-2'])
  expect(names(first.stdout)).toEqual(['R#-2'])
  expect(first.stderr).toMatch(
    'Warning: --exec: the command ended with exit code 3 for R#-1, at the third try',
  )
  expect(textFile(env ?? '')).not.toMatch(/RMA_TOKEN|RMA_DATABASE|secret|R#-2/)
  writeFileSync(log ?? '', '')
  rmSync(fails ?? '')
  const second = await watch(flags, 1)
  expect([names(second.stdout), names(textFile(log ?? ''))]).toEqual([['R#-1'], ['R#-1']])
  expect(names((await watch(flags, 1)).stdout)).toEqual([])
})

it('watch survives an outage of the platform, and misses no change', async () => {
  const { state, change, watch, pauses } = await watched()
  state.onLook = (look) => {
    state.isDown = look === 2 || look === 3
    if (look === 3) change('R#-2')
  }
  const { stdout, stderr } = succeeded(await watch(typed`-o ndjson`, 5))
  expect(names(stdout)).toEqual(['R#-2'])
  expect(stderr).not.toMatch(/[^.] The watch goes on/)
  const said = stderr.match(/The watch goes on|The platform answers again/g)
  expect(said).toEqual(['The watch goes on', 'The platform answers again'])
  expect(pauses.slice(0, 4)).toEqual([1000, 2000, 4000, 1000])
})

it('Ctrl-C ends watch with 130, and tells how to continue', async () => {
  const { watch } = await watched()
  expectEnd(await watch(['--since-last'], 1, 'interrupt'), 130, /Interrupted\.\n.*--since-last goes on/)
})

it('watch fails at once if the platform never answered', async () => {
  const { state, watch } = await watched()
  state.isDown = true
  ended(await watch([], 1), 7)
})

it.each([
  [typed`--interval 0s`, '--interval: "0s" is not from a second to 24 days'],
  [typed`--interval 25d`, '--interval: "25d" is not from a second to 24 days'],
  [typed`--interval often`, '--interval: "often" is not a duration'],
  [typed`--exec-timeout 0s`, '--exec-timeout: "0s" is not from a second to 24 days'],
  [typed`--exec-timeout 30d`, '--exec-timeout: "30d" is not from a second to 24 days'],
  [typed`--exec ${''}`, '--exec is empty'],
  [typed`--exec ${' '}`, '--exec is empty'],
])('watch refuses %j, and asks nothing of the platform', async (flags, message) => {
  const { state, env } = await watched()
  expectEnd(await runCli(typed`returns watch --since-last ${flags}`, { env }), 2, [message])
  expect(state.looks).toBe(0)
})

it('watch on the built-in sandbox goes on after its clock was moved past the life of a token', async () => {
  const env = freshHome()
  const run = runIn(env)
  succeeded(await run`sandbox reset --returns 5 --yes`)
  const end = new AbortController()
  let moving: Promise<unknown> | undefined
  let looksAfterwards = -1
  const { stdout } = succeeded(
    await runCli(typed`returns watch --interval 1s -o ndjson`, {
      env,
      terminate: end.signal,
      onPause: () => {
        moving ??= run`sandbox advance 10w`.then(() => (looksAfterwards = 0))
        if (looksAfterwards >= 0) looksAfterwards += 1
        if (looksAfterwards > 2) end.abort()
      },
    }),
  )
  await moving
  expect(names(stdout)).toContainEqual(expect.stringMatching('R#-'))
})

it('watch continues after a run that ended during its first look, and after a cut line', async () => {
  const { env, watch } = await watched()
  const end = new AbortController()
  // Takes the first, fails at the second, and the run ends before it is tried again.
  const command = `case "$(cat)" in *'"R#-1"'*) ;; *) exit 3;; esac`
  const flags = typed`--since-last --updated-from 2026-05-01T00:00 --time-zone UTC -o ndjson`
  const first = await runCli(typed`returns watch ${flags} --exec ${command}`, {
    env,
    terminate: end.signal,
    onPause: (forMs) => {
      if (forMs === 500) end.abort()
    },
  })
  expect(names(first.stdout)).toEqual(['R#-1'])
  const folder = join(env.RMA_DATA_DIR, 'watches')
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.ndjson'))
  expectPrivate(join(folder, file))
  appendFileSync(join(folder, file), '{"key":"R#-2","upda')
  const failing = [...flags, '--exec', `case "$(cat)" in *'"R#-2"'*) ;; *) exit 3;; esac`]
  expect(names((await watch(failing, 1)).stdout)).toEqual(['R#-2'])
  expect(names((await watch(typed`${flags} --exec 'cat >&2'`, 1)).stdout)).toEqual(['R#-3'])
})
