import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { newcomerEnv, spawnCli, withoutProgress } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

it('three commands, and one killed while it fills the data, see the same complete data', async () => {
  const home = newcomerEnv({ RMA_TIME_ZONE: 'UTC' })
  const list = typed`returns list --all -o ndjson`
  const killed = spawnCli(list, {
    env: home,
    onStart: (child) => {
      const poll = setInterval(() => {
        const begun = existsSync(home.RMA_DATA_DIR) && readdirSync(home.RMA_DATA_DIR).length > 0
        if (!begun && child.exitCode === null) return
        clearInterval(poll)
        child.kill('SIGKILL')
      }, 1)
    },
  })
  // test/system/sandbox-open.test.ts has eight processes open a fresh file at once.
  const others = await Promise.all(times(3, () => spawnCli(list, { env: home })))
  expect((await killed).signal).toBe('SIGKILL')
  for (const { code, stdout, stderr } of others) {
    expect(code).toBe(0)
    // The first process to open the data says so.
    expect(['', `Using the built-in sandbox (profile mock), data in ${home.RMA_DATA_DIR}\n`]).toContain(
      withoutProgress(stderr),
    )
    expect(stdout.trimEnd().split('\n')).toHaveLength(1200)
    expect(stdout).toBe(others[0]?.stdout)
  }
  expect((await spawnCli(list, { env: home })).stdout).toBe(others[0]?.stdout)
})
