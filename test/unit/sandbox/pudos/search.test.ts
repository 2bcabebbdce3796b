import { expect, test } from 'vitest'
import { pudosResponseSchema } from '../../../../src/lib/wire/pudos.ts'
import { fixture } from '../../../helpers/fixture.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const { sandbox, request } = await testSandbox({ returns: 20 })

const MADRID = { latitude: 40.4168, longitude: -3.7038 }
const BASE = { shopCode: 'LUMBRE-ES', carrierServices: [{ code: 'CORREOS_RETURN' }] }

function search(body: object, headers: Record<string, string> = {}) {
  return request('/pudos', { method: 'POST', body: { ...BASE, ...body }, headers })
}

/** Town of the nearest point. */
async function townOf(body: object) {
  const { status, body: results } = await search({
    carrierServices: [{ code: 'SBX_STANDARD' }],
    limit: 1,
    ...body,
  })
  expect(status, JSON.stringify(results)).toBe(200)
  return results[0].pudoPoints[0].address.city
}

test.each([undefined, null, []])(
  'a search without carrier services covers all services of the shop (%j)',
  async (carrierServices) => {
    const { status, body } = await search({ ...MADRID, carrierServices })
    expect(status).toBe(200)
    const found = valuesOf(body, 'carrierCode')
    expect(found).toEqual(expect.arrayContaining(['CORREOS', 'LUMBRE']))
    expect(found).not.toContain('SBX')
  },
)

test('a search answers with the points of each carrier service, nearest first', async () => {
  const codes = ['SBX_STANDARD', 'CORREOS_RETURN', 'STORE_DROPOFF']
  const { status, body } = await search({ ...MADRID, carrierServices: codes.map((code) => ({ code })) })
  expect(status).toBe(200)
  expect(pudosResponseSchema.safeParse(body).success).toBe(true)
  expect(valuesOf(body, 'carrierCode')).toEqual(['SBX', 'CORREOS', 'LUMBRE'])
  for (const { pudoPoints } of body) {
    const distances = valuesOf(pudoPoints, 'distance')
    expect(distances.length).toBeGreaterThan(3)
    expect(distances).toEqual([...distances].sort((a: number, b: number) => a - b))
    expect(distances.at(-1)).toBeLessThanOrEqual(10)
  }
  expect(body[1].pudoPoints).toHaveLength(20)
  expect(body[1].pudoPoints[0]).toEqual({
    id: expect.stringMatching(/^PU\d{9}$/),
    name: expect.any(String),
    locationType: expect.stringMatching(/^(POST_OFFICE|LOCKER)$/),
    address: {
      line1: expect.any(String),
      city: 'Madrid',
      postalCode: expect.stringMatching(/^28\d{3}$/),
      countryCode: 'ES',
    },
    latitude: expect.closeTo(40.4, 0),
    longitude: expect.closeTo(-3.7, 0),
    distance: expect.any(Number),
    openingHours: expect.any(Array),
    timeZone: 'Europe/Madrid',
    services: expect.arrayContaining(['DROP_OFF']),
    temporarilyClosed: expect.any(Boolean),
  })
})

test('a service that is unknown or without points gets an empty list', async () => {
  const carrierServices = [
    { code: 'NO_SUCH' },
    { code: 'SEUR_PICKUP_24' },
    { code: 'EVRI_PARCELSHOP' },
    { code: 'NO_SUCH' },
  ]
  const { body } = await search({ ...MADRID, carrierServices })
  expect(body).toEqual([
    { carrierCode: 'NO_SUCH', carrierExternalCode: 'NO_SUCH', pudoPoints: [] },
    { carrierCode: 'SEUR', carrierExternalCode: 'SEUR_PICKUP_24', pudoPoints: [] },
    { carrierCode: 'EVRI_PARCELSHOP', carrierExternalCode: 'EVRI_PARCELSHOP', pudoPoints: [] },
  ])
})

test.each<{ what: string; search: object; town: string }>(fixture('pudos/places.yaml'))(
  'a search is made around its place: $what',
  async ({ search: place, town }) => {
    expect(await townOf({ range: 20, ...place })).toBe(town)
  },
)

test.each([
  ['01101', 'MA'],
  ['62701', 'IL'],
  ['65801', 'MO'],
  ['97477', 'OR'],
])('the Springfield of %s is found by its postal code', async (postalCode, region) => {
  const { body } = await search({
    ...{ carrierServices: [{ code: 'SBX_STANDARD' }], range: 20, limit: 1 },
    ...{ city: 'Springfield', postalCode, countryCode: 'US' },
  })
  expect(body[0].pudoPoints[0].address.region).toBe(region)
})

test.each<{ what: string; search: object; code: string; message: string }>([
  ...fixture('pudos/refused.yaml'),
  {
    what: 'no shop of several',
    search: { ...MADRID, shopCode: undefined },
    code: 'SC01',
    message: 'shopCode',
  },
])('a search is refused: $what', async ({ search: asked, code, message }) => {
  const { status, body: answer } = await search(asked)
  expect(status).toBe(400)
  expect(answer.errors[0]).toEqual({ code, message: expect.stringContaining(message) })
})

test('a search names several mistakes at once', async () => {
  const { body } = await search({ latitude: 91, longitude: 200, range: -1, limit: 999, locationType: 'X' })
  expect(body.errors.map(({ message }: { message: string }) => message.split(':')[0])).toEqual([
    'latitude',
    'longitude',
    'range',
    'limit',
    'locationType',
  ])
})

test('a search refuses invalid JSON', async () => {
  expect((await request('/pudos', { method: 'POST', body: '{' })).body.errors[0].message).toBe(
    'body: not JSON',
  )
})

test('a token for one shop needs no shop code', async () => {
  const authorization = `Bearer ${sandbox.issueToken({ shops: ['SORA-JP'] })}`
  const body = {
    shopCode: undefined,
    carrierServices: [{ code: 'YAMATO_KONBINI' }],
    city: 'Tokyo',
    countryCode: 'JP',
  }
  const { status, body: results } = await search(body, { authorization })
  expect(status).toBe(200)
  expect(results[0].pudoPoints).toHaveLength(20)
})
