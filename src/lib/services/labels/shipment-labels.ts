import { pMapIterable } from 'p-map'
import { asksForShop } from '../../api/http/error-map.ts'
import { codesOf, type LabelsApi } from '../../api/labels.ts'
import { LOOKUP_LIMITS } from '../../api/resource.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, causedBy, type ErrorDetail, rethrowUnless, withHints } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { textOf } from '../../wire/raw.ts'
import { inShop, labelIdFor } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { labelSetsView } from './labels.result.ts'
import { activeTransport } from './return-parcel.ts'
import { readShipmentIds } from './shipment-ids.ts'

export interface ShipmentLabels {
  id: string
  sets: LabelSet[]
}

/** Finds labels by the id that they were made with, else by the return that `text` names. */
export async function shipmentLabels(
  text: string,
  context: Context,
  ofShop?: string,
): Promise<ShipmentLabels[]> {
  const labels = await context.connection.labels()
  try {
    return [{ id: text, sets: await labels.get(text, ofShop) }]
  } catch (error) {
    // A token for several shops is refused until the return tells which one it is.
    rethrowUnless(error, 'not-found', 'rejected')
    const lookup = await context.connection.lookup()
    const found = await lookup.find(text, ofShop)
    const ofReturns: ShipmentLabels[] = []
    const unlabelled: Return[] = []
    for (const record of found) {
      const named = await lookup.transportNamed(text.trim(), record)
      const sets = await labelsOfReturn(record, text, named, labels)
      if (sets.length === 0) unlabelled.push(record)
      ofReturns.push(...sets)
    }
    if (ofReturns.length > 0) {
      for (const { id, name, shopCode } of unlabelled)
        await context.warn(`The return ${name} of the shop ${shopCode} (id ${id}) has no label: left out`)
      return ofReturns
    }
    const [first] = found
    if (first && (error.kind === 'not-found' || asksForShop(error))) {
      throw causedBy(
        error,
        'not-found',
        `${first.name} has no label`,
        await context.shellLine(['labels', 'create', '--for', first.name], first.shopCode),
      )
    }
    const search = await context.shellLine(['search', text])
    const needsShop = asksForShop(error)
    if (error.kind !== 'not-found' && !needsShop) throw withHints(error, search)
    const byId = needsShop ? ['--shop CODE, if it is the id that a label was made with'] : []
    throw causedBy(
      error,
      'not-found',
      `No return is named ${text}${inShop(ofShop)}, and no label was made with that id.`,
      search,
      ...byId,
    )
  }
}

/** Checks the tracking code, as an order's transports may share the client reference. */
async function labelsOfReturn(record: Return, text: string, named: string | undefined, labels: LabelsApi) {
  const transport = activeTransport(record)
  if (!transport) return []
  for (const id of new Set([text, labelIdFor(record.name, named ?? transport.id)])) {
    const sets = await labels.find(id, record.shopCode)
    if (sets.length > 0) return [{ id, sets }]
  }
  if (named !== undefined && named !== transport.id) return []
  const id = textOf(transport.clientReference)
  const code = textOf(transport.carrierReference)
  if (id === undefined || code === undefined) return []
  const sets = (await labels.find(id, record.shopCode)).filter((set) => codesOf(set).includes(code))
  return sets.length > 0 ? [{ id, sets }] : []
}

/** Omits shipments without labels. @throws AppError `not-found` at the end, naming them */
export async function showLabelSets(given: readonly string[], context: Context) {
  const ids = [...new Set(await readShipmentIds(given, context))]
  context.progress.start('Reading labels')
  const missing: ErrorDetail[] = []
  const read = async (id: string) => (await shipmentLabels(id, context)).flatMap(({ sets }) => sets)
  const find = async (id: string) => {
    try {
      return await read(id)
    } catch (error) {
      rethrowUnless(error, 'not-found')
      missing.push({ path: id, message: error.details[0]?.message ?? error.message })
      return []
    }
  }
  async function* all(): AsyncGenerator<LabelSet> {
    for await (const sets of pMapIterable(ids, find, LOOKUP_LIMITS)) yield* sets
  }
  const [only = ''] = ids
  await context.renderList(ids.length === 1 ? await read(only) : all(), labelSetsView)
  if (missing.length === 0) return
  const what = `${missing.length} of ${counted(ids.length, 'shipment')}`
  throw new AppError('not-found', `${what} ${missing.length === 1 ? 'has' : 'have'} no label.`, {
    details: missing,
  })
}
