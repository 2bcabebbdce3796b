import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type Env, ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { newcomerEnv, spawnCli } from '../../helpers/spawn-cli.ts'

const command = typed`profiles list --json`
const mock = [expect.objectContaining({ name: 'mock' })]

function keptFiles({ RMA_CACHE_DIR: folder = '' }: Env) {
  if (!existsSync(folder)) return []
  // The executable unpacks its files beside it.
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('program-'))
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
}

async function list(env: Env, uid?: number) {
  return jsonOf(expectEnd(await spawnCli(command, { env, ...(uid === undefined ? {} : { uid }) }), 0, ''))
}

it('the code cache is private, used again, and not rewritten', async () => {
  const env = newcomerEnv()
  const folder = env.RMA_CACHE_DIR
  expect(await list(env)).toEqual(mock)
  const [file = ''] = keptFiles(env)
  expect(statSync(file).size).toBeGreaterThan(1_000)
  expect(statSync(folder).mode & 0o077).toBe(0)
  const before = readFileSync(file)
  expect(await list(env)).toEqual(mock)
  // `toEqual` would take five seconds to compare the bytes one by one.
  expect(readFileSync(file).equals(before)).toBe(true)
})

it('a broken or cut code cache is repaired without a message', async () => {
  const env = newcomerEnv()
  await list(env)
  const files = keptFiles(env)
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

it('compiled code of another build is not used', async () => {
  const env = newcomerEnv()
  await spawnCli(typed`profiles list`, { env })
  const [file = ''] = keptFiles(env)
  const bytes = readFileSync(file)
  bytes.write('0'.repeat(32), bytes.indexOf('"build":"') + 9)
  writeFileSync(file, summed(plant(bytes)))
  expect((await spawnCli(typed`profiles list`, { env })).stdout).toContain('built-in sandbox')
})

it('a command works without a place for the code cache', async () => {
  const env = newcomerEnv()
  const folder = env.RMA_CACHE_DIR
  mkdirSync(join(folder, '..'), { recursive: true })
  writeFileSync(folder, 'a file where the folder should be')
  expect(await list(env)).toEqual(mock)
  const closed = newcomerEnv()
  mkdirSync(closed.RMA_CACHE_DIR, { recursive: true })
  // Root may write anywhere, so another user has to.
  for (const place of [closed.HOME, closed.RMA_CACHE_DIR]) chmodSync(place, 0o555)
  expect(await list(closed, process.getuid?.() === 0 ? 12_345 : undefined)).toEqual(mock)
  expect(keptFiles(closed)).toEqual([])
})

it('a long list, which runs under other flags, does not spoil the code cache', async () => {
  const env = newcomerEnv()
  const long = typed`returns list --all -o ndjson -q`
  for (let round = 0; round < 2; round += 1) expect((await spawnCli(long, { env })).code).toBe(0)
  const files = keptFiles(env)
  const before = files.map((file) => statSync(file).mtimeMs)
  succeeded(
    await spawnCli(
      [...long, '--limit', '1'].filter((arg) => arg !== '--all'),
      { env },
    ),
  )
  succeeded(await spawnCli(long, { env }))
  expect(files.map((file) => statSync(file).mtimeMs)).toEqual(before)
})

it('--version neither needs nor makes a code cache', async () => {
  const env = newcomerEnv()
  succeeded(await spawnCli(['--version'], { env }))
  expect(keptFiles(env)).toEqual([])
})

/** A change that shows in what the cached code of a build does: another word for the profile's place. */
const plant = (bytes: Buffer) => {
  const at = bytes.indexOf('built-in sandbox')
  expect(at, 'the cached code has its texts in it').toBeGreaterThan(0)
  return Buffer.concat([bytes.subarray(0, at), Buffer.from('PLANTED: sandbox'), bytes.subarray(at + 16)])
}

/** With the checksums that the program would give it. */
function summed(bytes: Buffer) {
  const codesAt = 8 + bytes.readUInt32LE(4)
  const index = JSON.parse(bytes.toString('utf8', 8, codesAt))
  for (const entry of Object.values<number[]>(index.codes)) {
    const [start = 0, length = 0] = entry
    entry[2] = crc32(bytes.subarray(codesAt + start, codesAt + start + length))
  }
  const text = Buffer.from(JSON.stringify(index))
  const header = Buffer.alloc(8)
  header.writeUInt32LE(crc32(text), 0)
  header.writeUInt32LE(text.length, 4)
  return Buffer.concat([header, text, bytes.subarray(codesAt)])
}

describe.runIf(process.getuid?.() === 0)('who may have written it', () => {
  const planted = async () => {
    const env = newcomerEnv()
    const run = async () => (await spawnCli(typed`profiles list`, { env })).stdout
    await run()
    const [file = ''] = keptFiles(env)
    writeFileSync(file, summed(plant(readFileSync(file))))
    return { env, file, run }
  }

  it('code that the owner put into the cache runs', async () => {
    const { run } = await planted()
    expect(await run()).toContain('PLANTED')
  })

  it.each([
    ['that others may write', (file) => chmodSync(file, 0o602)],
    ['that the group may write', (file: string) => chmodSync(file, 0o620)],
    ['that belongs to another user', (file: string) => chownSync(file, 12_345, 12_345)],
  ])('one %s is not loaded, and made anew', async (_name, spoil) => {
    const { file, run } = await planted()
    spoil(file)
    expect(await run()).toContain('built-in sandbox')
    expect([statSync(file).uid, statSync(file).mode & 0o777]).toEqual([0, 0o600])
    expect(await run()).toContain('built-in sandbox')
  })

  it('root’s cache is loaded by others, if nobody else may write it', async () => {
    const { env, file } = await planted()
    for (const folder of [env.HOME, env.RMA_CACHE_DIR]) chmodSync(folder, 0o755)
    chmodSync(file, 0o644)
    const asOther = async () => (await spawnCli(typed`profiles list`, { env, uid: 12_345 })).stdout
    expect(await asOther()).toContain('PLANTED')
    chmodSync(file, 0o646)
    expect(await asOther()).toContain('built-in sandbox')
  })
})

it('a run that ends as a bug removes the code cache', async () => {
  const env = newcomerEnv()
  await list(env)
  expect(keptFiles(env)).not.toEqual([])
  const hook = join(env.HOME, 'hook.cjs')
  writeFileSync(hook, "require('node:fs').existsSync = () => { throw new Error('out of nowhere') }")
  ended(await spawnCli(command, { env: { ...env, NODE_OPTIONS: `--require=${hook}` } }), 1)
  expect(keptFiles(env)).toEqual([])
  await list(env)
  expect(keptFiles(env)).not.toEqual([])
})
