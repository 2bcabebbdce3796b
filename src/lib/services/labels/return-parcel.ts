import { codesOf, type LabelsApi, type MadeLabels } from '../../api/labels.ts'
import { FRESH_RETURN_MS, type ReturnFilters, type ReturnsApi } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import type { writeFlags } from '../../cli/global-flags.ts'
import { countFlag, type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { AppError, appError, usageError } from '../../errors.ts'
import { hasFiles, newestLabels } from '../../labels/folder/served-labels.ts'
import { isReturnOver, isTransportOver } from '../../wire/enumerations.ts'
import type { LabelRequest, LabelSet } from '../../wire/labels.ts'
import { textOf } from '../../wire/raw.ts'
import { labelIdFor } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import type { ActiveTransportation } from '../../wire/transportations.ts'
import { optional } from './present-labels.ts'
import type { exportFlags } from './shipment-ids.ts'

/** Flags for facts that a return lacks. */
export const factFlags = {
  'carrier-service': textFlag(
    'CODE',
    "Carrier connection, with --for (default: that of the return's transport)",
  ),
  'client-shipment-id': textFlag(
    'ID',
    "Id of the shipment, with --for (default: the return's name and the id of its transport)",
  ),
  goods: textFlag('FILE', "Customs data and weights by SKU, with --for (default: the profile's file)"),
  weight: countFlag('GRAMS', 'Weight of each parcel, with --for'),
  'hs-code': textFlag('CODE', 'Customs code of items that the goods file does not have, with --for'),
  'origin-country': textFlag(
    'CODE',
    'Country of origin of items that the goods file does not have, with --for',
  ),
  'even-if-ended': switchFlag('Also for a return or transport that has ended, with --for'),
  register: switchFlag("Enter the new code on the return, with --for (default: the profile's setting)", {
    allowNo: true,
  }),
}

export const forFlags = {
  for: listFlag('RETURN', 'Return to make the label of, can be repeated; - for names on standard input', {
    exclusive: ['from'],
    multipleNonGreedy: true,
  }),
  ...factFlags,
}

export type CreateFlags = FlagValues<typeof forFlags & typeof exportFlags & typeof writeFlags> & {
  from: string | undefined
  format: string | undefined
  another: boolean
  force: boolean
  'buy-after-unknown': boolean
  'skip-invalid': boolean
  filters?: ReturnFilters
}

export interface ReturnParcel {
  record: Return
  /** Missing if the return has none; then the user names the shipment. */
  transport: (ActiveTransportation & { id: string }) | undefined
  clientShipmentId: string
  isLater: boolean
  /** Epoch milliseconds. */
  readAt: number
  /** Why no label is needed any more: `the return is EXPIRED`. */
  ended: string | undefined
}

/** True if a listed return need not be read in full. */
export function hasAllForLabel(record: Return) {
  const { origin, customer, destination, returnLineItems } = record
  const hasParties = (origin?.address ?? customer?.address) && destination?.address
  return hasParties !== undefined && Boolean(returnLineItems?.length) && activeTransport(record) !== undefined
}

/** Derives the shipment's id from the transport, as an order's transports may share the client reference. */
export async function parcelOf(
  record: Return,
  flags: CreateFlags,
  context: Context,
  readAt: number,
): Promise<ReturnParcel> {
  const { name, status } = record
  if (!name) throw appError('contract', `The service gives no name for the return ${record.id}.`)
  const look = await context.shellLine(['returns', 'transportations', name])
  const transport = activeTransport(record)
  const ended = obstacleTo(transport?.id, { status, transport })
  if (ended !== undefined && !(flags['even-if-ended'] || flags.another)) {
    throw usageError(
      `No label was made for ${name}: ${ended}.`,
      look,
      '--even-if-ended makes one all the same',
    )
  }
  const clientShipmentId = flags['client-shipment-id'] ?? (transport && labelIdFor(name, transport.id))
  if (clientShipmentId === undefined) {
    throw usageError(
      `${name} has no active transport that a label could be for.`,
      '--client-shipment-id ID names the shipment',
      look,
    )
  }
  const returns = await context.connection.returns()
  const later = await isLater(record, transport, returns)
  return { record, transport, clientShipmentId, ended, isLater: later, readAt }
}

/** Says why a transport needs no label any more. @param now status and active transport of its return */
export function obstacleTo(
  id: string | undefined,
  now: Pick<ReturnParcel, 'transport'> & Pick<Partial<Return>, 'status'>,
): string | undefined {
  const { status, transport } = now
  if (isReturnOver(status)) return `the return is ${status}`
  if (transport?.id !== id) return `it is for transport ${id}, and ${transport?.id ?? 'none'} is active now`
  return isTransportOver(transport?.status) ? `its transport ${id} is ${transport?.status}` : undefined
}

/** Rereads a return that may have ended since. @throws AppError `usage` if so */
export async function assertUnderWay(
  { record: { id, name }, transport, readAt }: ReturnParcel,
  context: Context,
) {
  if (!(id && transport) || context.io.now() - readAt < FRESH_RETURN_MS) return
  const now = await (await context.connection.returns()).get(id)
  const obstacle = obstacleTo(transport.id, { status: now.status, transport: activeTransport(now) })
  if (obstacle === undefined) return
  const look = await context.shellLine(['returns', 'transportations', name])
  throw usageError(`No label was made for ${name}: ${obstacle}.`, look)
}

/** Asks before labels are made for returns or transports that have ended. */
export async function confirmEnded(
  { questions }: Context,
  wanted: readonly { parcel?: ReturnParcel }[],
  flags: CreateFlags,
) {
  if (flags['even-if-ended'] || flags.yes) return
  for (const { parcel } of wanted) {
    if (parcel?.ended === undefined) continue
    const reason = `${parcel.record.name}: ${parcel.ended}`
    await questions.askToSend(`${reason}. Make another label all the same?`, reason, [
      '--even-if-ended makes another label all the same',
      '--dry-run shows what would be sent',
    ])
  }
}

async function isLater(
  { id, createdAt: returnedAt }: Return,
  transport: ReturnParcel['transport'],
  returns: ReturnsApi,
) {
  if (!transport || !id) return false
  // A transport created with the return is its first.
  if (textOf(transport.createdAt) !== undefined && transport.createdAt === returnedAt) return false
  const found = await optional(returns.transportations(id))
  const madeAt = Date.parse(transport.createdAt ?? '')
  const others = found?.records.filter((one) => one.id !== transport.id) ?? []
  return others.some(({ createdAt }) => !(Date.parse(createdAt ?? '') > madeAt))
}

/** Ignores transports without an id, which can't be told apart. */
export function activeTransport({ activeTransportation }: Return): ReturnParcel['transport'] {
  const id = textOf(activeTransportation?.id)
  return activeTransportation && id !== undefined ? { ...activeTransportation, id } : undefined
}

interface SoughtLabel {
  request: Pick<LabelRequest, 'clientShipmentId' | 'shopCode'>
  parcel?: ReturnParcel
}

export async function findLabel(
  sought: SoughtLabel,
  context: Context,
  labels: LabelsApi,
): Promise<MadeLabels | undefined> {
  const { clientShipmentId, shopCode } = sought.request
  const own = await labels.find(clientShipmentId, shopCode)
  const set = await existingSet(own, sought, context, labels)
  return set && { set, outcome: 'existing', sets: own.length }
}

/** Finds the label under the shipment's id, else the client reference, else the transport's label URL. */
export async function existingSet(
  own: readonly LabelSet[],
  { parcel }: SoughtLabel,
  context: Context,
  labels: LabelsApi,
): Promise<LabelSet | undefined> {
  const newest = newestLabels(own)
  // An update emptied the set, perhaps to remove another parcel's labels.
  const isEmptied = own.at(-1)?.shippingLabels.length === 0
  if (!parcel?.transport || (newest && !isEmptied)) return newest
  const { record, transport, clientShipmentId } = parcel
  const code = textOf(transport.carrierReference)
  const reference = textOf(transport.clientReference)
  const sets = reference === undefined ? [] : await labels.find(reference, record.shopCode)
  const carried = newestLabels(sets.filter((set) => code !== undefined && codesOf(set).includes(code)))
  // Saved under this transport's id, as others may share the reference.
  if (carried && hasFiles(carried)) return { ...carried, clientShipmentId }
  const { carrierCode, carrierServiceCode, carrierTrackingUrl } = transport
  const url = textOf(transport.carrierLabel)
  if (url !== undefined) {
    const label = { carrierTrackingCode: code, carrierTrackingUrl, url }
    return { carrierCode, carrierServiceCode, clientShipmentId, shippingLabels: [label] }
  }
  const [id, listed] = isEmptied ? [clientShipmentId, own] : [reference, sets]
  if (id === undefined || listed.length === 0) return undefined
  const download = await context.shellLine(['labels', 'download', id], textOf(record.shopCode))
  const message =
    `No label was made for ${record.name}: there is one under ${id}, and nothing says whether it is that of ` +
    `transport ${transport.id}.`
  throw new AppError('usage', message, {
    details: listed.map((set) => ({
      path: id,
      message: `${codesOf(set).join(', ') || 'no tracking code'}, by ${set.carrierServiceCode ?? set.carrierCode ?? 'an unknown carrier'}`,
    })),
    hints: [
      `if it is, save it: ${download}`,
      'if it is that of another parcel: --another makes one for this one',
    ],
  })
}
