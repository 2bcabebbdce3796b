import { pMapIterable } from 'p-map'
import { LOOKUPS } from '../../api/lookups.ts'
import { noneNamed, readReferences } from '../../api/return-references.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import type { InputRecord } from '../../cli/json-input.ts'
import { AppError, type ErrorDetail, type ErrorKind } from '../../errors.ts'
import { type Goods, requestFromReturn, undeclaredSkus } from '../../labels/request/from-return.ts'
import { passesCustoms } from '../../wire/customs-territory.ts'
import { findLabel } from './find-label.ts'
import { readGoods } from './goods.ts'
import { findParcel, type ParcelFlags, type ReturnParcel } from './return-parcel.ts'

export interface ForFlags extends ParcelFlags {
  for?: string[] | undefined
  'carrier-service'?: string | undefined
  goods?: string | undefined
  weight?: number | undefined
  'hs-code'?: string | undefined
  'origin-country'?: string | undefined
}

/** A request that a label may be made of, or why none can be. */
export interface OrderRecord extends InputRecord {
  parcel?: ReturnParcel | undefined
  /** What keeps a label from being made. */
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

/** The requests for the labels of returns, each return once, in the order given. */
export async function recordsOfReturns(
  flags: ForFlags,
  { context, connection, isOld }: Looking,
): Promise<OrderRecord[]> {
  const references = await readNames(flags.for ?? [], context)
  if (references.length > 1 && flags['client-shipment-id'] !== undefined) {
    throw new AppError(
      'usage',
      `--client-shipment-id names one shipment, and there are ${references.length}.`,
    )
  }
  const goodsOf = await goodsFinder(flags, context)
  const hasLabel = async (parcel: ReturnParcel) =>
    !flags.another && (await findLabel(soughtOf(parcel), context, await connection.labels())) !== undefined
  const options = { flags, isOld, goodsOf, hasLabel }
  const platform = { lookup: await connection.lookup(), returns: await connection.returns() }
  const read = async (reference: string): Promise<OrderRecord> => {
    try {
      return await recordOf(await findParcel(reference, flags, platform), options)
    } catch (error) {
      if (!(error instanceof AppError && OWN_KINDS.includes(error.kind)) || references.length === 1)
        throw error
      return { value: undefined, place: `${reference}: `, refusal: error }
    }
  }
  context.progress.start('Reading returns')
  const records = new Map<string, OrderRecord>()
  let done = 0
  for await (const record of pMapIterable(references, read, LOOKUPS)) {
    done += 1
    context.progress.update(`Reading returns: ${done} of ${references.length}`)
    const key = record.parcel?.clientShipmentId ?? record.place
    if (records.has(key)) await context.note(`${record.place}named more than once; it gets one label`)
    else records.set(key, record)
  }
  return [...records.values()]
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

/** By the file of goods first, as it knows more than flags for all of them. */
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
