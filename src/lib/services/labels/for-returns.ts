import { pMapIterable } from 'p-map'
import { LOOKUP_LIMITS } from '../../api/resource.ts'
import { noneNamed, readReferences } from '../../api/return-references.ts'
import { mapColumns } from '../../bulk/rows/columns.ts'
import { readFields } from '../../bulk/rows/fields.ts'
import { openRows } from '../../bulk/rows/open.ts'
import type { InputRecord } from '../../cli/command-input.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail, isOfKind, usageError } from '../../errors.ts'
import { type Goods, requestFromReturn, undeclaredSkus } from '../../labels/request/from-return.ts'
import type { NamedByFile } from '../../mappings/names-in-export.ts'
import { counted, firstOf } from '../../wire/counted.ts'
import { passesCustoms } from '../../wire/geography.ts'
import { isRecord } from '../../wire/raw.ts'
import { fitted } from '../../wire/read.ts'
import { inShop } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { returnShape } from '../../wire/shapes.ts'
import { type CreateFlags, findLabel, hasAllForLabel, parcelOf, type ReturnParcel } from './return-parcel.ts'

/** A record without `value` has problems. */
export interface RequestRecord extends InputRecord {
  parcel?: ReturnParcel
  problems?: readonly ErrorDetail[]
  hints?: readonly string[]
}

const MAX_NAMES = 10
const GOODS_HINTS = [
  '--goods FILE: a row for each sku, with hsCode, originCountryCode and weight',
  'or for all of them: --hs-code CODE --origin-country CODE',
]

/** Each return makes one request, in the order given. */
export async function recordsOfReturns(
  flags: CreateFlags,
  isOld: boolean,
  context: Context,
  named?: readonly NamedByFile[],
): Promise<RequestRecord[]> {
  context.progress.start('Reading returns')
  const readAt = context.io.now()
  const { filters } = flags
  const [lookup, returns] = [await context.connection.lookup(), await context.connection.returns()]
  const sources: (NamedByFile | { record: Return })[] = filters
    ? []
    : [...(named ?? (await readNames(flags.for ?? [], context)))]
  if (filters) {
    for await (const record of returns.list(filters, { all: true })) {
      if (isRecord(record)) sources.push({ record: fitted(returnShape, record) })
    }
  }
  if (sources.length > 1 && flags['client-shipment-id'] !== undefined) {
    throw usageError(`--client-shipment-id names one shipment, and there are ${sources.length}.`)
  }
  const goodsOf = await goodsFinder(flags, context)
  const without: string[] = []
  const read = async (source: (typeof sources)[number]): Promise<RequestRecord | undefined> => {
    const name = 'id' in source ? `${source.id}${inShop(source.shop)}` : source.record.name
    try {
      const { record } = 'id' in source ? await lookup.oneToUpdate(source.id, source.shop) : source
      const whole = hasAllForLabel(record) ? record : await lookup.fittedWhole(record)
      const parcel = await parcelOf(whole, flags, context, readAt).catch((error: unknown) => {
        // Filters may match returns without a parcel under way, which are left out.
        if (!(filters && isOfKind(error, 'usage'))) throw error
      })
      if (parcel) return await recordOf(parcel, { flags, isOld, goodsOf, context })
      without.push(name)
      return undefined
    } catch (error) {
      if (!isOfKind(error, 'usage', 'not-found', 'rejected', 'contract') || sources.length === 1) throw error
      const { message, hints } = error
      return { value: undefined, prefix: `${name}: `, problems: [{ message }], hints }
    }
  }
  const records = new Map<string, RequestRecord>()
  let done = 0
  for await (const record of pMapIterable(sources, read, LOOKUP_LIMITS)) {
    done += 1
    context.progress.count('Reading returns', done, sources.length)
    if (record === undefined) continue
    const { parcel, prefix } = record
    const key = `${parcel?.record.shopCode} ${parcel?.clientShipmentId ?? prefix}`
    if (records.has(key)) await context.note(`${prefix}named more than once; it gets one label`)
    else records.set(key, record)
  }
  if (without.length > 0) {
    await context.note(`Without a parcel under way, left out: ${firstOf(without, MAX_NAMES)}`)
  }
  return [...records.values()]
}

