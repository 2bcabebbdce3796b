import type { LabelsApi } from '../../api/labels.ts'
import type { ReturnLookup } from '../../api/return-lookup.ts'
import type { ReturnsApi } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { hasFiles, newestLabels } from '../../labels/folder/served-labels.ts'
import { isReturnOver, isTransportOver } from '../../wire/enumerations.ts'
import type { LabelSet } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import type { ActiveTransportation } from '../../wire/transportations.ts'

/** Parcel of a return that gets a label: one transport. */
export interface ReturnParcel {
  record: Return
  /** Absent if the return has none and the user names the shipment. */
  transport: (ActiveTransportation & { id: string }) | undefined
  clientShipmentId: string
  /** Whether the return had another transport before. */
  isLater: boolean
  /** Why no label should be needed any more: `the return is EXPIRED`. */
  ended: string | undefined
}

export interface ParcelFlags {
  'client-shipment-id'?: string | undefined
  another?: boolean | undefined
  'even-if-ended'?: boolean | undefined
  yes?: boolean | undefined
}

interface ParcelPlatform {
  context: Pick<Context, 'shellLine'>
  returns: Pick<ReturnsApi, 'transportations'>
}

/** The parcel of the return that a text names. @throws AppError as `parcelOf` does, and as the lookup */
export async function findParcel(
  reference: string,
  flags: ParcelFlags,
  platform: ParcelPlatform & { lookup: ReturnLookup },
): Promise<ReturnParcel> {
  const { lookup } = platform
  const record = await lookup.one(reference)
  const whole = saysAll(record) ? record : await lookup.fittedWhole(record)
  return parcelOf(whole, flags, platform)
}

/** Whether a listed return has all that a label is made of: then it need not be read on its own. */
export function saysAll(record: Return): boolean {
  const { origin, customer, destination, returnLineItems } = record
  const isFrom = (origin?.address ?? customer?.address) !== undefined
  const hasParties = isFrom && destination?.address !== undefined
  return hasParties && (returnLineItems?.length ?? 0) > 0 && activeTransport(record) !== undefined
}

/**
 * The shipment's id names the transport, since a client reference may be that of every transport of the order.
 *
 * @throws AppError `usage` without an active transport or a given id, or if it has ended and the flags don't take that
 */
export async function parcelOf(
  record: Return,
  flags: ParcelFlags,
  { context, returns }: ParcelPlatform,
): Promise<ReturnParcel> {
  const look = await context.shellLine(['returns', 'transportations', record.name], undefined)
  const transport = activeTransport(record)
  const ended = endOf(record, transport)
  if (ended !== undefined && !(flags['even-if-ended'] || flags.another)) {
    throw new AppError('usage', `No label was made for ${record.name}: ${ended}.`, {
      hints: [look, '--even-if-ended makes one all the same'],
    })
  }
  const clientShipmentId = flags['client-shipment-id'] ?? (transport && `${record.name}-T${transport.id}`)
  if (clientShipmentId === undefined) {
    throw new AppError('usage', `${record.name} has no active transport that a label could be for.`, {
      hints: ['--client-shipment-id ID names the shipment', look],
    })
  }
  return { record, transport, clientShipmentId, ended, isLater: await isLater(record, transport, returns) }
}

/** True if an earlier transport is known. */
async function isLater(
  { id, createdAt: returnedAt }: Return,
  transport: ReturnParcel['transport'],
  returns: Pick<ReturnsApi, 'transportations'>,
): Promise<boolean> {
  if (!transport || !id) return false
  // It came with the return itself, which no other can have come before.
  if (said(transport.createdAt) !== undefined && transport.createdAt === returnedAt) return false
  try {
    const others = (await returns.transportations(id)).records.filter((one) => one.id !== transport.id)
    const madeAt = Date.parse(transport.createdAt ?? '')
    return others.some(({ createdAt }) => !(Date.parse(createdAt ?? '') > madeAt))
  } catch (error) {
    if (error instanceof AppError && ['not-found', 'rejected', 'contract'].includes(error.kind)) return false
    throw error
  }
}

/** Another label for what has ended may be a mistake. @throws AppError `usage` if it is one, or nobody can say */
export async function confirmEnded(
  { questions }: Pick<Context, 'questions'>,
  orders: readonly { parcel?: ReturnParcel | undefined }[],
  flags: ParcelFlags,
): Promise<void> {
  if (flags['even-if-ended'] || flags.yes) return
  for (const { parcel } of orders) {
    if (parcel?.ended === undefined) continue
    const reason = `${parcel.record.name}: ${parcel.ended}`
    await questions.askToSend(`${reason}. Make another label all the same?`, reason, [
      '--even-if-ended makes another label all the same',
      '--dry-run shows what would be sent',
    ])
  }
}

/** The active transport, if it has an id by which it can be told from another. */
export function activeTransport({ activeTransportation }: Return): ReturnParcel['transport'] {
  const id = said(activeTransportation?.id)
  return activeTransportation && id !== undefined ? { ...activeTransportation, id } : undefined
}

function endOf({ status }: Return, transport: ReturnParcel['transport']): string | undefined {
  if (isReturnOver(status)) return `the return is ${status}`
  return isTransportOver(transport?.status)
    ? `its transport ${transport?.id} is ${transport?.status}`
    : undefined
}

/**
 * The label under the transport's client reference that has its own code, or behind the address that it carries.
 *
 * @throws AppError `usage` that lists the labels of the client reference if none can be told to be this transport's
 */
export async function carriedLabel(
  { record, transport, clientShipmentId }: ReturnParcel,
  context: Pick<Context, 'shellLine'>,
  labels: LabelsApi,
): Promise<LabelSet | undefined> {
  if (!transport) return undefined
  const code = said(transport.carrierReference)
  const reference = said(transport.clientReference)
  const sets = reference === undefined ? [] : await labels.find(reference, record.shopCode)
  const own = newestLabels(sets.filter((set) => code !== undefined && codesOf(set).includes(code)))
  // Saved as this transport's, since others may share the reference.
  if (own && hasFiles(own)) return { ...own, clientShipmentId }
  const { carrierCode, carrierServiceCode, carrierTrackingUrl } = transport
  const url = said(transport.carrierLabel)
  if (url !== undefined) {
    const label = { carrierTrackingCode: code, carrierTrackingUrl, url }
    return { carrierCode, carrierServiceCode, clientShipmentId, shippingLabels: [label] }
  }
  if (reference === undefined || sets.length === 0) return undefined
  const download = await context.shellLine(['labels', 'download', reference], said(record.shopCode))
  throw new AppError(
    'usage',
    `No label was made for ${record.name}: there is one under ${reference}, and nothing says whether it is that of ` +
      `transport ${transport.id}.`,
    {
      details: sets.map((set) => ({
        path: reference,
        message: `${codesOf(set).join(', ') || 'no tracking code'}, by ${set.carrierServiceCode ?? set.carrierCode ?? 'an unknown carrier'}`,
      })),
      hints: [
        `if it is, save it: ${download}`,
        'if it is that of another parcel: --another makes one for this one',
      ],
    },
  )
}

export function codesOf({ shippingLabels }: LabelSet): string[] {
  return shippingLabels.flatMap((label) => said(label?.carrierTrackingCode) ?? [])
}

/** A text, or a number in its place; undefined for none. */
export function said(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}
