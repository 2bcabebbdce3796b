import { returnId } from '../../api/return-lookup.ts'
import type { ReturnsApi } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { appError, unless } from '../../errors.ts'
import type { View } from '../../output/view.ts'
import type { RecordList } from '../../wire/read.ts'
import { nameForms } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { RETURN_NAME } from './refunds.result.ts'

interface ReturnParts<T> {
  key: string
  view: View<T>
  read(returns: ReturnsApi, id: string): Promise<RecordList<T>>
}

/** Lists the parts, such as refunds, of every return that the text names, as sent. */
export async function showReturnParts<T extends object>(
  text: string,
  { key, view, read }: ReturnParts<T>,
  context: Context,
) {
  context.progress.start(`Reading ${key}`)
  const returns = await context.connection.returns()
  const id = text.trim()
  // An id needs no search for its return.
  const direct = nameForms(id).isIdLike ? await unless(read(returns, id), 'not-found', 'rejected') : undefined
  if (direct) return context.renderList(direct.sent, view, key, () => direct.rest)
  const found = await (await context.connection.lookup()).all(text)
  await noteSeveral(text, found, context)
  const items: T[] = []
  let rest: Record<string, unknown> | undefined
  for (const record of found) {
    const list = await read(returns, returnId(record))
    rest ??= list.rest
    items.push(...list.sent.map((item) => (found.length > 1 ? { ...item, returnName: record.name } : item)))
  }
  const columns = [...view.columns, RETURN_NAME]
  const extra = view.extra?.filter((column) => column !== RETURN_NAME)
  const shown = found.length > 1 ? { ...view, columns, extra } : view
  return context.renderList(items, shown, key, () => rest ?? {})
}

/** Reads one transport of the returns that the text names. @throws AppError `not-found` */
export async function readTransportation(
  text: string,
  transportationId: string,
  context: Context,
): Promise<Transportation> {
  const [returns, found] = [
    await context.connection.returns(),
    await (await context.connection.lookup()).all(text),
  ]
  for (const record of found) {
    const transport = await unless(returns.transportation(returnId(record), transportationId), 'not-found')
    if (transport) return transport
  }
  throw appError(
    'not-found',
    `${text} has no transport ${transportationId}`,
    await context.shellLine(['returns', 'transportations', text]),
  )
}

/** Notes on standard error that the text, such as an order, names several returns. */
export async function noteSeveral(text: string, found: readonly Return[], context: Context) {
  if (found.length < 2) return
  await context.note(
    `${text.trim()} names ${found.length} returns: ${found.map(({ name }) => name).join(', ')}`,
  )
}
