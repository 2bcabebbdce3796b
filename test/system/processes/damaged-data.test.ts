import { copyFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { type Env, expectEnd, succeeded, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import { spawnCli, spawnEnv } from '../../helpers/spawn-cli.ts'

const LIST = typed`returns list --limit 3 -o json`
const list = (env: Env) => spawnCli(LIST, { env })
let good: Buffer

beforeAll(async () => {
  const env = spawnEnv()
  succeeded(await list(env))
  good = readFileSync(join(env.RMA_DATA_DIR, 'sandbox.db'))
})

/** A copy of the data in which each place that holds `text` has a byte that is not UTF-8. */
function withoutUtf8(text: string) {
  const data = Buffer.from(good)
  for (let at = data.indexOf(text); at !== -1; at = data.indexOf(text, at + 1)) data[at + 2] = 0xff
  return data
}

function overwritten(from: number, bytes: number) {
  return Buffer.from(good).fill(0xa5, from, from + bytes)
}

it.each([
  ['text of customers that is none', () => withoutUtf8('"email"')],
  ['names of returns that are none', () => withoutUtf8('R#-')],
  ['a page in the middle', () => overwritten(Math.floor(good.length / 2 / 4096) * 4096, 200)],
  ['the table of the shops', () => overwritten(8192, 100)],
  ['its first page', () => overwritten(100, 50)],
  ['half of it is missing', () => good.subarray(0, good.length / 2)],
  ['another file', () => Buffer.from('a text that somebody has put there under this name'.repeat(100))],
])('sandbox.db is damaged: %s: exit 3 with what to do, and the file is as it was', async (_name, damage) => {
  const folder = join(newFolder(), 'd $(id)')
  const env = { ...spawnEnv(), RMA_DATA_DIR: folder }
  mkdirSync(folder)
  const file = join(folder, 'sandbox.db')
  const damaged = damage()
  writeFileSync(file, damaged)
  const { code, signal, stdout, stderr } = await list(env)
  expect([code, signal, stdout]).toEqual([3, null, ''])
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({
    kind: 'config',
    hints: [`move it away and start anew: mv '${file}' '${file}.damaged'`, expect.anything()],
  })
  expect(error.message).toMatch(/sandbox\.db is damaged \(.*It is left as it is/)
  expect(readFileSync(file).equals(damaged)).toBe(true)
})

it('undamaged data are used as they are', async () => {
  const env = spawnEnv()
  const folder = env.RMA_DATA_DIR
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'sandbox.db'), good)
  copyFileSync(join(folder, 'sandbox.db'), join(folder, 'kept.db'))
  const [one, two] = [await list(env), await list(env)]
  expect([one.code, two.code, two.stdout]).toEqual([0, 0, one.stdout])
})

it('large data are checked once, and again after another program changed them', async () => {
  const env = spawnEnv()
  const file = join(env.RMA_DATA_DIR, 'sandbox.db')
  succeeded(await spawnCli(typed`sandbox reset -y --returns 5000`, { env }))
  const data = readFileSync(file)
  expect(data.length).toBeGreaterThan(8_000_000)
  const note = () => readFileSync(`${file}.sound`, 'utf8')
  const sound = note()
  succeeded(await list(env))
  expect([note(), statSync(`${file}.sound`).mode & 0o777]).toEqual([sound, 0o600])
  for (let at = data.indexOf('"email"'); at !== -1; at = data.indexOf('"email"', at + 1)) data[at + 2] = 0xff
  const { mtime } = statSync(file)
  writeFileSync(file, data)
  // Another program may put the old time back.
  utimesSync(file, mtime, mtime)
  const { signal } = expectEnd(
    await list(env),
    3,
    /sandbox\.db is damaged \(the table .* holds text that is not valid UTF-8\)/,
  )
  expect(signal).toEqual(null)
  expect(readFileSync(file).equals(data)).toBe(true)
})
