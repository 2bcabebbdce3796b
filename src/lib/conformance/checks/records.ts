import { isCountry, isCurrency } from '../../wire/codes.ts'
import { type Return, type ReturnLineItem, returnSchema } from '../../wire/returns.ts'
import { parseServiceDate } from '../../wire/time.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, spec } from '../check.ts'
import { each, must, Skipped } from '../observed.ts'
import type { World } from '../platform-view.ts'

type Amount = Return['totalRefund']

/** Half of the smallest unit of any currency in use. */
const TOLERANCE = 0.0005

/** Problem with `whole` = `part` − `less`, if all three are there. */
function difference(name: string, whole: Amount, part: Amount, less: Amount): string | undefined {
  if (whole === undefined || whole === null) return undefined
  const expected = Number(part) - Number(less)
  if (Number.isNaN(expected) || Math.abs(Number(whole) - expected) < TOLERANCE) return undefined
  return `${name} ${whole}, but ${part} - ${less} is ${Number(expected.toFixed(4))}`
}

const linesOf = async (world: World) =>
  (await world.sample()).flatMap((record) =>
    record.returnLineItems.map((line) => ({ name: record.name, currency: record.currency, line })),
  )

function ofRecords(check: Omit<Check, 'run'>, complaint: (record: Return) => string | undefined): Check {
  const run = async (world: World) =>
    each(await world.sample(), 'returns', (record) => {
      const wrong = complaint(record)
      return wrong && `${record.name}: ${wrong}`
    })
  return { ...check, run }
}

function ofLines(check: Omit<Check, 'run'>, complaint: (line: ReturnLineItem) => string | undefined): Check {
  const run = async (world: World) =>
    each(await linesOf(world), 'items', ({ name, line }) => {
      const wrong = complaint(line)
      return wrong && `${name}, ${line.sku}: ${wrong}`
    })
  return { ...check, run }
}

/** Alpha-2, or alpha-3 by its form. */
const isIsoCountry = (code: string) => isCountry(code) || /^[A-Z]{3}$/.test(code)

const SERVICE_DATE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/

