import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const command = ['profiles', 'list', '--json']
const mock = [expect.objectContaining({ name: 'mock' })]

/** The one file of Node.js 20, or those that later versions keep. */
function keptFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}

async function list(env: Record<string, string>): Promise<unknown> {
  const { code, stdout, stderr } = await spawnCli(command, { env })
  expect([code, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

it('is kept for the owner alone, used again, and not written anew', async () => {
  const env = spawnEnv()
  const folder = env.RMA_CACHE_DIR ?? ''
  expect(await list(env)).toEqual(mock)
  const [file = ''] = keptFiles(folder)
  expect(statSync(file).size).toBeGreaterThan(1_000)
  expect(statSync(folder).mode & 0o077).toBe(0)
  const before = readFileSync(file)
  expect(await list(env)).toEqual(mock)
  expect(readFileSync(file)).toEqual(before)
})

it('says nothing of a cache that is broken or cut, and mends it', async () => {
  const env = spawnEnv()
  await list(env)
  const files = keptFiles(env.RMA_CACHE_DIR ?? '')
  const whole = files.map((file) => readFileSync(file))
  for (const spoil of [
    (bytes: Buffer) => bytes.fill(0, 40),
    (bytes: Buffer) => bytes.subarray(0, 1000),
    (bytes: Buffer) => bytes.fill(0x5a, bytes.length >> 1, (bytes.length >> 1) + 64),
    () => Buffer.from('x'),
  ]) {
    for (const [index, file] of files.entries()) writeFileSync(file, spoil(Buffer.from(whole[index] ?? '')))
    expect(await list(env)).toEqual(mock)
    expect(await list(env)).toEqual(mock)
  }
})

it('works without a place to keep it', async () => {
  const env = spawnEnv()
  const folder = env.RMA_CACHE_DIR ?? ''
  mkdirSync(join(folder, '..'), { recursive: true })
  writeFileSync(folder, 'a file where the folder should be')
  expect(await list(env)).toEqual(mock)
  const closed = spawnEnv()
  mkdirSync(closed.RMA_CACHE_DIR ?? '', { recursive: true })
  chmodSync(closed.RMA_CACHE_DIR ?? '', 0o500)
  expect(await list(closed)).toEqual(mock)
})

it('is not spoilt by a long list, which runs under other flags', async () => {
  const env = spawnEnv()
  const long = ['returns', 'list', '--all', '-o', 'ndjson', '-q']
  for (let round = 0; round < 2; round += 1) expect((await spawnCli(long, { env })).code).toBe(0)
  const files = keptFiles(env.RMA_CACHE_DIR ?? '')
  const before = files.map((file) => statSync(file).mtimeMs)
  expect(
    (
      await spawnCli(
        [...long, '--limit', '1'].filter((arg) => arg !== '--all'),
        { env },
      )
    ).code,
  ).toBe(0)
  expect((await spawnCli(long, { env })).code).toBe(0)
  expect(files.map((file) => statSync(file).mtimeMs)).toEqual(before)
})

it('asking for the version neither needs nor makes it', async () => {
  const env = spawnEnv()
  expect((await spawnCli(['--version'], { env })).code).toBe(0)
  expect(keptFiles(env.RMA_CACHE_DIR ?? '')).toEqual([])
})
