import { expect, test } from 'vitest'
import type { PudoPoint } from '../../../../src/lib/wire/pudos.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

test.each([
  ['the default demo data', {}],
  ['another seed', { seed: 77 }],
])('every drop-off return of %s has an open point of its own carrier within 10 km', async (_, options) => {
  const { sandbox, request, allReturns } = await testSandbox(options)
  /** Whether a search near that customer finds an open point; one search for all customers of a postal code. */
  const searches = new Map<string, Promise<boolean>>()
  const search = async (body: object) => {
    const answer = await request('/pudos', { method: 'POST', body })
    const points: PudoPoint[] = answer.status === 200 ? answer.body[0].pudoPoints : []
    return points.some(({ temporarilyClosed, distance }) => !temporarilyClosed && Number(distance) <= 10)
  }
  const hasPoint = ({ shopCode, origin, activeTransportation }: Return): Promise<boolean> => {
    const { city, postalCode, countryCode } = origin.address ?? {}
    const carrierServices = [{ code: activeTransportation?.carrierServiceCode }]
    const body = { shopCode, carrierServices, city, postalCode, countryCode }
    const key = JSON.stringify(body)
    const found = searches.get(key) ?? search(body)
    searches.set(key, found)
    return found
  }
  const dropOffs = (await allReturns()).filter(({ activeTransportation }) =>
    activeTransportation?.serviceType?.startsWith('drop-off'),
  )
  const shops = new Set(valuesOf(dropOffs, 'shopCode'))
  expect([...shops].sort()).toEqual(valuesOf(sandbox.shops(), 'code').sort())
  const without = new Set<string>()
  for (const one of dropOffs) {
    const { city, countryCode } = one.origin.address ?? {}
    const place = `${one.activeTransportation?.carrierServiceCode} in ${city}, ${countryCode}`
    if (!(await hasPoint(one))) without.add(place)
  }
  expect([...without]).toEqual([])
})
