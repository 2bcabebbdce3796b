import { expect, it } from 'vitest'
import { usePlatform } from '../../helpers/platform.ts'

const platform = usePlatform({ returns: 900 })

interface Transport {
  id: string
  status: string
  clientReference: string
  carrierReference?: string
}

interface Listed {
  id: string
  name: string
  shopCode: string
  activeTransportation: Transport
}

let used = 0
/** A return whose first parcel, FIRST, was lost and whose replacement is only requested. */
async function withReplacement() {
  const { returns } = (await platform.get('/returns?status=PENDING&limit=500')) as { returns: Listed[] }
  const fresh = returns.filter(({ activeTransportation: { status, clientReference } }) => {
    return status === 'REQUESTED' && !/-\d+$/.test(clientReference)
  })
  const record = fresh[used++] ?? expect.unreachable('no return is left')
  const number = `FIRST${used}`
  const lost = ['--status', 'SHIPPING_FAILED', '--number', number, '--date', '2026-11-20T09:00:00Z']
  const { code } = await platform.run(['tracking', 'push', record.name, '--shop', record.shopCode, ...lost])
  expect(code).toBe(0)
  const transports = async () => {
    const path = `/returns/${record.id}/transportations`
    return ((await platform.get(path)) as { transportations: Transport[] }).transportations
  }
  const [ended, active] = await transports()
  if (!ended || !active) throw new Error(`${record.name} has no replacement`)
  return { ...record, transports, ended, active, number }
}

it('one update that names an ended transport is refused with both ids before anything is sent', async () => {
  const shipment = await withReplacement()
  const before = await shipment.transports()
  const id = `${shipment.name}-T${shipment.ended.id}`
  for (const argv of [
    ['tracking', 'push', id, '--status', 'SHIPPING_COMPLETED'],
    ['tracking', 'push', id, '--status', 'SHIPPING_COMPLETED', '--dry-run'],
    ['labels', 'update', id, '--tracking-code', 'NEW'],
    ['labels', 'update', id, '--tracking-code', 'NEW', '--replace'],
  ]) {
    const { code, stderr } = await platform.run([...argv, '--shop', shipment.shopCode])
    expect([code, stderr]).toEqual([2, expect.stringContaining(shipment.ended.id)])
    expect(stderr).toContain(`active one is ${shipment.active.id}; nothing was sent`)
    expect(await shipment.transports()).toEqual(before)
  }
})

it('one update that names an ended transport by its number or its reference, out of the mirror, is refused', async () => {
  const shipment = await withReplacement()
  const before = await shipment.transports()
  const env = platform.env()
  const mirror = await platform.run(['mirror', 'sync', '--shop', shipment.shopCode, '--yes'], { env })
  expect(mirror.code).toBe(0)
  for (const id of [shipment.number, shipment.ended.clientReference]) {
    const argv = ['tracking', 'push', id, '--status', 'SHIPPING_COMPLETED', '--shop', shipment.shopCode]
    const { code, stderr } = await platform.run(argv, { env })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`names transport ${shipment.ended.id} of`)])
    expect(await shipment.transports()).toEqual(before)
  }
})

it('one update that names the active transport by the id of its label is sent', async () => {
  const { name, shopCode, active, transports } = await withReplacement()
  const id = `${name}-T${active.id}`
  const report = ['--status', 'SHIPPING_IN_PROGRESS', '--date', '2026-11-20T10:00:00Z']
  expect((await platform.run(['tracking', 'push', id, '--shop', shopCode, ...report])).code).toBe(0)
  const update = ['labels', 'update', id, '--shop', shopCode, '--tracking-code', 'NEW']
  expect((await platform.run(update)).code).toBe(0)
  expect((await transports())[1]).toMatchObject({ status: 'SHIPPING_IN_PROGRESS', carrierReference: 'NEW' })
})
