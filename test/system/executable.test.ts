import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { copySources } from '../helpers/copy-sources.ts'
import { newFolder } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

/* One file that needs nothing installed, run where there is nothing else: no PATH, hence no node and no npm. */

const run = promisify(execFile)
const place = newFolder()
const PATIENCE_MS = 180_000

function newHome(name: string) {
  const home = join(place, name)
  mkdirSync(home)
  return home
}

const rmaIn = (home: string, env: NodeJS.ProcessEnv, ...argv: string[]) =>
  run(join(place, 'rma-linux-x64'), argv, { cwd: place, env: { PATH: '', HOME: home, TZ: 'UTC', ...env } })

const unpackedIn = (cache: string) => readdirSync(cache).filter((name) => name.startsWith('program-'))

const home = newHome('home')
const rma = (...argv: string[]) => rmaIn(home, {}, ...argv)

beforeAll(async () => {
  const sources = copySources(join(place, 'sources'), { isBuilt: true })
  // Node.js is fetched once for all runs.
  for (const folder of [join(root, '.tmp/nodes'), join(sources, '.tmp')])
    mkdirSync(folder, { recursive: true })
  symlinkSync(join(root, '.tmp/nodes'), join(sources, '.tmp/nodes'))
  await run(process.execPath, ['tools/executable.mjs', '--to', place, 'linux-x64'], { cwd: sources })
}, PATIENCE_MS)

it('the executable runs on an empty home, four at once, and is unpacked once', {
  timeout: PATIENCE_MS,
}, async () => {
  const said = await Promise.all([1, 2, 3, 4].map(() => rma('--version')))
  for (const { stdout } of said) expect(stdout).toMatch(/^rma-cli\/\S+ linux-x64 node-v26/)
  expect(unpackedIn(join(home, '.cache/rma'))).toHaveLength(1)
})

it('the executable removes unpacked files of other builds, unless they may be in use', {
  timeout: PATIENCE_MS,
}, async () => {
  const home = newHome('older')
  const cache = join(home, '.cache/rma')
  const older = (name: string, ...users: string[]) => {
    mkdirSync(join(cache, name, 'users'), { recursive: true })
    for (const pid of users) writeFileSync(join(cache, name, 'users', pid), '')
  }
  const [, namespace] = /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid')) ?? []
  const gone = `${spawnSync('true').pid}-${namespace}`
  older('program-dead', gone)
  older('program-left')
  older('program-alive', gone, `${process.pid}-${namespace}`)
  // This process belongs to another container.
  older('program-elsewhere', '1-1')
  mkdirSync(join(cache, 'program-cut-x1y2z3'))
  await rmaIn(home, {}, '--version')
  const kept = ['program-alive', 'program-elsewhere']
  const [own, ...others] = unpackedIn(cache).filter((name) => !kept.includes(name))
  expect([unpackedIn(cache), others]).toEqual([expect.arrayContaining(kept), []])
  expect(own).toMatch(/^program-[\da-f]{32}$/)
  expect(readdirSync(join(cache, own ?? '', 'users'))).toEqual([])
})

it('the executable has the sandbox, jq, reports and label drawing', { timeout: PATIENCE_MS }, async () => {
  const name = (await rma('returns', 'list', '--limit', '1', '--jq', '.returns[0].name')).stdout.trim()
  expect(name).toMatch(/^R#-/)
  expect((await rma('returns', 'get', name, '-o', 'yaml')).stdout).toMatch(/^id: /m)
  const push = await rma('-n', 'tracking', 'push', name, '--status', 'SHIPPING_IN_PROGRESS')
  expect(push.stdout).toMatch(/^POST/)
  writeFileSync(join(place, 'one.zpl'), '^XA^PW800^LL1200^FO60,60^A0N,60^FDR-1001^FS^XZ')
  await rma('labels', 'print', 'one.zpl', '--sheet', '4x6', '--out', 'sheet.pdf')
  expect(readFileSync(join(place, 'sheet.pdf'), 'latin1')).toMatch(/^%PDF-/)
  await expect(rma('returns', 'get', 'R#-0')).rejects.toMatchObject({
    code: expect.any(Number),
    stdout: '',
  })
})

it('the executable runs without a cache, and leaves nothing', { timeout: PATIENCE_MS }, async () => {
  const [cache, tmp] = [join(place, 'a file'), newHome('tmp')]
  writeFileSync(cache, '')
  const { stdout } = await rmaIn(home, { RMA_CACHE_DIR: cache, TMPDIR: tmp }, '--version')
  expect(stdout).toMatch(/^rma-cli\//)
  expect(readdirSync(tmp)).toEqual([])
})