/** Spec §2. */
export const RECORD_CHECKS: readonly Check[] = [
  {
    id: 'record.fields',
    specified: 'Every required field is there, and every field has its type',
    ...spec('§2.1-2.5'),
    run: async (world) => mustFit(returnSchema, await world.sample(), 'returns', { values: false }),
  },
  {
    id: 'record.enums',
    specified: 'Statuses, refund types and refund modes are those of the specification',
    ...spec('§2.2, §3'),
    run: async (world) => mustFit(returnSchema, await world.sample(), 'returns', { values: true }),
  },
  ofRecords(
    {
      id: 'record.country',
      specified: 'Countries are ISO codes',
      ...spec('§2.5'),
    },
    ({ customer, origin, destination }) => {
      const codes = [customer, origin, destination].flatMap((party) => party.address?.countryCode ?? [])
      return codes.find((code) => !isIsoCountry(code))
    },
  ),
  ofRecords(
    {
      id: 'record.currency',
      specified: 'Currencies are ISO codes',
      ...assumed('§2.1'),
    },
    ({ currency, baseCurrency }) => [currency, baseCurrency ?? currency].find((code) => !isCurrency(code)),
  ),
  ofRecords(
    {
      id: 'record.urls',
      specified: 'The URLs of a transport are absolute',
      ...spec('§2.4'),
    },
    ({ activeTransportation }) =>
      [activeTransportation?.carrierLabel, activeTransportation?.carrierTrackingUrl].find(
        (url) => url && !/^https?:\/\/\S/i.test(url),
      ) ?? undefined,
  ),
  ofLines(
    { id: 'record.quantity', specified: 'At least one unit of an item is returned', ...spec('§2.2') },
    ({ quantity }) => (Number(quantity) > 0 ? undefined : `quantity ${quantity}`),
  ),
  ofRecords(
    {
      id: 'record.refund',
      specified: 'totalRefund is totalReturnAmount minus totalReturnFee',
      ...spec('§2.1'),
    },
    ({ totalRefund, totalReturnAmount, totalReturnFee }) =>
      difference('totalRefund', totalRefund, totalReturnAmount, totalReturnFee),
  ),
  ofRecords(
    {
      id: 'record.base-refund',
      specified: 'baseTotalRefund is baseTotalReturnAmount minus baseTotalReturnFee',
      ...spec('§2.1'),
    },
    ({ baseTotalRefund, baseTotalReturnAmount, baseTotalReturnFee }) =>
      difference('baseTotalRefund', baseTotalRefund, baseTotalReturnAmount, baseTotalReturnFee),
  ),
  ofRecords(
    {
      id: 'record.base-currency',
      specified: 'In the base currency the amounts are the same as in an equal transaction currency',
      ...spec('§2.1'),
    },
    ({
      currency,
      baseCurrency,
      totalReturnAmount,
      baseTotalReturnAmount,
      totalReturnFee,
      baseTotalReturnFee,
    }) =>
      currency === baseCurrency
        ? (difference('baseTotalReturnAmount', baseTotalReturnAmount, totalReturnAmount, 0) ??
          difference('baseTotalReturnFee', baseTotalReturnFee, totalReturnFee, 0))
        : undefined,
  ),
  ofRecords(
    {
      id: 'record.total-amount',
      specified: 'totalReturnAmount is what all returned items make up',
      ...spec('§2.1'),
    },
    ({ totalReturnAmount, returnLineItems }) => {
      const amounts = returnLineItems.map(({ returnAmount }) => Number(returnAmount ?? Number.NaN))
      const sum = amounts.reduce((total, amount) => total + amount, 0)
      return difference('totalReturnAmount', totalReturnAmount, Number(sum.toFixed(4)), 0)
    },
  ),
  ofLines(
    { id: 'record.paid', specified: 'paid is price minus discount', ...spec('§2.2') },
    ({ paid, price, discount }) => difference('paid', paid, price, discount ?? 0),
  ),
  ofLines(
    {
      id: 'record.base-paid',
      specified: 'basePaid is basePrice minus baseDiscount',
      ...spec('§2.2'),
    },
    ({ basePaid, basePrice, baseDiscount }) => difference('basePaid', basePaid, basePrice, baseDiscount ?? 0),
  ),
  {
    id: 'record.line-currency',
    specified: 'The items are in the currency of the transaction',
    ...spec('§2.2'),
    run: async (world) =>
      each(await linesOf(world), 'items', ({ name, currency, line }) =>
        (line.currency ?? currency) === currency
          ? undefined
          : `${name}, ${line.sku}: ${line.currency}, not ${currency}`,
      ),
  },
  ofRecords(
    {
      id: 'record.name',
      specified: 'The name is R#- and the name of the order',
      ...spec('§2.1'),
    },
    ({ name, ecommerceOrder }) =>
      name.startsWith(`R#-${ecommerceOrder.name ?? ''}`) ? undefined : `of the order ${ecommerceOrder.name}`,
  ),
  ofRecords(
    {
      id: 'record.name-number',
      specified: 'A second return of an order ends in -2, and so on',
      ...assumed('§2.1'),
    },
    ({ name, ecommerceOrder }) =>
      !ecommerceOrder.name || /^(-\d+)?$/.test(name.slice(`R#-${ecommerceOrder.name}`.length))
        ? undefined
        : `of the order ${ecommerceOrder.name}`,
  ),
  ofRecords(
    {
      id: 'record.client-reference',
      specified:
        'clientReference is P#R#, the short code of the merchant, and the name of the order; at its end may be a number',
      ...spec('§2.4'),
    },
    ({ activeTransportation, ecommerceOrder }) => {
      const { clientReference } = activeTransportation ?? {}
      const isSo =
        !clientReference ||
        (clientReference.startsWith('P#R#') &&
          [clientReference, clientReference.replace(/-\d+$/, '')].some((text) =>
            text.endsWith(ecommerceOrder.name ?? ''),
          ))
      return isSo ? undefined : `clientReference ${clientReference} of the order ${ecommerceOrder.name}`
    },
  ),
  {
    id: 'record.one-transport',
    specified: 'A clientReference names one transport',
    ...assumed('§2.4'),
    run: async (world) => {
      const owners = new Map<string, string>()
      const transports = (await world.sample()).flatMap(({ shopCode, name, activeTransportation: t }) =>
        t?.clientReference ? [{ name, key: `${shopCode} ${t.clientReference}` }] : [],
      )
      return each(transports, 'transports', ({ name, key }) => {
        const owner = owners.get(key)
        owners.set(key, owner ?? name)
        return owner === undefined ? undefined : `${key} is of ${owner} and of ${name}`
      })
    },
  },
  ofRecords(
    {
      id: 'record.date-form',
      specified: 'Dates are YYYY-MM-DD HH:MM:SS and Z or an offset',
      ...assumed('§2.1'),
    },
    ({ createdAt, updatedAt, cancelledAt, activeTransportation }) => {
      const dates = [createdAt, updatedAt, cancelledAt, activeTransportation?.createdAt]
      return dates.find((text) => text && !SERVICE_DATE.test(text)) ?? undefined
    },
  ),
  ofRecords(
    {
      id: 'record.updated-after-created',
      specified: 'No return was updated before it was created',
      ...spec('§2.1'),
    },
    ({ createdAt, updatedAt }) => {
      const [created, updated] = [createdAt, updatedAt].map((text) => parseServiceDate(text ?? ''))
      return created !== undefined && updated !== undefined && updated < created
        ? `created ${createdAt}, updated ${updatedAt}`
        : undefined
    },
  ),
  ofRecords(
    {
      id: 'record.pickup-date',
      specified: 'Only pick-ups have a pickupDate',
      ...spec('§2.4'),
    },
    ({ activeTransportation: transport }) =>
      transport?.pickupDate && transport.serviceType !== 'pick-up'
        ? `pickupDate ${transport.pickupDate} of a ${transport.serviceType}`
        : undefined,
  ),
  {
    id: 'record.ids',
    specified: 'No two returns have the same id, nor two of a shop the same name',
    ...spec('§2.1'),
    run: async (world) => {
      const sample = await world.sample()
      if (sample.length === 0) throw new Skipped('there are no returns')
      for (const [what, keys] of Object.entries({
        id: sample.map(({ id }) => id),
        name: sample.map(({ shopCode, name }) => `${shopCode} ${name}`),
      })) {
        const twice = keys.find((key, index) => key && keys.indexOf(key) !== index)
        must(twice === undefined, `two have the ${what} ${twice}`)
      }
      return `${sample.length} returns`
    },
  },
]
