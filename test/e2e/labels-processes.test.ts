import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { label, labelRequest, labelService, PDF } from '../helpers/label-service.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

/*
 * What only whole processes can show: several at once, one that is killed, one that is interrupted.
 */

const folder = () => mkdtempSync(join(tmpdir(), 'rma-processes-'))
const idsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_unused, index) => `SHP-${first + index}`)

/** A different label for each shipment, large enough that it is not written at one stroke. */
const contentOf = (id: string, bytes: number) => Buffer.concat([PDF, Buffer.alloc(bytes, `${id} `)])

async function serviceWith(ids: readonly string[], bytes: number) {
  const service = await labelService()
  for (const id of ids) {
    const set = { clientShipmentId: id, shippingLabels: [label(contentOf(id, bytes))] }
    service.made.set(id, [set])
  }
  const env = () => spawnEnv({ RMA_BASE_URL: service.baseUrl, RMA_TOKEN: 'token' })
  return { ...service, env }
}

/** Shipments of a manifest; each of its files must be what it says. */
function provenShipments(out: string): string[] {
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  return manifest.labels.map((entry: { clientShipmentId: string; path: string; sha256: string }) => {
    const digest = createHash('sha256').update(readFileSync(join(out, entry.path)))
    expect(digest.digest('hex')).toBe(entry.sha256)
    return entry.clientShipmentId
  })
}

it('processes that save into one folder at once lose nothing of each other', async () => {
  const PROCESSES = 5
  const all = idsFrom(1, PROCESSES * 20 + 10)
  const { env } = await serviceWith(all, 10_000)
  const out = folder()
  // Neighbours have ten shipments in common.
  const runs = Array.from({ length: PROCESSES }, (_unused, index) =>
    spawnCli(['labels', 'download', ...idsFrom(1 + index * 20, 30), '--out', out, '-q'], { env: env() }),
  )
  for (const { code, stderr } of await Promise.all(runs)) expect([code, stderr]).toEqual([0, ''])
  expect(provenShipments(out).sort()).toEqual([...all].sort())
  expect(readdirSync(out).sort()).toEqual([...all.map((id) => `${id}.pdf`), 'manifest.json'].sort())
  expect((await spawnCli(['labels', 'verify', out], { env: env() })).code).toBe(0)
}, 60_000)

it('a lock whose process died is taken over at once, though another process has its number now', async () => {
  const { env } = await serviceWith(['SHP-1'], 100)
  const out = folder()
  const stale = { pid: process.pid, host: hostname(), started: '1', id: 'dead' }
  writeFileSync(join(out, '.manifest.json.lock'), JSON.stringify(stale))
  const config = folder()
  writeFileSync(join(config, 'config.json.lock'), JSON.stringify(stale))
  const argv = ['profiles', 'add', 'live', '--environment', 'production', '--base-url', 'https://api.example']
  const [download, add] = await Promise.all([
    spawnCli(['labels', 'download', 'SHP-1', '--out', out, '-q'], { env: env() }),
    spawnCli(argv, { env: spawnEnv({ RMA_CONFIG_DIR: config }) }),
  ])
  expect([download.code, download.stderr]).toEqual([0, ''])
  expect([add.code, readdirSync(config)], add.stderr).toEqual([0, ['config.json']])
  expect(readdirSync(out).sort()).toEqual(['SHP-1.pdf', 'manifest.json'])
})

it('killed again and again, a download is whole in the end, and no file ever is half of a label', async () => {
  const BYTES = 200_000
  const ids = idsFrom(1, 240)
  const { env, requests } = await serviceWith(ids, BYTES)
  const out = folder()
  const argv = ['labels', 'download', ...ids, '--out', out, '-o', 'ndjson', '-q']
  const checkFiles = () => {
    const names = readdirSync(out).filter((name) => name.endsWith('.pdf') && !name.startsWith('.'))
    for (const name of names) {
      const expected = contentOf(name.slice(0, -4), BYTES)
      expect(readFileSync(join(out, name)).equals(expected)).toBe(true)
    }
    return names.length
  }
  let saved = 0
  for (const lines of [20, 70, 130]) {
    const { signal } = await spawnCli(argv, {
      env: env(),
      onOutput: (stdout, _stderr, child) => {
        // What it prints lags behind what it does, so that it is in the middle of other labels.
        if (stdout.split('\n').length > lines) child.kill('SIGKILL')
      },
    })
    expect(signal).toBe('SIGKILL')
    const now = checkFiles()
    expect(now).toBeGreaterThanOrEqual(Math.max(lines, saved))
    saved = now
  }
  expect(saved).toBeLessThan(ids.length)
  // As a process that dies while it writes the list leaves it.
  const dead = { pid: 4_194_305, host: hostname(), started: '1', id: 'dead' }
  writeFileSync(join(out, '.manifest.json.lock'), JSON.stringify(dead))
  const requestsBefore = requests.length
  const { code, stdout } = await spawnCli(argv, { env: env() })
  expect(code).toBe(0)
  expect(checkFiles()).toBe(ids.length)
  expect(provenShipments(out).sort()).toEqual([...ids].sort())
  expect((await spawnCli(['labels', 'verify', out], { env: env() })).code).toBe(0)
  const outcomes = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).outcome)
  expect(outcomes).toContain('saved')
  // Nothing that is there is asked for again without need: only what the list did not have yet.
  const present = outcomes.filter((outcome) => outcome === 'present').length
  expect(requests.length - requestsBefore).toBe(ids.length - present)
}, 60_000)

it('Ctrl-C while a carrier that has made the label does not answer: said so, and no second label', async () => {
  const service = await labelService({
    afterMaking: (index) => (index === 0 ? { fault: 'hang' } : undefined),
  })
  const env = spawnEnv({ RMA_BASE_URL: service.baseUrl, RMA_TOKEN: 'token' })
  const out = folder()
  const argv = ['labels', 'create', '--from', '-', '--out', out, '--json']
  const stdin = JSON.stringify(labelRequest('SHP-1'))
  const running = spawnCli(argv, {
    env,
    stdin,
    onStart: (child) => {
      const timer = setInterval(() => {
        if (service.posts().length === 0) return
        clearInterval(timer)
        child.kill('SIGINT')
      }, 20)
      child.once('exit', () => clearInterval(timer))
    },
  })
  const { code, stdout, stderr } = await running
  expect([code, stdout]).toEqual([130, expect.not.stringContaining('SHP-1')])
  expect(stderr).toMatch(/SHP-1: the label may have been made; the same command finds it/)
  expect(readdirSync(out)).toEqual([])
  const again = await spawnCli(argv, { env, stdin })
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout).files).toMatchObject([{ clientShipmentId: 'SHP-1', outcome: 'existing' }])
  expect(service.posts()).toHaveLength(1)
  expect(service.made.get('SHP-1')).toHaveLength(1)
}, 60_000)
