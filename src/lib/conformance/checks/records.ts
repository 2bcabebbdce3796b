import { isCountry, isCurrency } from '../../wire/codes.ts'
import { type Return, type ReturnLineItem, returnSchema } from '../../wire/returns.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, spec } from '../check.ts'
import { each } from '../observed.ts'
import type { World } from '../platform-view.ts'

type Amount = Return['totalRefund']

/** Half of the smallest unit of any currency in use. */
const TOLERANCE = 0.0005

/** Problem with `whole` = `part` − `less`, if `whole` and `part` are there. */
function difference(whole: Amount, part: Amount, less: Amount = 0): string | undefined {
  if (whole === undefined || whole === null) return undefined
  const expected = Number(part) - Number(less ?? 0)
  if (Number.isNaN(expected) || Math.abs(Number(whole) - expected) < TOLERANCE) return undefined
  return `${whole}, but ${part} - ${less} is ${Number(expected.toFixed(4))}`
}

const linesOf = async (world: World) =>
  (await world.sample()).flatMap((record) =>
    record.returnLineItems.map((line) => ({ name: record.name, currency: record.currency, line })),
  )

/** Looks at all returns of the sample. */
const ofRecords = (complaint: (record: Return) => string | undefined) => async (world: World) =>
  each(await world.sample(), 'returns', (record) => {
    const wrong = complaint(record)
    return wrong && `${record.name}: ${wrong}`
  })

/** Looks at all items of the sample. */
const ofLines = (complaint: (line: ReturnLineItem) => string | undefined) => async (world: World) =>
  each(await linesOf(world), 'items', ({ name, line }) => {
    const wrong = complaint(line)
    return wrong && `${name}, ${line.sku}: ${wrong}`
  })

/** @throws Departure if a name is of two returns */
function mustDiffer(sample: readonly Return[], namesOf: (record: Return) => string[]): string {
  const names = sample.flatMap(namesOf)
  return each(names, 'names', (name) =>
    names.indexOf(name) === names.lastIndexOf(name) ? undefined : `${name} twice`,
  )
}

/** Alpha-2, or alpha-3 by its form. */
const isIsoCountry = (code: string) => isCountry(code) || /^[A-Z]{3}$/.test(code)

const SERVICE_DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/

