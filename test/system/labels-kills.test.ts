import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ndjson, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { contentOf, idsFrom, provenShipments, serviceWith } from '../helpers/saved-labels.ts'
import { spawnCli } from '../helpers/spawn-cli.ts'

it('a download that is killed again and again ends complete, without partial files', async () => {
  const BYTES = 200_000
  const ids = idsFrom(1, 240)
  const { env, requests } = await serviceWith(ids, BYTES)
  const out = newFolder()
  const argv = typed`labels download ${ids} --out ${out} -o ndjson -q`
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
        // Its output lags behind its work, so it is killed in the middle of other labels.
        if (stdout.split('\n').length > lines) child.kill('SIGKILL')
      },
    })
    expect(signal).toBe('SIGKILL')
    const now = checkFiles()
    expect(now).toBeGreaterThanOrEqual(Math.max(lines, saved))
    saved = now
  }
  expect(saved).toBeLessThan(ids.length)
  // A process that dies while it writes the list leaves this.
  const dead = { pid: 7, host: 'container', id: 'dead', alive: '.rma-none-0123456789abcdef.alive' }
  writeFileSync(join(out, '.manifest.json.lock'), JSON.stringify(dead))
  const requestsBefore = requests.length
  const { stdout } = succeeded(await spawnCli(argv, { env: env() }))
  expect(checkFiles()).toBe(ids.length)
  expect(provenShipments(out).sort()).toEqual([...ids].sort())
  succeeded(await spawnCli(typed`labels verify ${out}`, { env: env() }))
  const outcomes = ndjson(stdout).map(({ outcome }) => outcome)
  expect(outcomes).toContain('saved')
  // Only labels that the list lacked are asked for again.
  const present = outcomes.filter((outcome) => outcome === 'present').length
  expect(requests.length - requestsBefore).toBe(ids.length - present)
})
