import * as z from 'zod'
import { FINAL_LABEL_FORMATS, PUDO_LOCATION_TYPES, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { integer, number, text } from '../../wire/fields.ts'
import { labelSetListSchema, labelSetSchema, labelUpdateSchema } from '../../wire/labels.ts'
import { explainedMethodsSchema, methodsRequestSchema } from '../../wire/methods.ts'
import { pudosRequestSchema, pudosResponseSchema } from '../../wire/pudos.ts'
import { refundListSchema } from '../../wire/refunds.ts'
import { returnListSchema, returnSchema } from '../../wire/returns.ts'
import { acknowledgementSchema, errorBodySchema, trackingRequestSchema } from '../../wire/tracking.ts'
import { transportationListSchema, transportationSchema } from '../../wire/transportations.ts'
import { bothRevisionsSchema } from '../labels/request.ts'
import PUDO_BOUNDS from '../pudos/bounds.json'
import operations from './operations.json'
import skeleton from './skeleton.json'

export const SCHEMAS = {
  Error: errorBodySchema,
  ReturnList: returnListSchema,
  Return: returnSchema,
  TransportationList: transportationListSchema,
  Transportation: transportationSchema,
  RefundList: refundListSchema,
  ReturnMethodsRequest: methodsRequestSchema,
  ReturnMethods: explainedMethodsSchema,
  LabelSetList: labelSetListSchema,
  LabelRequest: bothRevisionsSchema,
  LabelSet: labelSetSchema,
  LabelUpdate: labelUpdateSchema,
  Acknowledgement: acknowledgementSchema,
  TrackingUpdate: trackingRequestSchema,
  PudosRequest: pudosRequestSchema,
  Pudos: pudosResponseSchema,
}
export type SchemaName = keyof typeof SCHEMAS

export interface Parameter {
  name: string
  in: 'query' | 'path'
  description: string
  required?: boolean
  schema: object
}

export interface DescribedOperation {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  id: string
  tag: 'Returns' | 'Transportations'
  summary: string
  description?: string
  parameters?: readonly Parameter[]
  request?: SchemaName
  response: SchemaName
  /** Besides 401, 405, 429 and 500. */
  errors: readonly (400 | 404)[]
}

export const DESCRIBED_OPERATIONS = operations as readonly DescribedOperation[]

/** Schemas for numbers also accept text, and the reverse. */
const FORMS = new Map<unknown, object>([
  [number, { type: 'number' }],
  [integer, { type: 'integer' }],
  [text, { type: 'string' }],
])

/** A live platform may accept other values. */
const ACCEPTED: Readonly<Record<string, object>> = {
  'TrackingUpdate.trackingStatus': { enum: TRANSPORTATION_STATUSES },
  'LabelUpdate.shippingLabels.format': { enum: FINAL_LABEL_FORMATS },
  'PudosRequest.locationType': { enum: PUDO_LOCATION_TYPES },
  ...Object.fromEntries(
    Object.entries(PUDO_BOUNDS).map(([field, bounds]) => [`PudosRequest.${field}`, bounds]),
  ),
}

const REQUESTS: ReadonlySet<string> = new Set(DESCRIBED_OPERATIONS.flatMap(({ request }) => request ?? []))

/** Requests may hold null in any optional field. */
const NULL_IN_ANSWERS = new Set(
  ['trackingNumber', 'trackingUrl', 'carrierName'].map((field) => `trackingEvents.${field}`),
)

export function openApiDocument(server: string) {
  const { errors: _, ...head } = skeleton
  return {
    ...head,
    servers: [{ url: server }],
    paths: paths(),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: schemas(),
    },
  }
}

function paths() {
  const all: Record<string, Record<string, object>> = {}
  for (const operation of DESCRIBED_OPERATIONS) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    all[path] = { ...all[path], [operation.method.toLowerCase()]: operationObject(operation) }
  }
  return all
}

function operationObject(operation: DescribedOperation) {
  const { id, tag, summary, description, parameters, request, response, errors } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    parameters,
    requestBody: request && { required: true, content: content(request) },
    responses: {
      200: { description: 'Done', content: content(response) },
      ...Object.fromEntries(
        ([...errors, 401, 405, 429, 500] as const).map((status) => [
          status,
          { description: skeleton.errors[status], content: content('Error') },
        ]),
      ),
    },
  }
}

function content(name: SchemaName) {
  return { 'application/json': { schema: { $ref: ref(name) } } }
}

function ref(name: string) {
  return `#/components/schemas/${name}`
}

function schemas(): Record<string, object> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id })
  const made = z.toJSONSchema(registry, {
    uri: ref,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, FORMS.get(zodSchema)),
  })
  return Object.fromEntries(
    Object.keys(SCHEMAS).map((name) => {
      const { $schema: _, $id: __, ...schema }: Record<string, unknown> = made.schemas[name] ?? {}
      return [name, asSandbox(schema, name)]
    }),
  )
}

interface JsonSchema {
  type?: string | string[]
  anyOf?: JsonSchema[]
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
}

function asSandbox(schema: JsonSchema, component: string, path = ''): JsonSchema {
  const { type, anyOf, items, properties, ...rest } = schema
  const within = (inner: JsonSchema, name = path) => asSandbox(inner, component, name)
  const ways = anyOf ?? (Array.isArray(type) ? type.map((each) => ({ type: each })) : undefined)
  if (ways) {
    const mayBeNull = REQUESTS.has(component) || NULL_IN_ANSWERS.has(path)
    const [way = {}, ...others] = ways
      .filter((each) => mayBeNull || each.type !== 'null')
      .map((each) => (each.type === 'null' ? each : within(each)))
    return others.length === 0 ? { ...rest, ...way } : { ...rest, anyOf: [way, ...others] }
  }
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [
    name,
    within(field, path === '' ? name : `${path}.${name}`),
  ])
  return {
    ...(type && { type }),
    ...rest,
    ...(items && { items: within(items) }),
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...ACCEPTED[`${component}.${path}`],
  }
}
