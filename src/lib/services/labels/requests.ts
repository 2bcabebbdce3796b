import { shipmentKey } from '../../api/labels.ts'
import { noneNamed } from '../../api/return-references.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail, usageError } from '../../errors.ts'
import { checkLabelRequest, toOldRevision } from '../../labels/request/check.ts'
import type { NamedByFile } from '../../mappings/names-in-export.ts'
import { counted } from '../../wire/counted.ts'
import type { LabelRequest, OldLabelRequest } from '../../wire/labels.ts'
import { at, isRecord } from '../../wire/raw.ts'
import { fullCode } from '../mirror/mirror-file.ts'
import { type RequestRecord, recordsOfReturns } from './for-returns.ts'
import { type CreateFlags, factFlags, type ReturnParcel } from './return-parcel.ts'
import { namesOfExport } from './shipment-ids.ts'

export interface WantedLabel {
  request: LabelRequest | OldLabelRequest
  parcel?: ReturnParcel
}

export type WantedLabels = Awaited<ReturnType<typeof readWantedLabels>>

/** @throws AppError `usage` that lists every problem of every request */
export async function readWantedLabels(flags: CreateFlags, context: Context) {
  const settings = await context.settings()
  const [shop, isOld] = [settings.shop?.value, settings.apiRevision.value === '1.2.10']
  const { format } = flags
  const records = await inputRecords(flags, isOld, context)
  const skipped: ErrorDetail[] = []
  const hints = new Set<string>()
  const warnings: string[] = []
  const wanted: WantedLabel[] = []
  const places: FirstPlaces = new Map()
  for (const { value, prefix, parcel, problems: known = [], hints: remedies = [] } of records) {
    const { request, problems: own, warnings: doubts } = check(value, isOld, format, shop)
    const problems = [...own, ...known, ...(request ? repeated(request, prefix, places) : [])]
    for (const { path = '', ...rest } of problems) {
      skipped.push({ ...rest, path: `${prefix}${path}`.replace(/: $/, '') })
    }
    for (const hint of remedies) hints.add(hint)
    warnings.push(...doubts.map((doubt) => `${prefix}${doubt}`))
    if (request && problems.length === 0) wanted.push({ request, parcel })
  }
  if (skipped.length > 0) {
    const isLeft = wanted.length > 0
    if (!(flags['skip-invalid'] && isLeft)) throw refused({ records, skipped, hints, isLeft }, flags)
    await warnOf(
      skipped.map(({ path, message }) => `left out: ${path} ${message}`),
      context,
    )
  }
  await warnOf(warnings, context)
  return { wanted, skipped }
}

type FirstPlaces = Map<string, { prefix: string; shopCode: unknown }>

function* repeated(
  { clientShipmentId: id, shopCode }: WantedLabel['request'],
  prefix: string,
  places: FirstPlaces,
): Generator<ErrorDetail> {
  const key = shipmentKey(id)
  const first = places.get(key)
  if (first) {
    const place = first.prefix.replace(/[.: ]+$/, '')
    const message =
      first.shopCode === shopCode
        ? `${id} is asked for at ${place} already`
        : `${id} is another shop's shipment at ${place}: make its label in a run and a folder (--out) of its own`
    yield { path: 'clientShipmentId', message }
  }
  places.set(key, { prefix, shopCode })
}

function check(value: unknown, isOld: boolean, format: string | undefined, shop: string | undefined) {
  if (value === undefined) return { request: undefined, problems: [], warnings: [] }
  const input = withDefaults(value, format, shop)
  const { request, problems: found, warnings: doubts } = checkLabelRequest(input)
  const problems = [...found]
  const warnings = doubts.map(({ path, message }) => `${path}: ${message}`)
  // The new revision would ignore items outside the parcels.
  if (!isOld && isFilled(input, 'customsInfo')) {
    const message =
      'belongs to revision 1.2.10: declare items in parcels[].items, or give --api-revision 1.2.10'
    problems.push({ path: 'customsInfo', message })
  }
  if (!(request && isOld)) return { request, problems, warnings }
  const old = toOldRevision(request)
  if (old.losesParcels) {
    const lost = 'revision 1.2.10 does not say which of the parcels an item is in'
    warnings.push(`${request.clientShipmentId}: ${lost}`)
  }
  return { request: old.request, problems: [...problems, ...old.problems], warnings }
}

interface Refused {
  records: readonly RequestRecord[]
  skipped: readonly ErrorDetail[]
  hints: ReadonlySet<string>
  isLeft: boolean
}

function refused({ records, skipped, hints, isLeft }: Refused, flags: CreateFlags) {
  const what = records.length === 1 ? 'The request has' : `The ${counted(records.length, 'request')} have`
  return new AppError('usage', `${what} ${counted(skipped.length, 'problem')}; nothing was sent.`, {
    details: skipped,
    hints: [
      ...[...hints].slice(0, 3),
      ...(isLeft ? ['--skip-invalid leaves these out, and makes the others'] : []),
      ...(flags.for ? ['save what --dry-run cannot fill in as JSON, and give it with --from FILE'] : []),
    ],
  })
}

const MAX_WARNINGS = 10

async function warnOf(warnings: readonly string[], context: Context) {
  for (const warning of warnings.slice(0, MAX_WARNINGS)) await context.warn(warning)
  const more = warnings.length - MAX_WARNINGS
  if (more > 0) await context.warn(`and ${counted(more, 'more like this', 'more like these')}`)
}

async function inputRecords(flags: CreateFlags, isOld: boolean, context: Context): Promise<RequestRecord[]> {
  const { from, mapping, for: named, 'carrier-service': typed } = flags
  const ofReturns = async (names?: readonly NamedByFile[]) => {
    const service = typed && (await fullCode('--carrier-service', typed, context))
    return recordsOfReturns({ ...flags, 'carrier-service': service }, isOld, context, names)
  }
  const ways = [from, named, flags.filters].filter((way) => way !== undefined)
  // Filters beside other sources would buy labels nobody listed.
  if (ways.length > 1) {
    throw usageError(
      '--from, --for and filters do not go together.',
      '--dry-run with one of them shows what would be made',
    )
  }
  if (mapping !== undefined) {
    const file = from ?? (named?.length === 1 && named[0] === '-' ? '-' : undefined)
    if (file === undefined) {
      throw usageError('--mapping goes with an export.', '--from FILE, or --for - for standard input')
    }
    const names = await namesOfExport(context, file, mapping)
    if (names.length === 0) throw noneNamed()
    return ofReturns(names)
  }
  if (ways.length === 0) {
    throw usageError(
      'What should the label be made from?',
      '--for RETURN (or - for names on standard input)',
      '--status PENDING, or other filters of returns list',
      '--from FILE (or - for standard input)',
    )
  }
  if (from === undefined) return ofReturns()
  const unused = Object.keys(factFlags).filter((name) => Reflect.get(flags, name))
  if (unused.length === 0) return (await context.input.records(from)).records
  throw usageError(`--${unused.join(', --')} go with --for; with --from that is in the file.`)
}

function withDefaults(value: unknown, format: string | undefined, shop: string | undefined): unknown {
  if (!isRecord(value)) return value
  const request: Record<string, unknown> = { ...value }
  request.labelFormat = format ?? request.labelFormat ?? 'PDF'
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
  const field = at(value, name)
  const isNumber = typeof field === 'number' || (typeof field === 'object' && field !== null)
  return isNumber && isRecord(value) ? { ...value, [name]: String(field) } : value
}

function isFilled(value: unknown, name: string) {
  const field = at(value, name)
  return field !== undefined && field !== null && !(Array.isArray(field) && field.length === 0)
}
