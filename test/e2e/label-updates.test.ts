import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { plainPlatform, undoArguments } from '../helpers/plain-platform.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { runInTerminal } from '../helpers/terminal.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'rma-label-updates-'))

it('a label made for a return, registered anew, downloaded under either id, and put back as it was', async () => {
  // The sandbox is at another address with every command.
  const env = { ...spawnEnv(), RMA_SHOP: 'LUMBRE-ES' }
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await spawnCli([...argv, '-q'], { env })
    expect([code, stderr], argv.join(' ')).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const pending = ['returns', 'list', '--status', 'PENDING', '--limit', '1', '--json']
  const [{ id, name, activeTransportation }] = (await run(...pending)).returns
  const making = [
    'labels',
    'create',
    '--for',
    name,
    '--carrier-service',
    'SBX_STANDARD',
    '--out',
    folder(),
    '--json',
  ]
  const [made] = (await run(...making)).files
  const shown = async () =>
    (await run('returns', 'get', name, '--json')).activeTransportation.carrierReference
  expect(await shown()).toBe(made.carrierTrackingCode)
  const registered = async () => {
    const argv = ['returns', 'transportations', id, activeTransportation.id, '--jq', '[.shippingLabels]']
    return JSON.parse(JSON.stringify(await run(...argv)).replaceAll(/127\.0\.0\.1:\d+/g, 'sandbox'))
  }
  const before = await registered()
  const update = await run('labels', 'update', name, '--tracking-code', 'NEW', '--json')
  const codesAlone = await run('labels', 'update', name, '--tracking-code', 'NEWEST', '--replace', '--json')
  expect(await shown()).toBe('NEWEST')
  for (const shipment of [activeTransportation.clientReference, `${name}-T${activeTransportation.id}`]) {
    const [file] = (await run('labels', 'download', shipment, '--out', folder(), '--json')).files
    expect(file).toMatchObject({ carrierTrackingCode: 'NEWEST', sha256: made.sha256 })
    expect(readFileSync(file.path)).toEqual(readFileSync(made.path))
  }
  for (const { undo } of [codesAlone, update]) await run(...undoArguments(undo), '--json')
  expect(await registered()).toEqual(before)
  expect(await shown()).toBe(made.carrierTrackingCode)
}, 60_000)

it.each([
  ['n', 2, 0],
  ['y', 0, 1],
])('on a terminal it asks before anything may be emptied: %s', async (answer, exit, sent) => {
  const label = { carrierTrackingCode: 'OLD', format: 'ZPL' }
  const ids = { id: 'T1', returnName: 'R#-1001', shopCode: 'LU', clientReference: 'P#R#LU1001' }
  const { env, puts } = await plainPlatform({ ...ids, labels: [label] })
  let isAnswered = false
  const { code, screen } = await runInTerminal(['labels', 'update', 'R#-1001', '--tracking-code', 'NEW'], {
    env: spawnEnv(env),
    columns: 180,
    onOutput: (raw, type) => {
      if (isAnswered || !raw.includes('[y/N]')) return
      isAnswered = true
      type(`${answer}\r`)
    },
  })
  expect([code, puts().length], screen.join('\n')).toEqual([exit, sent])
  expect(screen.join('\n')).toMatch(
    /may be emptied: additional codes, label format, labels of other parcels\. Update the label of R#-1001 all the same\?/,
  )
})

it('in a script it does not ask, and -y answers on a terminal', async () => {
  const ids = { id: 'T1', returnName: 'R#-1001', shopCode: 'LU', clientReference: 'P#R#LU1001' }
  const { env, puts } = await plainPlatform({ ...ids, labels: [{ carrierTrackingCode: 'OLD' }] })
  const argv = ['labels', 'update', 'R#-1001', '--tracking-code']
  expect((await spawnCli([...argv, 'ONE'], { env: spawnEnv(env) })).code).toBe(0)
  expect((await runInTerminal([...argv, 'TWO', '-y'], { env: spawnEnv(env) })).code).toBe(0)
  expect(puts()).toHaveLength(2)
})
