import { describe, expect, it } from 'vitest'
import {
  DESCRIBED_OPERATIONS,
  openApiDocument,
  type SchemaName,
} from '../../../../src/lib/sandbox/openapi/document.ts'
import { fixture } from '../../../helpers/fixture.ts'
import { labelRequest, oldLabelRequest, SHOP as shop } from '../../../helpers/label-requests.ts'
import { methodsRequest } from '../../../helpers/methods-requests.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const { request, allReturns } = await testSandbox({ returns: 150 })

// biome-ignore lint/suspicious/noExplicitAny: a schema is walked as the JSON that it is
type Json = any
const schemas: Record<string, Json> = openApiDocument('http://x').components.schemas

const isNullable = (schema: Json) => (schema.anyOf ?? []).some((way: Json) => way.type === 'null')
const namedBy = ($ref: string) => $ref.split('/').at(-1) ?? ''

/** Places of `null` in answers, by component: `Transportation.trackingEvents.carrierName`. */
const nulls = new Set<string>()

/** The paths in a value that its schema does not list, and the required ones that it lacks. */
function deviations(value: Json, schema: Json, path: string, place: string): string[] {
  if (value === null) {
    nulls.add(place)
    return isNullable(schema) ? [] : [`${path} is null`]
  }
  if (schema.$ref) return deviations(value, schemas[namedBy(schema.$ref)], path, namedBy(schema.$ref))
  const ways: Json[] = (schema.anyOf ?? schema.oneOf ?? [schema]).filter((way: Json) => way.type !== 'null')
  if (ways.length > 1)
    return ways.map((way) => deviations(value, way, path, place)).sort((a, b) => a.length - b.length)[0] ?? []
  const [{ type, items, properties = {}, required = [], ...way } = schema] = ways
  if (way.$ref) return deviations(value, way, path, place)
  if (Array.isArray(value))
    return items ? value.flatMap((one) => deviations(one, items, `${path}[]`, place)) : [`${path}: ${type}`]
  if (typeof value !== 'object') return []
  const missing = required.filter((name: string) => value[name] === undefined)
  return [
    ...missing.map((name: string) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, one]) =>
      Object.hasOwn(properties, name)
        ? deviations(one, properties[name], `${path}.${name}`, `${place}.${name}`)
        : [`${path}.${name} is not listed`],
    ),
  ]
}

/** Places that may be null by a schema, without those of the components that it refers to. */
function nullablePlaces(schema: Json, place: string): string[] {
  const ways: Json[] = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]
  return [
    ...(isNullable(schema) ? [place] : []),
    ...ways.flatMap((way) => nullablePlaces(way, place)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      nullablePlaces(field, `${place}.${name}`),
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
  return deviations(answer.body, schemas[name], answer.status === 200 ? id : 'Error', name)
}

it('what the sandbox answers is all in the OpenAPI document: reads, before and after reports, new labels and updates', async () => {
  const found: string[] = []
  const add = async (...call: Parameters<typeof departuresOf>) => found.push(...(await departuresOf(...call)))
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
  const unnumbered = { ...named, trackingStatus: 'SHIPPING_IN_PROGRESS' }
  await add('registerTracking', '/shipping_trackings', unnumbered)
  const report = { trackingNumber: 'A', carrier: 'X', trackingDescription: 'lost' }
  for (const trackingStatus of ['SHIPPING_IN_PROGRESS', 'SHIPPING_FAILED', 'SHIPPING_IN_PROGRESS', 'NONE']) {
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
    await add('getShippingLabels', `/shipping_labels?client_shipment_id=${clientShipmentId}&shopCode=${shop}`)
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
  expect([...seen].sort()).toEqual(valuesOf(DESCRIBED_OPERATIONS, 'id').sort())
  const responses = valuesOf(DESCRIBED_OPERATIONS, 'response')
  const nullable = [...responses, 'Error'].flatMap((name) => nullablePlaces(schemas[name], name))
  expect([...nulls].sort()).toEqual([...new Set(nullable)].sort())
})

interface Field {
  path: (string | number)[]
  isRequired: boolean
  schema: Json
}

/** Every field of a request that is a whole example of its schema. */
function fields(value: Json, given: Json, path: (string | number)[] = []): Field[] {
  const [schema] = (given.anyOf ?? [given]).filter((one: Json) => one.type !== 'null')
  if (Array.isArray(value)) return fields(value[0], schema.items, [...path, 0])
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, field]) => {
    if (value?.[name] === undefined) throw new Error(`the example lacks ${[...path, name].join('.')}`)
    const isRequired = (schema.required ?? []).includes(name)
    const inner = [...path, name]
    return [{ path: inner, isRequired, schema: field }, ...fields(value[name], field, inner)]
  })
}

function withField(value: Json, path: (string | number)[], field: Json): Json {
  const copy = structuredClone(value)
  const parent = path.slice(0, -1).reduce((at, step) => at[step], copy)
  parent[path.at(-1) ?? ''] = field
  return copy
}

