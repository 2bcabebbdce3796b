import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { jsonFile, newFolder } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

const SECONDS_BEFORE_KILL = 20

test('a minute of fuzzing finds no fault, and continues after it was killed', {
  timeout: 240_000,
}, async () => {
  const folder = newFolder()
  const start = () => {
    const child = spawn(process.execPath, ['tools/fuzz.mjs', '--minutes', '1', '--folder', folder], {
      cwd: root,
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
    const ended = new Promise<string>((resolve) => child.once('close', (code) => resolve(`${code} ${text}`)))
    return { child, ended }
  }
  const killed = start()
  await delay(SECONDS_BEFORE_KILL * 1000)
  killed.child.kill('SIGKILL')
  await killed.ended
  const state = () => jsonFile(join(folder, 'state.json'))
  const before = state()
  const began = performance.now()
  expect(await start().ended).toMatch(/^0 /)
  expect(performance.now() - began).toBeLessThan(55_000)
  const { round, targets } = state()
  expect(round).toBe(0)
  for (const [name, { cases }] of Object.entries<{ cases: number }>(targets)) {
    expect(cases, name).toBeGreaterThanOrEqual(Math.max(1, before.targets[name].cases))
  }
})
