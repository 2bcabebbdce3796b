import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../../src/lib/sandbox/openapi/document.ts'
import { DESCRIBED_OPERATIONS, type SchemaName } from '../../../../src/lib/sandbox/openapi/operations.ts'
import { labelRequest, SHOP as shop } from '../../../helpers/label-requests.ts'
import { methodsRequest } from '../../../helpers/methods-requests.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'

const { sandbox, request, allReturns } = await testSandbox({ returns: 150 })
afterAll(() => sandbox.close())

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked as the JSON that it is
type Json = any
const schemas: Record<string, Json> = openApiDocument('http://x').components.schemas

/** The paths in a value that its schema does not list, and the required ones that it lacks. */
function departures(value: Json, given: Json, path: string): string[] {
  if (value === null) return []
  const schema = given.$ref ? schemas[given.$ref.split('/').at(-1)] : given
  const ways: Json[] = (schema.anyOf ?? schema.oneOf ?? [schema]).filter((way: Json) => way.type !== 'null')
  if (ways.length > 1)
    return ways.map((way) => departures(value, way, path)).sort((a, b) => a.length - b.length)[0] ?? []
  const [{ $ref, type, items, properties = {}, required = [] } = schema] = ways
  if ($ref) return departures(value, { $ref }, path)
  if (Array.isArray(value))
    return items ? value.flatMap((one) => departures(one, items, `${path}[]`)) : [`${path}: ${type}`]
  if (typeof value !== 'object') return []
  const missing = required.filter((name: string) => value[name] === undefined)
  return [
    ...missing.map((name: string) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) =>
      Object.hasOwn(properties, name)
        ? departures(one, properties[name], `${path}.${name}`)
        : [`${path}.${name} is not listed`],
    ),
  ]
}

const seen = new Set<string>()
async function departuresOf(id: string, path: string, body?: object): Promise<string[]> {
  const operation = DESCRIBED_OPERATIONS.find((one) => one.id === id)
  if (!operation) throw new Error(`no operation ${id}`)
  const { method, response } = operation
  const answer = await request(path, { method, ...(body && { body: JSON.stringify(body) }) })
  if (answer.status === 200) seen.add(id)
  const name: SchemaName = answer.status === 200 ? response : 'Error'
  return departures(answer.body, schemas[name], `${answer.status === 200 ? id : 'Error'}`)
}

describe('what the sandbox answers is all in the OpenAPI document', () => {
  it('reads, before and after reports, new labels and updates', async () => {
    const found: string[] = []
    const add = async (...call: Parameters<typeof departuresOf>) =>
      found.push(...(await departuresOf(...call)))
    await add('listReturns', '/returns?limit=500')
    const records = await allReturns()
    const moved = records.find(({ status, shopCode }) => status === 'PENDING' && shopCode === shop)
    const named = { shopCode: shop, shipmentId: moved?.name }
    const code = {
      carrierTrackingCode: 'A',
      additionalTrackingCodes: ['B'],
      carrierTrackingUrl: 'https://x.example/1',
      format: 'PDF',
      url: 'https://x.example/2',
    }
    await add('updateShippingLabel', '/shipping_labels', { ...named, shippingLabels: [code] })
    const report = { trackingNumber: 'A', carrier: 'X', trackingDescription: 'lost' }
    for (const trackingStatus of [
      'SHIPPING_IN_PROGRESS',
      'SHIPPING_FAILED',
      'SHIPPING_IN_PROGRESS',
      'NONE',
    ]) {
      await add('registerTracking', '/shipping_trackings', { ...named, ...report, trackingStatus })
    }
    for (const { id, activeTransportation } of records) {
      await add('getReturn', `/returns/${id}`)
      await add('listRefunds', `/returns/${id}/refunds`)
      await add('listTransportations', `/returns/${id}/transportations`)
      if (activeTransportation) {
        await add('getTransportation', `/returns/${id}/transportations/${activeTransportation.id}`)
      }
    }
    for (const carrierServiceCode of [
      'SBX_STANDARD',
      'SBX_LABEL_FREE',
      'SBX_URL_ONLY',
      'SBX_REFUSES',
      'NONE',
    ]) {
      const clientShipmentId = `S-${carrierServiceCode}`
      await add(
        'createShippingLabel',
        '/shipping_labels',
        labelRequest({ carrierServiceCode, clientShipmentId }),
      )
      await add(
        'getShippingLabels',
        `/shipping_labels?client_shipment_id=${clientShipmentId}&shopCode=${shop}`,
      )
    }
    const reference = encodeURIComponent(String(moved?.activeTransportation?.clientReference))
    await add('getShippingLabels', `/shipping_labels?client_shipment_id=${reference}&shopCode=${shop}`)
    const services = ['SBX_STANDARD', 'CORREOS_RETURN', 'STORE_DROPOFF'].map((one) => ({ code: one }))
    await add('searchPudos', '/pudos', {
      shopCode: shop,
      carrierServices: services,
      city: 'Madrid',
      countryCode: 'ES',
    })
    await add('searchPudos', '/pudos', { shopCode: shop })
    await add('calculateReturnMethods', '/return_methods', methodsRequest())
    await add('calculateReturnMethods', '/return_methods?explain=true', methodsRequest())
    expect([...new Set(found)]).toEqual([])
    expect([...seen].sort()).toEqual(DESCRIBED_OPERATIONS.map(({ id }) => id).sort())
  })
})