/** Spec §2. */
export const RECORD_CHECKS: readonly Check[] = [
  spec(
    'record.fields',
    '§2.1-2.5',
    'Every required field is there, and every field has its type',
    async (world) => mustFit(returnSchema, await world.sample(), 'returns', { values: false }),
  ),
  spec(
    'record.enums',
    '§2.2, §3',
    'Statuses, refund types and refund modes are those of the specification',
    async (world) => mustFit(returnSchema, await world.sample(), 'returns', { values: true }),
  ),
  spec(
    'record.country',
    '§2.5',
    'Countries are ISO codes',
    ofRecords(({ customer, origin, destination }) => {
      const codes = [customer, origin, destination].flatMap((party) => party.address?.countryCode ?? [])
      return codes.find((code) => !isIsoCountry(code))
    }),
  ),
  assumed(
    'record.currency',
    '§2.1',
    'Currencies are ISO codes',
    ofRecords(({ currency, baseCurrency }) =>
      [currency, baseCurrency ?? currency].find((code) => !isCurrency(code)),
    ),
  ),
  spec(
    'record.urls',
    '§2.4',
    'The URLs of a transport are absolute',
    ofRecords(
      ({ activeTransportation }) =>
        [activeTransportation?.carrierLabel, activeTransportation?.carrierTrackingUrl].find(
          (url) => url && !/^https?:\/\/\S/i.test(url),
        ) ?? undefined,
    ),
  ),
  spec(
    'record.quantity',
    '§2.2',
    'At least one unit of an item is returned',
    ofLines(({ quantity }) => (Number(quantity) > 0 ? undefined : `quantity ${quantity}`)),
  ),
  spec(
    'record.refund',
    '§2.1',
    'totalRefund is totalReturnAmount minus totalReturnFee',
    ofRecords((record) => difference(record.totalRefund, record.totalReturnAmount, record.totalReturnFee)),
  ),
  spec(
    'record.base-refund',
    '§2.1',
    'baseTotalRefund is baseTotalReturnAmount minus baseTotalReturnFee',
    ofRecords((record) =>
      difference(record.baseTotalRefund, record.baseTotalReturnAmount, record.baseTotalReturnFee),
    ),
  ),
  spec(
    'record.base-currency',
    '§2.1',
    'In the base currency the amounts are the same as in an equal transaction currency',
    ofRecords((record) =>
      record.currency === record.baseCurrency
        ? (difference(record.baseTotalReturnAmount, record.totalReturnAmount) ??
          difference(record.baseTotalReturnFee, record.totalReturnFee))
        : undefined,
    ),
  ),
  spec(
    'record.total-amount',
    '§2.1',
    'totalReturnAmount is what all returned items make up',
    ofRecords(({ totalReturnAmount, returnLineItems }) => {
      const amounts = returnLineItems.map(({ returnAmount }) => Number(returnAmount ?? Number.NaN))
      return difference(totalReturnAmount, Number(amounts.reduce((sum, each) => sum + each, 0).toFixed(4)))
    }),
  ),
  spec(
    'record.paid',
    '§2.2',
    'paid is price minus discount',
    ofLines(({ paid, price, discount }) => difference(paid, price, discount)),
  ),
  spec(
    'record.base-paid',
    '§2.2',
    'basePaid is basePrice minus baseDiscount',
    ofLines(({ basePaid, basePrice, baseDiscount }) => difference(basePaid, basePrice, baseDiscount)),
  ),
  spec('record.line-currency', '§2.2', 'The items are in the currency of the transaction', async (world) =>
    each(await linesOf(world), 'items', ({ name, currency, line }) =>
      (line.currency ?? currency) === currency
        ? undefined
        : `${name}, ${line.sku}: ${line.currency}, not ${currency}`,
    ),
  ),
  spec(
    'record.name',
    '§2.1',
    'The name is R#- and the name of the order',
    ofRecords(({ name, ecommerceOrder }) =>
      name.startsWith(`R#-${ecommerceOrder.name ?? ''}`) ? undefined : `of the order ${ecommerceOrder.name}`,
    ),
  ),
  assumed(
    'record.name-number',
    '§2.1',
    'A second return of an order ends in -2, and so on',
    ofRecords(({ name, ecommerceOrder }) =>
      !ecommerceOrder.name || /^(-\d+)?$/.test(name.slice(`R#-${ecommerceOrder.name}`.length))
        ? undefined
        : `of the order ${ecommerceOrder.name}`,
    ),
  ),
  spec(
    'record.client-reference',
    '§2.4',
    'clientReference is P#R#, the short code of the merchant, and the name of the order; at its end may be a number',
    ofRecords(({ activeTransportation, ecommerceOrder }) => {
      const { clientReference } = activeTransportation ?? {}
      const isSo =
        !clientReference ||
        (clientReference.startsWith('P#R#') &&
          [clientReference, clientReference.replace(/-\d+$/, '')].some((text) =>
            text.endsWith(ecommerceOrder.name ?? ''),
          ))
      return isSo ? undefined : `clientReference ${clientReference} of the order ${ecommerceOrder.name}`
    }),
  ),
  assumed('record.one-transport', '§2.4', 'A clientReference names one transport', async (world) =>
    mustDiffer(await world.sample(), ({ shopCode, activeTransportation }) =>
      activeTransportation?.clientReference ? [`${shopCode} ${activeTransportation.clientReference}`] : [],
    ),
  ),
  assumed(
    'record.date-form',
    '§2.1',
    'Dates are YYYY-MM-DD HH:MM:SS and Z or an offset',
    ofRecords(({ createdAt, updatedAt, cancelledAt, activeTransportation }) => {
      const dates = [createdAt, updatedAt, cancelledAt, activeTransportation?.createdAt]
      return dates.find((text) => text && !SERVICE_DATE.test(text)) ?? undefined
    }),
  ),
  spec(
    'record.updated-after-created',
    '§2.1',
    'No return was updated before it was created',
    ofRecords(({ createdAt, updatedAt }) => {
      const [created, updated] = [createdAt, updatedAt].map((text) => parseServiceDate(text ?? ''))
      return created !== undefined && updated !== undefined && updated < created
        ? `created ${createdAt}, updated ${updatedAt}`
        : undefined
    }),
  ),
  spec(
    'record.pickup-date',
    '§2.4',
    'Only pick-ups have a pickupDate',
    ofRecords(({ activeTransportation: transport }) =>
      transport?.pickupDate && transport.serviceType !== 'pick-up'
        ? `pickupDate ${transport.pickupDate} of a ${transport.serviceType}`
        : undefined,
    ),
  ),
  spec(
    'record.ids',
    '§2.1',
    'No two returns have the same id, nor two of a shop the same name',
    async (world) =>
      mustDiffer(await world.sample(), ({ id, shopCode, name }) => [
        ...(id ? [`id ${id}`] : []),
        `name ${shopCode} ${name}`,
      ]),
  ),
]
