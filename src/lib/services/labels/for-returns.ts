import pMap, { pMapIterable } from 'p-map'
import { LOOKUPS } from '../../api/resource.ts'
import type { ReturnLookup } from '../../api/return-lookup.ts'
import { noneNamed, readReferences } from '../../api/return-references.ts'
import type { ReturnFilters, ReturnsApi } from '../../api/returns.ts'
import type { InputRecord } from '../../cli/command-input.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail, type ErrorKind } from '../../errors.ts'
import { type Goods, requestFromReturn, undeclaredSkus } from '../../labels/request/from-return.ts'
import { passesCustoms } from '../../wire/geography.ts'
import { isRecord } from '../../wire/raw.ts'
import { fitted } from '../../wire/read.ts'
import type { Return } from '../../wire/returns.ts'
import { returnShape } from '../../wire/shapes.ts'
import { findLabel } from './find-label.ts'
import { readGoods } from './goods.ts'
import { findParcel, type ParcelFlags, parcelOf, type ReturnParcel, saysAll } from './return-parcel.ts'

export interface ForFlags extends ParcelFlags {
  for?: string[] | undefined
  /** Filters that choose returns instead of their names. */
  filters?: ReturnFilters | undefined
  'carrier-service'?: string | undefined
  goods?: string | undefined
  weight?: number | undefined
  'hs-code'?: string | undefined
  'origin-country'?: string | undefined
}

/** A request that a label may be made of, or why none can be. */
export interface OrderRecord extends InputRecord {
  parcel?: ReturnParcel | undefined
  /** Missing values that keep a label from being made. */
  lacks?: readonly ErrorDetail[]
  refusal?: AppError
}

interface Looking {
  context: Context
  connection: Pick<Connection, 'lookup' | 'returns' | 'labels'>
  isOld: boolean
}

/** Failures of one return alone. */
const OWN_KINDS: readonly ErrorKind[] = ['usage', 'not-found', 'rejected', 'contract']

/** The requests for the labels of returns, each return once, in the order given, or of those that match filters. */
export async function recordsOfReturns(
  flags: ForFlags,
  { context, connection, isOld }: Looking,
): Promise<OrderRecord[]> {
  context.progress.start('Reading returns')
  const platform = { context, lookup: await connection.lookup(), returns: await connection.returns() }
  const { filters } = flags
  const sources = filters ? await listed(filters, platform) : await readNames(flags.for ?? [], context)
  if (sources.length > 1 && flags['client-shipment-id'] !== undefined) {
    throw new AppError('usage', `--client-shipment-id names one shipment, and there are ${sources.length}.`)
  }
  const goodsOf = await goodsFinder(flags, context)
  const hasLabel = async (parcel: ReturnParcel) =>
    !flags.another && (await findLabel(soughtOf(parcel), context, await connection.labels())) !== undefined
  const options = { flags, isOld, goodsOf, hasLabel }
  const without: string[] = []
  const read = async (source: string | Return): Promise<OrderRecord | undefined> => {
    const name = typeof source === 'string' ? source : source.name
    try {
      const isNamed = typeof source === 'string'
      const parcel = await (isNamed
        ? findParcel(source, flags, platform)
        : parcelUnderWay(source, flags, platform))
      if (!parcel) without.push(name)
      return parcel && (await recordOf(parcel, options))
    } catch (error) {
      if (!(error instanceof AppError && OWN_KINDS.includes(error.kind)) || sources.length === 1) throw error
      return { value: undefined, place: `${name}: `, refusal: error }
    }
  }
  const records = new Map<string, OrderRecord>()
  let done = 0
  for await (const record of pMapIterable<string | Return, OrderRecord | undefined>(sources, read, LOOKUPS)) {
    done += 1
    context.progress.update(`Reading returns: ${done} of ${sources.length}`)
    if (record === undefined) continue
    const key = record.parcel?.clientShipmentId ?? record.place
    if (records.has(key)) await context.note(`${record.place}named more than once; it gets one label`)
    else records.set(key, record)
  }
  if (without.length > 0) await context.note(`Without a parcel under way, left out: ${someOf(without)}`)
  return [...records.values()]
}