/** Every field of a request by its path, with whether its schema requires it. */
function fields(
  value: Json,
  given: Json,
  path: (string | number)[] = [],
): { path: (string | number)[]; isRequired: boolean }[] {
  const schema = given.$ref ? schemas[given.$ref.split('/').at(-1)] : given
  const [way] = (schema.anyOf ?? [schema]).filter((one: Json) => one.type !== 'null')
  if (way !== schema) return fields(value, way, path)
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((one) => fields(one, way.items, [...path, 0]))
  if (typeof value !== 'object' || value === null) return []
  return Object.keys(value).flatMap((name) => [
    { path: [...path, name], isRequired: (way.required ?? []).includes(name) },
    ...fields(value[name], way.properties[name], [...path, name]),
  ])
}

function withoutField(value: Json, path: (string | number)[]): Json {
  const copy = structuredClone(value)
  const parent = path.slice(0, -1).reduce((at, step) => at[step], copy)
  delete parent[path.at(-1) ?? '']
  return copy
}

const wire = (name: string): Json =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../fixtures/wire', name), 'utf8'))

// The last of a row are fields that need each other.
describe('what the OpenAPI document requires is what the sandbox refuses to do without', () => {
  it.each([
    ['createShippingLabel', () => labelRequest(), []],
    ['updateShippingLabel', () => wire('label-update.full.json'), []],
    ['registerTracking', () => wire('tracking-request.full.json'), []],
    ['calculateReturnMethods', () => wire('methods-request.full.json'), []],
    ['searchPudos', () => wire('pudos-request.full.json'), ['latitude', 'longitude']],
  ])('%s', async (id, full, together) => {
    const operation = DESCRIBED_OPERATIONS.find((one) => one.id === id)
    if (!operation?.request) throw new Error(`${id} has no body`)
    const body = { ...full(), shopCode: shop }
    const all = fields(body, schemas[operation.request])
    expect(all.length).toBeGreaterThan(3)
    const wrong: string[] = []
    for (const { path, isRequired } of all) {
      const name = path.join('.').replaceAll(/\.(\d+)/g, '[$1]')
      const { method } = operation
      const sent = withoutField(body, path)
      const answer = await request(operation.path, { method, body: JSON.stringify(sent) })
      const errors: { code: string; message: string }[] = answer.body.errors ?? []
      const isRefused = errors.some(
        ({ message }) => message.startsWith(`${name}: `) && /missing|needed/.test(message),
      )
      if (isRefused !== (isRequired || together.includes(name)))
        wrong.push(`${name} ${JSON.stringify(errors)}`)
    }
    expect(wrong).toEqual([])
  })
})
