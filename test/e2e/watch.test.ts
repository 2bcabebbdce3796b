import type { ChildProcess } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { changingPlatform } from '../helpers/changing-platform.ts'
import { ndjson, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { spawnCli, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

/* The built command, ended from outside. */

const WATCH = typed`returns watch --since-last --interval 1s --retries 0 -o ndjson`
const names = (text: string) => valuesOf(ndjson(text), 'name')

async function watched() {
  const platform = await changingPlatform()
  const env = spawnEnvAt(platform.server.baseUrl)
  /** Watches until a number of returns was written, then sends the signal. */
  const watch = (lines: number, signal: NodeJS.Signals, ...more: string[]) =>
    spawnCli([...WATCH, ...more], {
      env,
      onOutput: (stdout, _stderr, child) => stdout.split('\n').length > lines && child.kill(signal),
    })
  return { ...platform, env, watch }
}

it('a watch ended by Ctrl-C tells how to continue, and continues there', async () => {
  const { state, change, watch } = await watched()
  state.onLook = (look) => look === 2 && change('R#-1')
  const first = await watch(1, 'SIGINT')
  expect([first.code, names(first.stdout)]).toEqual([130, ['R#-1']])
  expect(JSON.parse(first.stderr.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
    error: { kind: 'interrupted', exitCode: 130, hints: ['the same with --since-last goes on'] },
  })
  change('R#-2')
  const second = await watch(1, 'SIGTERM')
  expect([second.code, names(second.stdout)]).toEqual([0, ['R#-2']])
})

it('a watch killed while its command runs repeats that return, and none before it', async () => {
  const { state, change, env, watch } = await watched()
  const log = join(newFolder(), 'log')
  state.onLook = (look) => {
    if (look === 2) for (const name of ['R#-1', 'R#-2', 'R#-3']) change(name)
  }
  // At the second one it waits until the watch is gone.
  const wait = `n=0; while [ $name = R#-2 ] && [ ! -e ${log}.killed ] && [ $n -lt 200 ]; do n=$((n+1)); sleep 0.1; done`
  const exec = `name=$(grep -o 'R#-[0-9]' | head -n 1); echo $name >> ${log}; echo got $name; ${wait}`
  const killed = await spawnCli(typed`${WATCH} --exec ${exec}`, {
    env,
    onOutput: (_stdout, stderr, child) => {
      if (!stderr.includes('got R#-2')) return
      child.kill('SIGKILL')
      writeFileSync(`${log}.killed`, '')
    },
  })
  expect([killed.signal, names(killed.stdout)]).toEqual(['SIGKILL', ['R#-1']])
  const log1 = textFile(log)
  expect(log1).toBe('R#-1\nR#-2\n')
  const again = await watch(2, 'SIGTERM', '--exec', exec)
  expect([again.code, names(again.stdout)]).toEqual([0, ['R#-2', 'R#-3']])
  expect(textFile(log)).toBe(`${log1}R#-2\nR#-3\n`)
})

it('a watch with twelve commands causes no warning of Node.js', async () => {
  const { state, change, watch } = await watched()
  const twelve = times(12, (index) => `R#-${index + 1}`)
  state.onLook = (look) => {
    if (look === 2) for (const name of twelve) change(name)
  }
  const { stdout, stderr } = succeeded(await watch(12, 'SIGTERM', '--exec', 'true'))
  expect(names(stdout)).toEqual(twelve)
  expect(stderr).not.toMatch('Warning')
})

it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a watch ended by %s during its first look starts again, with a private state file',
  async (signal) => {
    const { state, change, env, watch } = await watched()
    let running: ChildProcess | undefined
    state.onLook = (look) => look === 1 && running?.kill(signal)
    const first = await spawnCli(WATCH, {
      env,
      onStart: (child) => {
        running = child
      },
    })
    expect([first.stdout, first.code === 1]).toEqual(['', false])
    state.looks = 0
    state.onLook = (look) => look === 2 && change('R#-2')
    const second = await watch(1, 'SIGTERM')
    expect([second.code, names(second.stdout)], second.stderr).toEqual([0, ['R#-2']])
    const folder = join(env.RMA_DATA_DIR, 'watches')
    const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)
    expect(modes.length).toBeGreaterThan(0)
    expect(new Set(modes)).toEqual(new Set([0o600]))
  },
)
