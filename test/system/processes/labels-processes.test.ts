import { readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectEnd, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import { label, labelReturn, labelService, PDF } from '../../helpers/label-service.ts'
import { serviceWith } from '../../helpers/saved-labels.ts'
import { shell, spawnCli, spawnEnv, spawnEnvAt } from '../../helpers/spawn-cli.ts'
import { answering, runInTerminal } from '../../helpers/terminal.ts'

/*
 * Only whole processes can show this: several at once, one that is killed, one that is interrupted.
 */

it('a lock of a dead process is taken over at once, even if its number is in use again', async () => {
  const { env } = await serviceWith(['SHP-1'], 100)
  const out = newFolder()
  const alive = '.rma-none-0123456789abcdef.alive'
  const stale = { pid: process.pid, host: hostname(), id: 'dead', alive }
  writeFileSync(join(out, '.manifest.json.lock'), JSON.stringify(stale))
  const config = newFolder()
  writeFileSync(join(config, 'config.json.lock'), JSON.stringify(stale))
  const argv = typed`profiles add live --environment production --base-url https://api.example`
  const [download, add] = await Promise.all([
    spawnCli(typed`labels download SHP-1 --out ${out} -q`, { env: env() }),
    spawnCli(argv, { env: spawnEnv({ RMA_CONFIG_DIR: config }) }),
  ])
  expectEnd(download, 0, '')
  expect([add.code, readdirSync(config)], add.stderr).toEqual([0, ['config.json']])
  expect(readdirSync(out).sort()).toEqual(['SHP-1.pdf', 'manifest.json'])
})

it('another label for an ended transport is confirmed on a terminal', async () => {
  const service = await labelService({ returns: [labelReturn('R#-1', { status: 'SHIPPING_COMPLETED' })] })
  const env = spawnEnvAt(service.baseUrl)
  const argv = typed`labels create --for R#-1 --carrier-service TEST --another --out ${newFolder()}`
  const answered = async (answer: string) => {
    const { code, screen } = await runInTerminal(argv, {
      env,
      onOutput: answering('[y/N]', `${answer}\r`),
    })
    expect(screen.join(' ')).toContain('transport 1 is SHIPPING_COMPLETED. Make another label all the same?')
    return code
  }
  expect([await answered('n'), service.posts().length]).toEqual([2, 0])
  expect([await answered('y'), service.posts().length]).toEqual([0, 1])
})

it('the printed command that enters a code works in a shell', async () => {
  const carrierTrackingUrl = "https://track.example.com/?a=1&b='2'"
  const service = await labelService({
    returns: [labelReturn('R#-1')],
    labelsOf: () => [{ ...label(PDF, '$(exit 3) `x`'), carrierTrackingUrl }],
  })
  const env = spawnEnvAt(service.baseUrl)
  const argv = typed`labels create --for R#-1 --carrier-service TEST --out ${newFolder()} -q`
  const { stdout } = await spawnCli(typed`${argv} --jq .files[0].registerCommand`, { env })
  expect(service.puts()).toEqual([])
  expectEnd(await shell(stdout, { env }), 0, expect.not.stringContaining('Error'))
  expect(service.puts().at(-1)?.json).toMatchObject({
    shopCode: 'MODA-ES',
    shipmentId: 'R#-1',
    shippingLabels: [{ carrierTrackingCode: '$(exit 3) `x`', carrierTrackingUrl }],
  })
})
