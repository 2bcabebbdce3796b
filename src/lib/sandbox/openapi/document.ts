import * as z from 'zod'
import { integer, number, text } from '../../wire/fields.ts'
import { DESCRIBED_OPERATIONS, type DescribedOperation, SCHEMAS, type SchemaName } from './operations.ts'

/** JSON Schema of types declared in code: numbers that may be text, and the reverse. */
const FORMS = new Map<unknown, object>([
  [number, { type: 'number' }],
  [integer, { type: 'integer' }],
  [text, { type: 'string' }],
])

const ERROR_TEXTS = {
  400: 'The request is wrong; the codes say how',
  401: 'The bearer token is missing, invalid or expired',
  404: 'There is no such record',
  405: 'The path does not take this method',
  429: 'Too many requests; `Retry-After` says when to come back',
  500: 'The platform failed',
} as const

/** An OpenAPI 3.1 document, made from the schemas that requests and answers are read with. */
export function openApiDocument(server: string) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Returns and reverse-logistics platform',
      version: '1.4.3',
      description: 'Return requests, return methods, shipping labels, tracking and drop-off points.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: server }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'Returns', description: 'Return requests, their transports, refunds and methods' },
      { name: 'Transportations', description: 'Labels, tracking and drop-off points' },
    ],
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
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: { required: true, content: content(request) } }),
    responses: {
      200: { description: 'Done', content: content(response) },
      ...Object.fromEntries(
        ([...errors, 401, 405, 429, 500] as const).map((status) => [
          status,
          { description: ERROR_TEXTS[status], content: content('Error') },
        ]),
      ),
    },
  }
}

function content(name: SchemaName) {
  return { 'application/json': { schema: { $ref: ref(name) } } }
}

function ref(name: string): string {
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
    Object.entries(made.schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  )
}
