import { createHash } from 'node:crypto'
import { readFileSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectEnd, jsonOf, ndjson, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { shell, spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { valuesOf } from '../helpers/values-of.ts'

const platform = usePlatform({ returns: 3000 })
const env = () => spawnEnv({ RMA_BASE_URL: platform.baseUrl, RMA_TOKEN: platform.token })

it('repeated kill -9 changes nothing in an export', async () => {
  const out = join(newFolder(), 'returns.ndjson')
  const argv = typed`returns export --out ${out} --json`
  const throughout: string[] = valuesOf(await listed(), 'id')
  let kills = 0
  for (const bytes of [200, 500_000, 1_500_000, 3_000_000]) {
    const { signal } = await spawnCli(argv, {
      env: env(),
      onStart: (child) => {
        const look = setInterval(() => {
          if (sizeOf(`${out}.partial`) < bytes) return
          child.kill('SIGKILL')
          clearInterval(look)
        }, 5)
        child.on('exit', () => clearInterval(look))
      },
    })
    if (signal === 'SIGKILL') kills += 1
    await platform.sandbox.control.advance(3600)
  }
  expect(kills).toBe(4)
  const { stdout } = expectEnd(await spawnCli(argv, { env: env() }), 0, /^Going on after \d+ returns/m)
  const ids = valuesOf(ndjson(readFileSync(out, 'utf8')), 'id')
  expect(new Set(ids).size).toBe(ids.length)
  const held = new Set(ids)
  expect(throughout.filter((id) => !held.has(id))).toEqual([])
  expect(JSON.parse(stdout)).toMatchObject({ complete: true, records: ids.length })
}, 300_000)

it('kill -9 while the file is rewritten keeps the old export, and the next run replaces it', async () => {
  const folder = newFolder()
  const out = join(folder, 'returns.ndjson')
  // Half of the returns.
  const argv = typed`returns export --created-from 2026-05-01 --out ${out} --json`
  const first = await spawnCli(argv, { env: env() })
  const { signal } = await spawnCli(argv, {
    env: env(),
    onStart: (child) => {
      const look = watch(folder, (_event, name) => {
        if (name?.startsWith('.returns.ndjson.tmp-')) child.kill('SIGKILL')
      })
      child.on('exit', () => look.close())
    },
  })
  const { sha256 } = jsonOf(first)
  const left = createHash('sha256').update(readFileSync(out)).digest('hex')
  const again = await spawnCli(argv, { env: env() })
  expect([signal, left, again.code]).toEqual(['SIGKILL', sha256, 0])
}, 300_000)

it('a full disk keeps what was read, and the export continues when there is room', async () => {
  const disk = newFolder()
  const script = `
    mount -t tmpfs -o size=2m tmpfs "$DISK"
    "$NODE_BIN" "$RMA_BIN" returns export --out "$DISK/returns.csv" || echo "exit $?"
    mount -o remount,size=64m "$DISK"
    "$NODE_BIN" "$RMA_BIN" returns export --out "$DISK/returns.csv" --jq '[.records,.complete]|tostring'
    ls -A "$DISK"`
  const { stdout, stderr } = await shell(`exec unshare -rm sh -ec '${script.replaceAll("'", `'\\''`)}'`, {
    env: { ...env(), DISK: disk },
  })
  expect(stdout).toMatch(/^exit 7\n\[3\d{3},true\]\nreturns\.csv\nreturns\.csv\.manifest\.json\n$/)
  expect(stderr).toMatch(/the disk is full \(ENOSPC\).*goes on.*Going on after \d+ returns/s)
}, 300_000)

async function listed(): Promise<{ id: string }[]> {
  return jsonOf(await platform.run`returns list --all --json`).returns
}

function sizeOf(path: string) {
  try {
    return statSync(path).size
  } catch {
    return 0
  }
}
