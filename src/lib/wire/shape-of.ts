import * as z from 'zod'
import { integer, key, number, text } from './fields.ts'
import type { Form, Shape } from './shape.ts'

/** The schemas are the only source of types and shapes. @throws Error for a schema that nothing is read by */
export function shapeOf<S extends z.ZodType>(schema: S): Shape<z.infer<S>> {
  return formOf(schema)
}

function formOf(schema: z.core.$ZodType): Form {
  if (schema instanceof z.ZodOptional) return { ...formOf(schema.unwrap()), mayBeAbsent: true }
  if (schema instanceof z.ZodNullable) return { ...formOf(schema.unwrap()), mayBeNull: true }
  if (schema instanceof z.ZodNonOptional) return { ...formOf(schema.unwrap()), mayBeAbsent: false }
  return { ...kindOf(schema), mayBeAbsent: false, mayBeNull: false }
}

/** Every requirement of the schema has to be among those looked at here. */
function kindOf(schema: z.core.$ZodType) {
  if (schema === number) return { kind: 'number' } as const
  if (schema === integer) return { kind: 'integer' } as const
  if (schema === key) return { kind: 'key' } as const
  if (schema === text) return { kind: 'text' } as const
  if ((schema._zod.def.checks ?? []).length === 0) {
    if (schema instanceof z.ZodString) return { kind: 'string' } as const
    if (schema instanceof z.ZodBoolean) return { kind: 'boolean' } as const
    if (schema instanceof z.ZodEnum) return { kind: 'choice', values: schema.options.map(String) } as const
    if (schema instanceof z.ZodArray) return { kind: 'list', item: formOf(schema.element) } as const
    if (schema instanceof z.ZodObject && schema.def.catchall instanceof z.ZodUnknown) {
      const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, form: formOf(field) }))
      return { kind: 'record', fields } as const
    }
  }
  throw new Error(`nothing is read by a schema of the type ${schema._zod.def.type}`)
}
