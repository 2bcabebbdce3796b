import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { root } from '../helpers/run-cli.ts'

/* What users get: the package as npm packs and installs it, into an empty place, for a user who has nothing yet. */

const run = promisify(execFile)
const place = mkdtempSync(join(tmpdir(), 'rma-package-'))
const prefix = join(place, 'prefix')
const home = join(place, 'home')
const PATIENCE_MS = 180_000

/** npm's own cache and settings stay: where the registry can't be reached, what was fetched before will do. */
async function npm(cwd: string, ...argv: string[]): Promise<string> {
  const { stdout } = await run('npm', argv, { cwd, env: process.env })
  return stdout
}

async function packAndInstall(folder: string): Promise<void> {
  const target = mkdtempSync(join(place, 'tarball-'))
  await npm(folder, 'pack', '--ignore-scripts', '--pack-destination', target)
  const [tarball = ''] = readdirSync(target)
  const flags = ['--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund']
  await npm(place, 'install', ...flags, join(target, tarball))
}

/** The same command with other words, built by the same build: `returns list` says so in its help and in its output. */
async function otherBuild(): Promise<string> {
  const folder = join(place, 'other')
  const names = ['src', 'bin', 'build.mjs', 'package.json', 'CHANGELOG.md', 'README.md', 'LICENSE']
  for (const name of names) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const view = join(folder, 'src/lib/output/views/profiles.ts')
  const before = readFileSync(view, 'utf8')
  // As long as before: the size must not tell.
  const after = before.replaceAll('built-in sandbox', 'BUILT-IN SANDBOX')
  expect(after).not.toBe(before)
  writeFileSync(view, after)
  await run(process.execPath, ['build.mjs'], { cwd: folder })
  return folder
}

/** As in an image whose builder sets all times to one. */
function setTimes(): void {
  const installed = join(prefix, 'lib/node_modules/rma-cli')
  for (const entry of readdirSync(installed, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), 0, 499_162_500)
  }
}

async function rma(...argv: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TZ: 'UTC' }
  return run(join(prefix, 'bin/rma'), argv, { cwd: place, env })
}

describe('the installed package', () => {
  beforeAll(() => packAndInstall(root), PATIENCE_MS)

  it('runs: ten commands, on a home where nothing is', { timeout: PATIENCE_MS }, async () => {
    expect((await rma('--version')).stdout).toMatch(/^rma-cli\/\d/)
    expect((await rma('--help')).stdout).toMatch(/returns +Find and read/)
    expect((await rma('labels', 'create', '--help')).stdout).toMatch(/--carrier-service/)
    const listed = JSON.parse((await rma('returns', 'list', '--limit', '3', '--json')).stdout)
    expect(listed.returns).toHaveLength(3)
    const name = (await rma('returns', 'list', '--limit', '1', '--jq', '.returns[0].name')).stdout.trim()
    expect(name).toBe(listed.returns[0].name)
    expect((await rma('returns', 'get', name, '-o', 'yaml')).stdout).toMatch(/^id: /m)
    expect((await rma('sandbox', 'token')).stdout).toMatch(/\./)
    expect((await rma('-n', 'tracking', 'push', name, '--status', 'SHIPPING_IN_PROGRESS')).stdout).toMatch(
      /^POST/,
    )
    expect((await rma('api', 'GET', '/returns', '-f', 'limit=1')).stdout).toContain('"returns"')
    expect((await rma('profiles', 'add', 'x', '--base-url', 'https://returns.example/v1')).stdout).toMatch(
      /Added/,
    )
    expect((await rma('profiles', 'list')).stdout).toMatch(/built-in sandbox/)
  })

  it('after an upgrade the new build runs, whatever the times of its files', {
    timeout: PATIENCE_MS,
  }, async () => {
    setTimes()
    for (let round = 0; round < 2; round += 1) {
      expect((await rma('profiles', 'list')).stdout).toMatch(/built-in sandbox/)
    }
    await packAndInstall(await otherBuild())
    setTimes()
    for (let round = 0; round < 2; round += 1) {
      expect((await rma('profiles', 'list')).stdout).toMatch(/BUILT-IN SANDBOX/)
      expect((await rma('returns', 'list', '--limit', '1')).stdout).toMatch(/^NAME/)
    }
  })
})
