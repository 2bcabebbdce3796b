import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { usePlatform } from '../../helpers/platform.ts'

const platform = usePlatform({ returns: 600 })
const folder = () => mkdtempSync(join(tmpdir(), 'rma-plan-'))

interface Listed {
  name: string
  shopCode: string
  activeTransportation?: { status: string; carrierReference?: string }
}

async function returnsOf(shop: string): Promise<Listed[]> {
  const list = (await platform.get(`/returns?shop_code=${shop}&limit=500`)) as { returns: Listed[] }
  return list.returns
}

it('says of each row what it would change', async () => {
  const returns = await returnsOf('LUMBRE-ES')
  const withStatus = (status: string) =>
    returns
      .filter(({ activeTransportation }) => activeTransportation?.status === status)
      .map(({ name }) => name)
  const [requested = ''] = withStatus('REQUESTED')
  const [shipping = '', other = ''] = withStatus('SHIPPING_IN_PROGRESS')
  const [completed = ''] = withStatus('SHIPPING_COMPLETED')
  const dir = folder()
  const rows = [
    'shipmentId,trackingStatus,trackingDate',
    `${requested},SHIPPING_IN_PROGRESS,`,
    `${requested},SHIPPING_COMPLETED,`,
    `${requested},SHIPPING_IN_PROGRESS,2026-11-20T12:00:01Z`,
    `${shipping},SHIPPING_IN_PROGRESS,`,
    `${other},REQUESTED,`,
    `${completed},SHIPPING_FAILED,`,
    `${other},SHIPPING_COMPLETED,2020-01-01T00:00:00Z`,
    'R#-NONE,SHIPPING_COMPLETED,',
  ]
  writeFileSync(join(dir, 'in.csv'), rows.join('\n'))
  const argv = [
    'tracking',
    'plan',
    '--file',
    join(dir, 'in.csv'),
    '--out',
    join(dir, 'plan'),
    '--shop',
    'LUMBRE-ES',
  ]
  const result = await platform.run([...argv, '-o', 'ndjson'])
  expect(result.code).toBe(0)
  const lines = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ row, verdict }) => [row, verdict])).toEqual([
    [2, 'new'],
    [3, 'new'],
    [4, 'backward'],
    [5, 'no-op'],
    [6, 'backward'],
    [7, 'illegal'],
    [8, 'stale'],
    [9, 'missing'],
  ])
  const json = await platform.run([...argv, '--json'])
  expect(JSON.parse(json.stdout)).toMatchObject({
    total: 8,
    accepted: 2,
    verdicts: { new: 2, 'no-op': 1, backward: 2, illegal: 1, stale: 1, missing: 1 },
  })
  expect(readFileSync(join(dir, 'plan'), 'utf8').split('\n')).toHaveLength(11)
  expect(json.stderr).toContain('6 rows are not new:\n  row 4, ')
  expect(json.stderr).toContain(`row 7, ${completed}: illegal (SHIPPING_FAILED: can't follow`)

  const before = (await platform.run(['jobs', 'list', '--json'])).stdout
  const shown = ['tracking', 'push', '--file', join(dir, 'in.csv'), '--only-new', '--shop', 'LUMBRE-ES']
  const dry = await platform.run([...shown, '--dry-run', '--json'])
  expect(JSON.parse(dry.stdout).map(({ row }: { row: number }) => row)).toEqual([2, 3])
  expect((await platform.run(['jobs', 'list', '--json'])).stdout).toBe(before)
  const pushed = await platform.run([...shown, '--json'])
  expect([pushed.code, JSON.parse(pushed.stdout)]).toMatchObject([0, { total: 2, succeeded: 2 }])
  expect(pushed.stderr).toContain('6 rows are not new:')
  const again = await platform.run([...shown, '--json'])
  expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { total: 0, succeeded: 0 }])
  expect((await platform.run([...shown, '--again'])).code).toBe(2)
})

it('of many rows that are not new the first 20 are listed; an empty plan is not to be pushed', async () => {
  const dir = folder()
  const rows = Array.from({ length: 25 }, (_, at) => `R#-NONE${at},REQUESTED`)
  writeFileSync(join(dir, 'in.csv'), ['shipmentId,trackingStatus', ...rows].join('\n'))
  const argv = ['tracking', 'plan', '--file', join(dir, 'in.csv'), '--out', join(dir, 'plan')]
  const { code, stderr } = await platform.run([...argv, '--shop', 'LUMBRE-ES'])
  expect(code).toBe(0)
  expect(stderr.match(/^ {2}row \d+, R#-NONE\d+: missing/gm)).toHaveLength(20)
  expect(stderr).toContain('and 5 more')
  expect(stderr).toContain('Nothing is new')
  expect(stderr).not.toContain('push --plan')
})
