import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import { checkLabelRequest } from '../../labels/request/check.ts'
import { toOldRevision } from '../../labels/request/revision.ts'
import { counted } from '../../wire/counted.ts'
import type { LABEL_FORMATS } from '../../wire/enumerations.ts'
import type { LabelRequest, OldLabelRequest } from '../../wire/labels.ts'
import { at } from '../../wire/raw.ts'
import { namesOfExport } from './export-names.ts'
import { FOR_ONLY } from './for-flags.ts'
import { type ForFlags, type OrderRecord, recordsOfReturns } from './for-returns.ts'
import type { ReturnParcel } from './return-parcel.ts'

export interface RequestFlags extends ForFlags {
  from?: string | undefined
  mapping?: string | undefined
  register?: boolean | undefined
  format?: string | undefined
  'skip-invalid'?: boolean | undefined
}

export interface LabelOrder {
  request: LabelRequest | OldLabelRequest
  parcel?: ReturnParcel | undefined
}

/** Requests to send, and problems of those left out. */
export interface LabelOrders {
  orders: LabelOrder[]
  skipped: ErrorDetail[]
}

const DEFAULT_FORMAT: (typeof LABEL_FORMATS)[number] = 'PDF'

/**
 * The labels (spec §4.2) that the flags ask for.
 *
 * @throws AppError `usage` that lists every problem of every request; with `--skip-invalid` only if none is left
 */
export async function readLabelOrders(
  flags: RequestFlags,
  context: Context,
  connection: Pick<Connection, 'lookup' | 'returns' | 'labels'>,
): Promise<LabelOrders> {
  const { apiRevision, shop } = await context.settings()
  const isOld = apiRevision.value === '1.2.10'
  const records = await inputRecords(flags, { context, connection, isOld })
  const problems: ErrorDetail[] = []
  const hints = new Set<string>()
  const warnings: string[] = []
  const orders: LabelOrder[] = []
  const places = new Map<string, string>()
  const reading = { format: flags.format, shop: shop?.value, isOld, places }
  for (const record of records) {
    const { order, problems: found, warnings: doubts } = checkRecord(record, reading)
    for (const { path = '', ...rest } of found) {
      problems.push({ ...rest, path: `${record.place}${path}`.replace(/: $/, '') })
    }
    for (const doubt of doubts) warnings.push(`${record.place}${doubt}`)
    for (const hint of record.refusal?.hints ?? []) hints.add(hint)
    if (record.lacks?.length) for (const hint of GOODS_HINTS) hints.add(hint)
    if (order && found.length === 0) orders.push(order)
  }
  if (problems.length > 0)
    await refuseProblems({ problems, hints, records: records.length, orders }, flags, context)
  await warnOf(warnings, context)
  return { orders, skipped: problems }
}

interface Reading {
  format: string | undefined
  shop: string | undefined
  isOld: boolean
  /** Places in the input by id. */
  places: Map<string, string>
}

interface ReadRecord {
  order?: LabelOrder
  problems: ErrorDetail[]
  warnings: string[]
}

function checkRecord(record: OrderRecord, { format, shop, isOld, places }: Reading): ReadRecord {
  const { value, place, parcel, refusal, lacks = [] } = record
  if (refusal) return { problems: [{ message: refusal.message }], warnings: [] }
  const completed = complete(value, format, shop)
  const checked = checkLabelRequest(completed)
  const problems = [...checked.problems, ...lacks]
  // A list of items beside the parcels is the old revision's, and would be ignored by the new one.
  if (!isOld && isFilled(completed, 'customsInfo')) problems.push(MISPLACED_CUSTOMS)
  const warnings = checked.warnings.map(({ path, message }) => `${path}: ${message}`)
  if (!checked.request) return { problems, warnings }
  const id = checked.request.clientShipmentId
  const first = places.get(id)?.replace(/[.: ]+$/, '')
  if (first !== undefined) {
    problems.push({ path: 'clientShipmentId', message: `${id} is asked for at ${first} already` })
  }
  places.set(id, place)
  const old = isOld ? toOldRevision(checked.request) : undefined
  problems.push(...(old?.problems ?? []))
  if (old?.losesParcels) warnings.push(`${id}: ${LOST_PARCELS}`)
  return { order: { request: old?.request ?? checked.request, parcel }, problems, warnings }
}

