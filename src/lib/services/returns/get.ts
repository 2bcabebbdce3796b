import { readReferences } from '../../api/return-references.ts'
import { ReturnsByReference } from '../../api/returns-by-reference.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import type { Return } from '../../wire/returns.ts'
import { tellSeveral } from './belongings.ts'
import { returnsView } from './returns.result.ts'

export async function showReturns(
  context: Context,
  connection: Pick<Connection, 'http' | 'lookup' | 'returns'>,
  given: readonly string[],
  isFull: boolean,
): Promise<void> {
  const references = await readReferences(given, () => context.streams.inputLines())
  const lookup = await connection.lookup()
  context.progress.start('Reading returns')
  // Loaded for people only: formats of addresses are slow to load.
  const details = async (shown: Return) =>
    (await import('./in-short.ts')).describeReturn(shown, isFull, context, connection)
  const [only] = given
  if (given.length === 1 && only !== undefined && only !== '-') {
    const found = await lookup.all(only)
    const [first] = found
    if (first && found.length === 1) {
      const record = await lookup.whole(first)
      return context.render({ kind: 'record', record, view: returnsView, details })
    }
    await tellSeveral(only, found, context)
  }
  const items = new ReturnsByReference(lookup, references)
  await context.render({
    kind: 'list',
    items: context.counted(items, 'returns'),
    view: returnsView,
    details,
  })
  items.checkComplete()
}
