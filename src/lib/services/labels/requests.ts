import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import type { InputRecord } from '../../cli/json-input.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import { checkLabelRequest } from '../../labels/request/check.ts'
import { requestFromReturn } from '../../labels/request/from-return.ts'
import { toOldRevision } from '../../labels/request/revision.ts'
import type { LABEL_FORMATS, LabelRequest, OldLabelRequest } from '../../wire/labels.ts'
import { findParcel, type ParcelFlags, type ReturnParcel } from './return-parcel.ts'

export interface RequestFlags extends ParcelFlags {
  from?: string | undefined
  for?: string | undefined
  register?: boolean | undefined
  'carrier-service'?: string | undefined
  format?: string | undefined
  weight?: number | undefined
  'hs-code'?: string | undefined
  'origin-country'?: string | undefined
}

export interface LabelOrder {
  request: LabelRequest | OldLabelRequest
  parcel?: ReturnParcel | undefined
}

const DEFAULT_FORMAT: (typeof LABEL_FORMATS)[number] = 'PDF'

/** The labels (spec §4.2) that the flags ask for. @throws AppError `usage` that lists every problem of every request */
export async function readLabelOrders(
  flags: RequestFlags,
  context: Context,
  connection: Pick<Connection, 'lookup'>,
): Promise<LabelOrder[]> {
  const { apiRevision, shop } = await context.settings()
  const isOld = apiRevision.value === '1.2.10'
  const records = await inputRecords(flags, { context, connection, isOld })
  const problems: ErrorDetail[] = []
  const warnings: string[] = []
  const orders: LabelOrder[] = []
  const places = new Map<string, string>()
  for (const { value, place, parcel } of records) {
    const note = (found: readonly ErrorDetail[]) => {
      for (const one of found) problems.push({ ...one, path: `${place}${one.path ?? ''}` })
    }
    const completed = complete(value, flags.format, shop?.value)
    const checked = checkLabelRequest(completed)
    note(checked.problems)
    // A list of items beside the parcels is the old revision's, and would be ignored by the new one.
    if (!isOld && isFilled(completed, 'customsInfo')) note([MISPLACED_CUSTOMS])
    for (const { path, message } of checked.warnings) warnings.push(`${place}${path}: ${message}`)
    if (!checked.request) continue
    const id = checked.request.clientShipmentId
    const first = places.get(id)
    if (first !== undefined) {
      note([
        {
          path: 'clientShipmentId',
          message: `${id} is asked for at ${first.replace(/[.: ]+$/, '')} already`,
        },
      ])
    }
    places.set(id, place)
    const old = isOld ? toOldRevision(checked.request) : undefined
    note(old?.problems ?? [])
    if (old?.losesParcels) warnings.push(`${place}${id}: ${LOST_PARCELS}`)
    orders.push({ request: old?.request ?? checked.request, parcel })
  }
  if (problems.length === 0) {
    await warnOf(warnings, context)
    return orders
  }
  const what = records.length === 1 ? 'The request has' : `The ${records.length} requests have`
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  throw new AppError('usage', `${what} ${count}; nothing was sent.`, {
    details: problems,
    hints:
      flags.for === undefined
        ? []
        : ['save what --dry-run cannot fill in as JSON, and give it with --from FILE'],
  })
}

const LOST_PARCELS = 'revision 1.2.10 does not say which of the parcels an item is in'
const MAX_WARNINGS = 10

async function warnOf(warnings: readonly string[], context: Pick<Context, 'warn'>): Promise<void> {
  for (const warning of warnings.slice(0, MAX_WARNINGS)) await context.warn(warning)
  const more = warnings.length - MAX_WARNINGS
  if (more > 0) await context.warn(`and ${more} more like these`)
}

const MISPLACED_CUSTOMS: ErrorDetail = {
  path: 'customsInfo',
  message: 'belongs to revision 1.2.10: declare items in parcels[].items, or give --api-revision 1.2.10',
}

/** Flags that say of a return what a file says of itself. */
const FOR_ONLY = [
  'carrier-service',
  'client-shipment-id',
  'weight',
  'hs-code',
  'origin-country',
  'even-if-ended',
  'register',
] as const

interface RecordSources {
  context: Pick<Context, 'input'>
  connection: Pick<Connection, 'lookup'>
  isOld: boolean
}

async function inputRecords(
  flags: RequestFlags,
  { context, connection, isOld }: RecordSources,
): Promise<(InputRecord & Pick<LabelOrder, 'parcel'>)[]> {
  const { from, for: reference, 'carrier-service': carrierServiceCode } = flags
  if ((from === undefined) === (reference === undefined)) {
    throw new AppError('usage', 'What should the label be made from?', {
      hints: ['--from FILE (or - for standard input)', '--for RETURN --carrier-service CODE'],
    })
  }
  if (from !== undefined) {
    const unused = FOR_ONLY.filter((name) => flags[name] !== undefined && flags[name] !== false)
    if (unused.length === 0) return (await context.input.records(from)).records
    throw new AppError('usage', `--${unused.join(', --')} go with --for; with --from that is in the file.`)
  }
  if (carrierServiceCode === undefined) {
    throw new AppError('usage', '--for needs the carrier connection.', { hints: ['--carrier-service CODE'] })
  }
  const parcel = await findParcel((reference ?? '').trim(), flags, await connection.lookup())
  const value = requestFromReturn(parcel.record, {
    carrierServiceCode,
    clientShipmentId: parcel.clientShipmentId,
    weight: flags.weight,
    hsCode: flags['hs-code'],
    originCountryCode: flags['origin-country'],
    withoutSku: isOld,
  })
  return [{ value, place: '', parcel }]
}

/** What flags and settings add. Texts that were written as numbers are sent as texts, as the usage shows them. */
function complete(value: unknown, format: string | undefined, shop: string | undefined): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const request: Record<string, unknown> = { ...value }
  request.labelFormat = format ?? request.labelFormat ?? DEFAULT_FORMAT
  if (shop !== undefined) request.shopCode ??= shop
  for (const role of ['shipper', 'origin', 'destination']) {
    if (isFilled(request[role], 'phone')) request[role] = withText(request[role], 'phone')
  }
  if (Array.isArray(request.parcels)) {
    request.parcels = request.parcels.map((parcel) => withText(parcel, 'description'))
  }
  return request
}

function withText(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  const field: unknown = Reflect.get(value, name)
  const isNumber = typeof field === 'number' || (typeof field === 'object' && field !== null)
  return isNumber ? { ...value, [name]: String(field) } : value
}

function isFilled(value: unknown, name: string): boolean {
  const field: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return field !== undefined && field !== null && !(Array.isArray(field) && field.length === 0)
}