const GOODS_HINTS = [
  '--goods FILE: a row for each sku, with hsCode, originCountryCode and weight',
  'or for all of them: --hs-code CODE --origin-country CODE',
]

interface Refused {
  problems: readonly ErrorDetail[]
  hints: ReadonlySet<string>
  records: number
  orders: readonly LabelOrder[]
}

/** @throws AppError `usage`, unless there are others that are wanted without these */
async function refuseProblems(
  { problems, hints, records, orders }: Refused,
  flags: RequestFlags,
  context: Pick<Context, 'warn'>,
): Promise<void> {
  const isLeft = orders.length > 0
  if (flags['skip-invalid'] && isLeft) {
    await warnOf(
      problems.map(({ path, message }) => `left out: ${path} ${message}`),
      context,
    )
    return
  }
  const what = records === 1 ? 'The request has' : `The ${counted(records, 'request')} have`
  throw new AppError('usage', `${what} ${counted(problems.length, 'problem')}; nothing was sent.`, {
    details: problems,
    hints: [
      ...[...hints].slice(0, MAX_HINTS),
      ...(isLeft ? ['--skip-invalid leaves these out, and makes the others'] : []),
      ...(flags.for === undefined
        ? []
        : ['save what --dry-run cannot fill in as JSON, and give it with --from FILE']),
    ],
  })
}

const MAX_HINTS = 3
const LOST_PARCELS = 'revision 1.2.10 does not say which of the parcels an item is in'
const MAX_WARNINGS = 10

async function warnOf(warnings: readonly string[], context: Pick<Context, 'warn'>): Promise<void> {
  for (const warning of warnings.slice(0, MAX_WARNINGS)) await context.warn(warning)
  const more = warnings.length - MAX_WARNINGS
  if (more > 0) await context.warn(`and ${counted(more, 'more like this', 'more like these')}`)
}

const MISPLACED_CUSTOMS: ErrorDetail = {
  path: 'customsInfo',
  message: 'belongs to revision 1.2.10: declare items in parcels[].items, or give --api-revision 1.2.10',
}

interface RecordSources {
  context: Context
  connection: Pick<Connection, 'lookup' | 'returns' | 'labels'>
  isOld: boolean
}

async function inputRecords(flags: RequestFlags, sources: RecordSources): Promise<OrderRecord[]> {
  const { from, mapping } = flags
  const ways = [from, flags.for, flags.filters].filter((way) => way !== undefined)
  // With a mapping, too: labels that the filters alone choose would be paid for.
  if (ways.length > 1) {
    throw new AppError('usage', '--from, --for and filters do not go together.', {
      hints: ['--dry-run with one of them shows what would be made'],
    })
  }
  if (mapping !== undefined) {
    const names = await namesOfExport(sources.context, exportOf(flags), mapping)
    return recordsOfReturns({ ...flags, for: names }, sources)
  }
  if (ways.length === 0) {
    throw new AppError('usage', 'What should the label be made from?', {
      hints: [
        '--for RETURN (or - for names on standard input)',
        '--status PENDING, or other filters of returns list',
        '--from FILE (or - for standard input)',
      ],
    })
  }
  if (from === undefined) return recordsOfReturns(flags, sources)
  const unused = FOR_ONLY.filter((name) => flags[name] !== undefined && flags[name] !== false)
  if (unused.length === 0) return (await sources.context.input.records(from)).records
  throw new AppError('usage', `--${unused.join(', --')} go with --for; with --from that is in the file.`)
}

/** A file, or standard input. @throws AppError `usage` for returns that are named one by one */
function exportOf({ from, for: named }: RequestFlags): string {
  const file = from ?? (named?.length === 1 ? named[0] : undefined)
  if (file !== undefined && (from !== undefined || file === '-')) return file
  throw new AppError('usage', '--mapping goes with an export.', {
    hints: ['--from FILE, or --for - for standard input'],
  })
}

/** Adds values of flags and settings, and turns numbers of text fields into text. */
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
  const field = at(value, name)
  return field !== undefined && field !== null && !(Array.isArray(field) && field.length === 0)
}
