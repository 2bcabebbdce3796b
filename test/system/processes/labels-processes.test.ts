import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { label, labelRequest, labelReturn, labelService, PDF } from '../../helpers/label-service.ts'
import { newFolder } from '../../helpers/new-folder.ts'
import { signalAfterPosts } from '../../helpers/open-purchases.ts'
import { idsFrom, provenShipments, serviceWith } from '../../helpers/saved-labels.ts'
import { shell, spawnCli, spawnEnv, spawnEnvAt } from '../../helpers/spawn-cli.ts'
import { answering, runInTerminal } from '../../helpers/terminal.ts'

/*
 * Only whole processes can show this: several at once, one that is killed, one that is interrupted.
 */

it('processes that save into one folder at once lose no label', async () => {
  const PROCESSES = 5
  const all = idsFrom(1, PROCESSES * 20 + 10)
  const { env } = await serviceWith(all, 10_000)
  const out = newFolder()
  // Neighbours have ten shipments in common.
  const runs = Array.from({ length: PROCESSES }, (_unused, index) =>
    spawnCli(typed`labels download ${idsFrom(1 + index * 20, 30)} --out ${out} -q`, { env: env() }),
  )
  for (const { code, stderr } of await Promise.all(runs)) expect([code, stderr]).toEqual([0, ''])
  expect(provenShipments(out).sort()).toEqual([...all].sort())
  expect(readdirSync(out).sort()).toEqual([...all.map((id) => `${id}.pdf`), 'manifest.json'].sort())
  succeeded(await spawnCli(typed`labels verify ${out}`, { env: env() }))
})

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

it('two runs with separate data and one RMA_LOCK_DIR buy each label once', async () => {
  // Lasts as long as a look, so both would look before either makes a label.
  const service = await labelService({ makingMs: 30 })
  const ids = idsFrom(1, 40)
  const stdin = ids.map((id) => JSON.stringify(labelRequest(id))).join('\n')
  const outs = [newFolder(), newFolder()]
  const shops = [typed`--shop ACME`, []]
  const locks = newFolder()
  const runs = await Promise.all(
    outs.map((out, index) =>
      spawnCli(typed`labels create --from - --out ${out} --json ${shops[index] ?? []}`, {
        // Another spelling of the same address.
        env: spawnEnvAt(`${service.baseUrl}${'/'.repeat(index)}`, { RMA_LOCK_DIR: locks }),
        stdin,
      }),
    ),
  )
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  expect(ids.map((id) => service.made.get(id)?.length)).toEqual(ids.map(() => 1))
  expect(service.posts()).toHaveLength(40)
  for (const out of outs) expect(provenShipments(out).sort()).toEqual([...ids].sort())
  const sources = runs.flatMap(({ stdout }) =>
    JSON.parse(stdout).files.map((file: { source: string }) => file.source),
  )
  expect(sources.filter((source: string) => source === 'existing')).toHaveLength(40)
})

it('the run after a killed purchase does not wait for it, and buys none', async () => {
  const service = await labelService({ afterMaking: () => ({ fault: 'hang' }) })
  const env = spawnEnvAt(service.baseUrl)
  const argv = typed`labels create --from - --out ${newFolder()} --json`
  const stdin = JSON.stringify(labelRequest('SHP-1'))
  const killed = await spawnCli(argv, {
    env,
    stdin,
    onStart: (child) => {
      const timer = setInterval(() => service.posts().length > 0 && child.kill('SIGKILL'), 20)
      child.once('exit', () => clearInterval(timer))
    },
  })
  expect(killed.signal).toBe('SIGKILL')
  const again = succeeded(await spawnCli(argv, { env, stdin }))
  expect(jsonOf(again).files).toMatchObject([{ outcome: 'existing' }])
  expect(service.posts()).toHaveLength(1)
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

it('another user of the RMA_LOCK_DIR takes the label of a killed purchase', async () => {
  const GROUP = 61_000
  const service = await labelService({ makingMs: 3000 })
  const locks = mkdtempSync('/var/tmp/rma-group-')
  chownSync(locks, 0, GROUP)
  chmodSync(locks, 0o2770)
  const buy = (uid: number, kill: boolean) => {
    const home = mkdtempSync(`/var/tmp/rma-user-${uid}-`)
    chownSync(home, uid, uid)
    const own = { HOME: home, RMA_CONFIG_DIR: home, RMA_DATA_DIR: home, RMA_CACHE_DIR: home }
    const words = `setpriv --reuid=${uid} --regid=${uid} --groups=${GROUP} "$NODE_BIN" "$RMA_BIN"`
    return shell(`umask 077; exec ${words} labels create --from - --out ${home}/labels --json`, {
      env: spawnEnv({ ...own, RMA_LOCK_DIR: locks, RMA_BASE_URL: service.baseUrl, RMA_TOKEN: 'token' }),
      stdin: JSON.stringify(labelRequest('SHP-1')),
      ...(kill ? { onStart: signalAfterPosts(service, 1, 'SIGKILL') } : {}),
    })
  }
  expect((await buy(61_001, true)).signal).toBe('SIGKILL')
  // How a dead user's lock is taken over is told elsewhere.
  for (const name of readdirSync(locks)) if (name.includes('.lock')) rmSync(join(locks, name))
  expect(jsonOf(succeeded(await buy(61_002, false))).files).toMatchObject([{ outcome: 'existing' }])
  expect([service.posts().length, readdirSync(locks).filter((name) => name.endsWith('.intent'))]).toEqual([
    1,
    [],
  ])
})
