import { afterAll, describe, expect, test } from 'vitest'
import { pudosResponseSchema } from '../../../../src/lib/wire/pudos.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'

const { sandbox, request } = await testSandbox({ returns: 20 })
afterAll(() => sandbox.close())

const MADRID = { latitude: 40.4168, longitude: -3.7038 }
const BASE = { shopCode: 'LUMBRE-ES', carrierServices: [{ code: 'CORREOS_RETURN' }] }

function search(body: object, headers: Record<string, string> = {}) {
  return request('/pudos', { method: 'POST', body: { ...BASE, ...body }, headers })
}

/** Town of the nearest point. */
async function townOf(body: object): Promise<string> {
  const { status, body: results } = await search({
    carrierServices: [{ code: 'SBX_STANDARD' }],
    limit: 1,
    ...body,
  })
  expect(status, JSON.stringify(results)).toBe(200)
  return results[0].pudoPoints[0].address.city
}

test.each([undefined, null, []])(
  'searches all services of the shop where none is named (%j)',
  async (carrierServices) => {
    const { status, body } = await search({ ...MADRID, carrierServices })
    expect(status).toBe(200)
    const found = body.map((result: { carrierCode: string }) => result.carrierCode)
    expect(found).toEqual(expect.arrayContaining(['CORREOS', 'LUMBRE']))
    expect(found).not.toContain('SBX')
  },
)

