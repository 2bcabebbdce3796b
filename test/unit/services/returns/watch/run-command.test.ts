import { getEventListeners } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../../../../src/lib/services/returns/watch/run-command.ts'
import { newFolder, textFile } from '../../../../helpers/files.ts'

const never = new AbortController().signal
const pidFile = () => join(newFolder(), 'pid')
const env = { PATH: process.env.PATH, RMA_TOKEN: 'secret' }

/** True if the process has ended, even if its parent has not collected it. */
function isRunning(file: string) {
  try {
    return !/\) [ZX] /.test(textFile(`/proc/${Number(textFile(file))}/stat`))
  } catch {
    return false
  }
}

it.each([
  ['exit 0', undefined],
  ['exit 7', 'ended with exit code 7'],
  ['kill -9 $$', 'was ended by SIGKILL'],
  ['test "$(cat)" = "$WANTED"', undefined],
  ['test -z "$RMA_TOKEN"', undefined],
])('returns how %j ended', async (command, why) => {
  const options = { command, env: { ...env, WANTED: 'a record' }, timeoutMs: 60_000, halt: never }
  expect(await runCommand('a record\n', options)).toBe(why)
})

it('unread input and background processes do not block the command', async () => {
  const options = { command: 'sleep 60 >&- 2>&- & echo $! > "$PID"', timeoutMs: 60_000, halt: never }
  const file = pidFile()
  expect(await runCommand('x'.repeat(1_000_000), { ...options, env: { ...env, PID: file } })).toBe(undefined)
  process.kill(Number(textFile(file)))
})

it('ends a command that takes too long, and all that it started', async () => {
  const file = pidFile()
  const options = { command: 'sleep 60 & echo $! > "$PID"; wait', timeoutMs: 500, halt: never }
  expect(await runCommand('', { ...options, env: { ...env, PID: file } })).toBe('took longer than 0.5 s')
  await expect.poll(() => isRunning(file)).toBe(false)
})

it('kills a command that ignores SIGTERM', async () => {
  const file = pidFile()
  const halt = AbortSignal.timeout(500)
  const options = { command: 'trap "" TERM; echo $$ > "$PID"; sleep 60; sleep 60', timeoutMs: 60_000, halt }
  expect(await runCommand('', { ...options, env: { ...env, PID: file } })).toBe('was interrupted')
  await expect.poll(() => isRunning(file)).toBe(false)
})

it('commands leave no abort listeners behind', async () => {
  const { signal } = new AbortController()
  const options = { command: 'exit 0', env, timeoutMs: 60_000, halt: signal }
  for (let run = 0; run < 3; run++) await runCommand('', options)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
