import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'
import type { View } from '../../output/renderer.ts'

export const aliasSchema = lazySchema((z) => z.object({ name: z.string(), expansion: z.string() }))

type AliasRow = RecordOf<typeof aliasSchema>

export const aliasesView: View<AliasRow> = {
  columns: [
    { name: 'name', identifies: true },
    { name: 'expansion', header: 'STANDS FOR', flexible: true },
  ],
  schema: aliasSchema,
  empty: 'No aliases. Make one: rma alias set NAME COMMAND',
}
