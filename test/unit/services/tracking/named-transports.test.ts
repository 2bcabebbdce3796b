import { expect, it } from 'vitest'
import type { ReturnsApi } from '../../../../src/lib/api/returns.ts'
import { NamedTransports } from '../../../../src/lib/services/tracking/named-transports.ts'

it('a row found by tracking number is sent only while that is the number of the active transport', async () => {
  let number: string | undefined = '1Z1'
  const record = () => ({
    id: '1',
    name: 'R#-1',
    activeTransportation: { id: '7', status: 'REQUESTED', carrierReference: number },
  })
  const returns = { listPage: async () => ({ records: [record()] }) } as unknown as ReturnsApi
  let now = 0
  const named = new NamedTransports(
    async () => ({ returns, transportsOf: async () => [] }),
    () => now,
    true,
  )
  const request = { shipmentId: 'R#-1', trackingStatus: 'SHIPPING_COMPLETED', trackingNumber: '1Z1' }
  expect(named.concerns(request)).toBe(true)
  expect(await named.target(request)).toEqual({ kind: 'send', request })
  for (number of ['1Z2', undefined]) {
    now += 60_000
    const message = `the active transport of R#-1 has ${number ? `the number ${number}` : 'no number'} now, not 1Z1`
    expect(await named.target(request)).toEqual({ kind: 'failed', code: 'MOVED', message })
  }
})

it('a return is read again after it was forgotten, however the shop of the row was given', async () => {
  let active = '7'
  const record = () => ({
    id: '1',
    name: 'R#-1',
    shopCode: 'S',
    activeTransportation: { id: active, status: 'REQUESTED' },
  })
  const returns = { listPage: async () => ({ records: [record()] }) } as unknown as ReturnsApi
  const named = new NamedTransports(
    async () => ({ returns, transportsOf: async () => [] }),
    () => 0,
  )
  const request = { shipmentId: 'R#-1-T7', trackingStatus: 'SHIPPING_COMPLETED' }
  const kindOf = async (shopCode?: string) => (await named.target({ ...request, shopCode })).kind
  expect([await kindOf(), await kindOf('S')]).toEqual(['send', 'send'])
  active = '8'
  named.forget(request)
  expect([await kindOf(), await kindOf('S')]).toEqual(['failed', 'failed'])
})
