import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { succeeded, typed } from '../helpers/command-line.ts'
import { BIN, spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

it('the doctor ends within seconds where neither a name server nor a credential process answers', async () => {
  // Another run of the tests has another one.
  const address = `127.77.${(process.pid >> 8) & 255}.${process.pid & 255}`
  const silent = createSocket('udp4').bind(53, address)
  await once(silent, 'listening')
  const env = spawnEnv()
  const add = typed`profiles add slow --base-url https://slow.example/v1 --use`
  succeeded(await spawnCli(typed`${add} --credential-process 'sleep 100'`, { env }))
  const resolv = join(`${env.HOME}`, 'resolv.conf')
  writeFileSync(resolv, `nameserver ${address}\noptions timeout:30 attempts:1\n`)
  const startedAt = performance.now()
  // A mount namespace makes this file the system's own.
  const script = 'mount --bind "$0" /etc/resolv.conf && exec "$@"'
  const words = typed`-m sh -c ${script} ${resolv} ${process.execPath} ${BIN} doctor --json`
  const { code, stdout } = await new Promise<{ code: unknown; stdout: string }>((resolve) => {
    execFile('unshare', words, { env }, (error, text) => resolve({ code: error?.code ?? 0, stdout: text }))
  })
  silent.close()
  expect(code).toBe(9)
  const { checks } = JSON.parse(stdout) as { checks: { id: string; observed: string }[] }
  const observed = (wanted: string) => checks.find(({ id }) => id === wanted)?.observed
  expect(observed('network.dns')).toContain('slow.example leads nowhere')
  expect(observed('token.expiry')).toContain('no end within 10 s')
  expect(performance.now() - startedAt).toBeLessThan(25_000)
})