/** A filter asks for no return in particular: one without a parcel under way is none of those that are meant. */
async function parcelUnderWay(
  record: Return,
  flags: ParcelFlags,
  platform: Parameters<typeof parcelOf>[2],
): Promise<ReturnParcel | undefined> {
  try {
    return await parcelOf(record, flags, platform)
  } catch (error) {
    if (error instanceof AppError && error.kind === 'usage') return undefined
    throw error
  }
}

/** All that match, as the list shows them where that is all. */
async function listed(
  filters: ReturnFilters,
  { lookup, returns }: { lookup: ReturnLookup; returns: ReturnsApi },
): Promise<Return[]> {
  const found: Return[] = []
  for await (const record of returns.list(filters, { all: true })) {
    if (isRecord(record)) found.push(fitted(returnShape, record))
  }
  return pMap(found, async (one) => (saysAll(one) ? one : lookup.fittedWhole(one)), {
    concurrency: LOOKUPS.concurrency,
  })
}

const MAX_NAMES = 10

function someOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return `${names.slice(0, MAX_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function soughtOf(parcel: ReturnParcel) {
  const { clientShipmentId, record } = parcel
  return { request: { clientShipmentId, shopCode: record.shopCode }, parcel }
}

interface RecordOptions {
  flags: ForFlags
  isOld: boolean
  goodsOf: (sku: string) => Goods
  hasLabel: (parcel: ReturnParcel) => Promise<boolean>
}

async function recordOf(
  parcel: ReturnParcel,
  { flags, isOld, goodsOf, hasLabel }: RecordOptions,
): Promise<OrderRecord> {
  const { record, transport, clientShipmentId } = parcel
  const carrierServiceCode = flags['carrier-service'] ?? transport?.carrierServiceCode ?? undefined
  if (carrierServiceCode === undefined) {
    throw new AppError('usage', `${record.name} does not say which carrier service it goes by.`, {
      hints: ['--carrier-service CODE'],
    })
  }
  const { weight } = flags
  const value = requestFromReturn(record, {
    carrierServiceCode,
    clientShipmentId,
    weight,
    goodsOf,
    withoutSku: isOld,
  })
  const { origin, customer, destination } = record
  const needsCodes = passesCustoms(origin?.address ?? customer?.address, destination?.address)
  const skus = needsCodes ? undeclaredSkus(record, { goodsOf }) : []
  // A label that is there needs no customs data any more.
  const lacking = skus.length > 0 && !(await hasLabel(parcel)) ? skus : []
  const message = `passes customs, and there is no HS code of ${lacking.join(', ')}`
  return { value, place: `${record.name}: `, parcel, lacks: lacking.length > 0 ? [{ message }] : [] }
}

/** Each once; standard input may be a column `name` of CSV. */
async function readNames(given: readonly string[], { streams }: Pick<Context, 'streams'>): Promise<string[]> {
  const names = new Set(await readReferences(given, () => streams.inputLines(), nameIn))
  names.delete('name')
  if (names.size === 0) throw noneNamed()
  return [...names]
}

function nameIn(line: string): string {
  return line
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim()
}

/** Finds facts about articles. The goods file comes before flags, which are for all articles. */
async function goodsFinder(
  flags: ForFlags,
  context: Pick<Context, 'settings'>,
): Promise<RecordOptions['goodsOf']> {
  const path = flags.goods ?? (await context.settings()).goodsFile
  const goods = path === undefined ? undefined : await readGoods(path)
  const [hsCode, originCountryCode] = [flags['hs-code'], flags['origin-country']]
  return (sku) => {
    const known = goods?.get(sku)
    return {
      hsCode: known?.hsCode ?? hsCode,
      originCountryCode: known?.originCountryCode ?? originCountryCode,
      weight: known?.weight,
    }
  }
}