interface RecordOptions {
  flags: CreateFlags
  isOld: boolean
  goodsOf: (sku: string) => Goods
  context: Context
}

async function recordOf(
  parcel: ReturnParcel,
  { flags, isOld, goodsOf, context }: RecordOptions,
): Promise<RequestRecord> {
  const { record, transport, clientShipmentId } = parcel
  const carrierServiceCode = flags['carrier-service'] ?? transport?.carrierServiceCode ?? undefined
  if (carrierServiceCode === undefined) {
    throw usageError(
      `${record.name} does not say which carrier service it goes by.`,
      '--carrier-service CODE',
    )
  }
  const value = requestFromReturn(record, {
    carrierServiceCode,
    clientShipmentId,
    weight: flags.weight,
    goodsOf,
    withoutSku: isOld,
  })
  const made = { value, prefix: `${record.name}: `, parcel }
  const { origin, customer, destination, shopCode } = record
  if (!passesCustoms(origin?.address ?? customer?.address, destination?.address)) return made
  const skus = undeclaredSkus(record, goodsOf)
  if (skus.length === 0) return made
  // An existing label needs no customs data.
  const sought = { request: { clientShipmentId, shopCode }, parcel }
  if (!flags.another && (await findLabel(sought, context, await context.connection.labels()))) return made
  const message = `passes customs, and there is no HS code of ${skus.join(', ')}`
  return { ...made, problems: [{ message }], hints: GOODS_HINTS }
}

/** Standard input may be CSV with a header `name`. */
async function readNames(given: readonly string[], { streams }: Context) {
  const names = new Set(await readReferences(given, () => streams.inputLines()))
  names.delete('name')
  if (names.size === 0) throw noneNamed(given)
  return [...names].map((id) => ({ id }))
}

/** The goods file wins over flags, which hold for all articles. */
async function goodsFinder(flags: CreateFlags, context: Context): Promise<RecordOptions['goodsOf']> {
  const path = flags.goods ?? (await context.settings()).goodsFile
  const goods = path === undefined ? undefined : await readGoods(path)
  return (sku) => {
    const known = goods?.get(sku)
    return {
      hsCode: known?.hsCode ?? flags['hs-code'],
      originCountryCode: known?.originCountryCode ?? flags['origin-country'],
      weight: known?.weight,
    }
  }
}

const GOODS_FIELDS = [
  { name: 'sku', kind: 'identifier', required: true },
  { name: 'hsCode', kind: 'identifier' },
  { name: 'originCountryCode', kind: 'text' },
  { name: 'weight', kind: 'text' },
] as const
const MAX_PROBLEMS = 100
/** Limit for one piece. Larger numbers must be grams. */
const MAX_KILOGRAMS = 100

/** @throws AppError `usage` that lists every row that can't be used */
async function readGoods(path: string) {
  const source = await openRows(path, { name: path })
  const mapping = mapColumns(GOODS_FIELDS, source)
  const goods = new Map<string, Goods>()
  const problems: ErrorDetail[] = []
  for await (const batch of source.rows()) {
    for (const raw of batch) {
      const { values, problems: found } = readFields(raw, mapping)
      const { sku = '', hsCode, originCountryCode, weight } = values
      const note = (message: string) => problems.push({ path: `row ${raw.row}`, message })
      for (const { column, message } of found) note(`${column} ${message}`.trim())
      if (goods.has(sku)) note(`${sku} has a row already`)
      const kilograms = weight === undefined ? undefined : Number(weight.replace(',', '.'))
      if (!isWeight(kilograms)) note(`weight ${weight}: kilograms of one piece, such as 0.25`)
      if (sku !== '') goods.set(sku, { hsCode, originCountryCode, weight: kilograms })
    }
  }
  if (problems.length === 0) return goods
  throw new AppError('usage', `${path}: ${counted(problems.length, 'problem')}; nothing was sent.`, {
    details: problems.slice(0, MAX_PROBLEMS),
    hints: ['one row for each sku: sku, hsCode, originCountryCode, weight'],
  })
}

function isWeight(kilograms = MAX_KILOGRAMS) {
  return kilograms > 0 && kilograms <= MAX_KILOGRAMS
}