const REQUESTS: Record<string, { example: () => Json; together?: string[] }> = {
  createShippingLabel: { example: () => labelRequest({ customsInfo: oldLabelRequest().customsInfo }) },
  updateShippingLabel: { example: () => fixture('wire/label-update.full.json') },
  registerTracking: { example: () => fixture('wire/tracking-request.full.json') },
  calculateReturnMethods: { example: () => fixture('wire/methods-request.full.json') },
  // Fields that need each other.
  searchPudos: {
    example: () => fixture('wire/pudos-request.full.json'),
    together: ['latitude', 'longitude'],
  },
}

function requestOf(id: string) {
  const operation = DESCRIBED_OPERATIONS.find((one) => one.id === id)
  if (!operation?.request) throw new Error(`${id} has no body`)
  const { method, path: route, request: component } = operation
  const { example, together = [] } = REQUESTS[id] ?? {}
  const body = { ...example?.(), shopCode: shop }
  const all = fields(body, schemas[component])
  expect(all.length).toBeGreaterThan(3)
  /** Objections of the sandbox to a value of the field. */
  const complaint = async ({ path }: Field, value: Json): Promise<string | undefined> => {
    const sent = JSON.stringify(withField(body, path, value))
    const { body: answer } = await request(route, { method, body: sent })
    const name = path.join('.').replaceAll(/\.(\d+)/g, '[$1]')
    const errors: Json[] = answer.errors ?? []
    const messages = errors.flatMap(({ code, message }) => (code === 'SC01' ? [] : message))
    return messages.find((message: string) => message.startsWith(`${name}: `))
  }
  return { all, complaint, together }
}

const OUTSIDE = /not one of |expected (?:one of )?"|must be from|not a whole number/

/** Values of a field, at and just outside of what its schema lists, with whether it refuses them. */
function samples({ type, enum: values, minimum, maximum }: Json): [value: Json, isOutside: boolean][] {
  if (type === 'string')
    return [['OTHER', values !== undefined], ...(values ?? []).map((value: Json) => [value, false])]
  if (type !== 'number' && type !== 'integer') return []
  const step = type === 'integer' ? 1 : 0.0005
  return [
    [minimum ?? -1e9, false],
    [maximum ?? 1e9, false],
    ...(minimum === undefined ? [] : [[minimum - step, true] as [Json, boolean]]),
    ...(maximum === undefined ? [] : [[maximum + step, true] as [Json, boolean]]),
  ]
}

/** Values that the sandbox refuses against the schema, or takes. */
async function misjudged(
  name: string,
  schema: Json,
  complaint: (value: Json) => Promise<string | undefined>,
): Promise<string[]> {
  const [form] = (schema.anyOf ?? [schema]).filter((one: Json) => one.type !== 'null')
  const wrong = []
  for (const [value, isOutside] of samples(form)) {
    const words = (await complaint(value)) ?? ''
    if (OUTSIDE.test(words) !== isOutside) wrong.push(`${name} ${value}: ${words}`)
  }
  return wrong
}

const nameOf = ({ path }: Field) => path.join('.')

describe.each(Object.keys(REQUESTS))('what the OpenAPI document says of the request of %s', (id) => {
  it('the OpenAPI document requires the fields that the sandbox requires', async () => {
    const { all, complaint, together } = requestOf(id)
    const needed = []
    for (const field of all)
      if (/missing|needed/.test((await complaint(field, undefined)) ?? '')) needed.push(nameOf(field))
    const required = all.filter((field) => field.isRequired || together.includes(nameOf(field)))
    expect(needed).toEqual(required.map(nameOf))
  })

  it('the OpenAPI document allows null where the sandbox does', async () => {
    const { all, complaint, together } = requestOf(id)
    const refused = []
    for (const field of all) if (await complaint(field, null)) refused.push(nameOf(field))
    const others = all.filter((field) => !isNullable(field.schema) || together.includes(nameOf(field)))
    expect(refused).toEqual(others.map(nameOf))
  })

  it('lists the values and the bounds outside of which the sandbox refuses', async () => {
    const { all, complaint } = requestOf(id)
    const wrong = []
    for (const field of all)
      wrong.push(...(await misjudged(nameOf(field), field.schema, (value) => complaint(field, value))))
    expect(wrong).toEqual([])
  })
})

it('the OpenAPI document lists the values and the bounds of parameters outside of which the sandbox refuses', async () => {
  const [list] = DESCRIBED_OPERATIONS
  const wrong = []
  for (const { name, schema } of list?.parameters ?? []) {
    const ask = async (value: Json) => {
      const { body } = await request(`${list?.path}?${name}=${value}`)
      return body.errors?.[0].message
    }
    wrong.push(...(await misjudged(name, schema, ask)))
  }
  expect(wrong).toEqual([])
})