test('answers with the points of each carrier service, nearest first', async () => {
  const codes = ['SBX_STANDARD', 'CORREOS_RETURN', 'STORE_DROPOFF']
  const { status, body } = await search({ ...MADRID, carrierServices: codes.map((code) => ({ code })) })
  expect(status).toBe(200)
  expect(pudosResponseSchema.safeParse(body).success).toBe(true)
  expect(body.map((result: { carrierCode: string }) => result.carrierCode)).toEqual([
    'SBX',
    'CORREOS',
    'LUMBRE',
  ])
  for (const { pudoPoints } of body) {
    const distances = pudoPoints.map(({ distance }: { distance: number }) => distance)
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

test('a carrier service that is unknown, or has no drop-off points, has an empty list', async () => {
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

test('limit, range and type narrow the search', async () => {
  const points = async (body: object) => (await search({ ...MADRID, ...body })).body[0].pudoPoints
  expect(await points({ limit: 3 })).toEqual((await points({ limit: 200 })).slice(0, 3))
  expect(await points({ limit: '200', range: '100' })).toHaveLength(200)
  const near = await points({ range: 0.5, limit: 200 })
  expect(near.length).toBeGreaterThan(0)
  expect(near.every(({ distance }: { distance: number }) => distance <= 0.5)).toBe(true)
  const lockers = await points({ locationType: 'LOCKER' })
  expect(lockers).toHaveLength(20)
  expect(lockers.every((point: { locationType: string }) => point.locationType === 'LOCKER')).toBe(true)
  expect(await points({ locationType: 'CARRIER_DEPOT' })).toEqual([])
})

describe('where it searches', () => {
  test.each([
    ['coordinates before the address', { ...MADRID, city: 'Nowhere', countryCode: 'XX' }, 'Madrid'],
    ['a city', { city: 'Sevilla', countryCode: 'ES' }, 'Sevilla'],
    ['any case and no accents', { city: ' MALAGA ', countryCode: 'ES' }, 'Málaga'],
    ['an English name', { city: 'Lisbon', countryCode: 'PT' }, 'Lisboa'],
    ['another spelling', { city: 'Muenchen', countryCode: 'DE' }, 'München'],
    ['Japanese script', { city: '名古屋市中区', countryCode: 'JP' }, 'Nagoya'],
    ['Korean script', { city: '부산광역시', countryCode: 'KR' }, 'Busan'],
    ['the largest of one name', { city: 'Springfield', countryCode: 'US' }, 'Springfield'],
    ['the city before the postal code', { city: 'Madrid', postalCode: '41001', countryCode: 'ES' }, 'Madrid'],
    ['a postal code alone', { postalCode: '41001', countryCode: 'ES' }, 'Sevilla'],
    [
      'a postal code where the city is unknown',
      { city: 'Xyz', postalCode: '41001', countryCode: 'ES' },
      'Sevilla',
    ],
    ['a British postal code', { postalCode: 'm1 1ae', countryCode: 'GB' }, 'Manchester'],
    ['an Irish postal code', { postalCode: 'H91 F8X2', countryCode: 'IE' }, 'Galway'],
    ['a Canadian postal code', { postalCode: 'V6B 1A1', countryCode: 'CA' }, 'Vancouver'],
    ['nulls as if absent', { ...MADRID, city: null, limit: null, range: null, locationType: null }, 'Madrid'],
  ])('%s', async (_, body, town) => {
    expect(await townOf({ range: 20, ...body })).toBe(town)
  })

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
})

describe('what it refuses', () => {
  test.each([
    ['neither address nor coordinates', {}, 'PU01', 'latitude'],
    ['a country alone', { countryCode: 'ES' }, 'PU01', 'latitude'],
    ['an address without country', { city: 'Madrid' }, 'VA01', 'countryCode: is missing'],
    ['a street alone', { address: 'Calle Mayor 1', countryCode: 'ES' }, 'VA01', 'city: is missing'],
    [
      'an unknown country',
      { city: 'Madrid', countryCode: 'XX' },
      'VA01',
      'countryCode: XX is not known here; known are ES, ',
    ],
    ['an unknown city', { city: 'Xyzzy', countryCode: 'ES' }, 'VA01', 'city: no town Xyzzy is known in ES'],
    ['a city of punctuation', { city: '--', countryCode: 'ES' }, 'VA01', 'city: no town -- is known in ES'],
    [
      'an unknown postal code',
      { postalCode: '97400', countryCode: 'FR' },
      'VA01',
      'postalCode: no area of FR is known for 97400',
    ],
    [
      'an unknown British area',
      { postalCode: 'JE2 3AB', countryCode: 'GB' },
      'VA01',
      'postalCode: no area of GB',
    ],
    [
      'both unknown',
      { city: 'Cilaos', postalCode: '97413', countryCode: 'FR' },
      'VA01',
      'city: no town Cilaos is known in FR, and no area for 97413',
    ],
    [
      'a postal code of another form',
      { postalCode: '123', countryCode: 'ES' },
      'VA01',
      'postalCode: 123 is not a postal code of ES',
    ],
    ['latitude 91', { latitude: 91, longitude: 0 }, 'VA01', 'latitude: must be from -90 to 90, not 91'],
    ['longitude -181', { latitude: 0, longitude: -181 }, 'VA01', 'longitude: must be from -180 to 180'],
    ['a latitude alone', { latitude: 40 }, 'VA01', 'longitude: is missing'],
    [
      'a longitude alone',
      { longitude: 40, city: 'Madrid', countryCode: 'ES' },
      'VA01',
      'latitude: is missing',
    ],
    ['range 0', { ...MADRID, range: 0 }, 'VA01', 'range: must be'],
    ['range 500', { ...MADRID, range: 500 }, 'VA01', 'range: must be from 0.001 to 100, not 500'],
    ['limit 0', { ...MADRID, limit: 0 }, 'VA01', 'limit: must be from 1 to 200'],
    ['limit 201', { ...MADRID, limit: 201 }, 'VA01', 'limit: must be from 1 to 200'],
    ['limit 1.5', { ...MADRID, limit: 1.5 }, 'VA01', 'limit: expected a whole number'],
    [
      'an unknown type',
      { ...MADRID, locationType: 'LOCKERS' },
      'VA01',
      'locationType: LOCKERS is none of SERVICE_POINT, LOCKER, POST_OFFICE, CARRIER_DEPOT; did you mean LOCKER?',
    ],
    [
      'a carrier service without code',
      { ...MADRID, carrierServices: [{}] },
      'VA01',
      'carrierServices[0].code: is missing',
    ],
    ['no shop of several', { ...MADRID, shopCode: undefined }, 'SC01', 'shopCode'],
    ['a shop that the token does not cover', { ...MADRID, shopCode: 'NOPE' }, 'SC02', 'shopCode'],
  ])('%s', async (_, body, code, message) => {
    const { status, body: answer } = await search(body)
    expect(status).toBe(400)
    expect(answer.errors[0]).toEqual({ code, message: expect.stringContaining(message) })
  })

  test('several mistakes at once, each named', async () => {
    const { body } = await search({ latitude: 91, longitude: 200, range: -1, limit: 999, locationType: 'X' })
    expect(body.errors.map(({ message }: { message: string }) => message.split(':')[0])).toEqual([
      'latitude',
      'longitude',
      'range',
      'limit',
      'locationType',
    ])
  })

  test('a search refuses invalid JSON, another method, and a missing token', async () => {
    expect((await request('/pudos', { method: 'POST', body: '{' })).body.errors[0].message).toBe(
      'body: not JSON',
    )
    const { status, headers } = await request('/pudos')
    expect([status, headers.get('allow')]).toEqual([405, 'POST'])
    expect((await search(MADRID, { authorization: '' })).status).toBe(401)
  })
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
