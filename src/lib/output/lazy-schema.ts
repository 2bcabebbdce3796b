import type * as z from 'zod'

/** Schema that is made when it is asked for: commands print results without loading zod. */
export type LazySchema<S extends z.ZodType = z.ZodType> = () => Promise<S>

export type RecordOf<L extends LazySchema> = z.infer<Awaited<ReturnType<L>>>

const makeFields = (zod: typeof z) => ({
  count: zod.int().nonnegative(),
  instant: zod.string().describe('ISO 8601'),
  text: zod.string(),
})

export function lazySchema<S extends z.ZodType>(
  make: (zod: typeof z, fields: ReturnType<typeof makeFields>) => S | Promise<S>,
): LazySchema<S> {
  let made: Promise<S> | undefined
  return () => {
    made ??= import('zod').then((zod) => make(zod, makeFields(zod)))
    return made
  }
}

/** Makes a schema of lists, under a key if one is given. */
export function listOf(item: LazySchema, key?: string): LazySchema {
  return lazySchema(async (zod) => {
    const list = zod.array(await item())
    return key === undefined ? list : zod.object({ [key]: list })
  })
}

/** Returns the keys of the objects in a schema, in a list of them, or in a union. */
export async function fieldNames(schema: LazySchema | undefined): Promise<string[]> {
  return schema === undefined ? [] : [...new Set(keysOf((await schema()) as unknown as z.core.$ZodTypes))]
}

function keysOf({ _zod: { def } }: z.core.$ZodTypes): string[] {
  if (def.type === 'object') return Object.keys(def.shape)
  if (def.type === 'array') return keysOf(def.element as z.core.$ZodTypes)
  return def.type === 'union' ? def.options.flatMap((option) => keysOf(option as z.core.$ZodTypes)) : []
}
