import { isCountry, isCurrency } from '../../wire/geography.ts'
import { type Return, type ReturnLineItem, returnSchema } from '../../wire/returns.ts'
import { all, assumed, type Check, haveTypes, spec, type World } from '../check.ts'
import { msOf } from './list.ts'

/** Half of the smallest unit of any currency in use. */
const TOLERANCE = 0.0005
const CENT = 0.01

type Complaint<T> = (record: T) => string | false | null | undefined

const sample = (world: World) => world.sample()

const ofReturns = (complaint: Complaint<Return>) =>
  all(sample, 'returns', (record) => {
    const wrong = complaint(record)
    return !!wrong && `${record.name}: ${wrong}`
  })

const ofItems = (complaint: Complaint<ReturnLineItem & { transaction: string }>) =>
  all(
    async (world) =>
      (await world.sample()).flatMap(({ name, currency, returnLineItems }) =>
        returnLineItems.map((item) => ({ ...item, name, transaction: currency })),
      ),
    'items',
    (item) => {
      const wrong = complaint(item)
      return !!wrong && `${item.name}, ${item.sku}: ${wrong}`
    },
  )

const unique = (noun: string, namesOf: (record: Return) => string | false | null | undefined) =>
  all(
    async (world) => {
      const names = (await world.sample()).flatMap((record) => namesOf(record) || [])
      return names.map((name, index) => ({ name, isFirst: names.indexOf(name) === index }))
    },
    noun,
    ({ name, isFirst }) => !isFirst && `${name} twice`,
  )

/** Decided: an item's tax is for one unit. */
const SUMS = [
  { row: spec, id: 'total-amount', whole: 'totalReturnAmount', part: 'returnAmount', slack: TOLERANCE },
  {
    row: spec,
    id: 'base-total-amount',
    whole: 'baseTotalReturnAmount',
    part: 'baseReturnAmount',
    slack: CENT,
  },
  { row: assumed, id: 'total-tax', whole: 'totalTax', part: 'tax', slack: CENT },
] as const

/** Compares an amount with the difference of two others. */
function isOff(whole: unknown, part: unknown, less: unknown = 0, tolerance = TOLERANCE): string | false {
  const expected = Number(part ?? Number.NaN) - Number(less ?? 0)
  const isSo = whole === undefined || whole === null || !(Math.abs(Number(whole) - expected) >= tolerance)
  return !isSo && `${whole}, but ${part} - ${less} is ${Number(expected.toFixed(4))}`
}

export const RECORD_CHECKS: readonly Check[] = [
  spec(
    'record.fields',
    '§2.1-2.5',
    'Every required field is there, and every field has its type',
    haveTypes(returnSchema, sample, 'returns', false),
  ),
  spec(
    'record.enums',
    '§2.2, §3',
    'Statuses, refund types and refund modes are those of the specification',
    haveTypes(returnSchema, sample, 'returns', true),
  ),
  spec(
    'record.country',
    '§2.5',
    'Countries are ISO codes of two or three letters',
    ofReturns(({ customer, origin, destination }) =>
      [customer, origin, destination]
        .flatMap((party) => party.address?.countryCode ?? [])
        .find((code) => !isCountry(code) && !/^[A-Z]{3}$/.test(code)),
    ),
  ),
  assumed(
    'record.currency',
    '§2.1',
    'Currencies are ISO codes',
    ofReturns(({ currency, baseCurrency }) =>
      [currency, baseCurrency ?? currency].find((code) => !isCurrency(code)),
    ),
  ),
  spec(
    'record.urls',
    '§2.4',
    'The URLs of a transport are absolute',
    ofReturns(({ activeTransportation }) =>
      [activeTransportation?.carrierLabel, activeTransportation?.carrierTrackingUrl].find(
        (url) => url && !/^https?:\/\/\S/i.test(url),
      ),
    ),
  ),
  spec(
    'record.quantity',
    '§2.2',
    'At least one unit of an item is returned',
    ofItems(({ quantity }) => !(Number(quantity) > 0) && `quantity ${quantity}`),
  ),
  spec(
    'record.refund',
    '§2.1',
    'totalRefund is totalReturnAmount minus totalReturnFee',
    ofReturns((record) => isOff(record.totalRefund, record.totalReturnAmount, record.totalReturnFee)),
  ),
  spec(
    'record.base-refund',
    '§2.1',
    'baseTotalRefund is baseTotalReturnAmount minus baseTotalReturnFee',
    ofReturns((record) =>
      isOff(record.baseTotalRefund, record.baseTotalReturnAmount, record.baseTotalReturnFee),
    ),
  ),
  spec(
    'record.base-currency',
    '§2.1',
    'In the base currency the amounts are the same as in an equal transaction currency',
    ofReturns(
      (record) =>
        record.currency === record.baseCurrency &&
        (isOff(record.baseTotalReturnAmount, record.totalReturnAmount) ||
          isOff(record.baseTotalReturnFee, record.totalReturnFee)),
    ),
  ),
  ...SUMS.map(({ row, id, whole, part, slack }) =>
    row(
      `record.${id}`,
      '§2.1',
      `${whole} is the sum of ${part} over all items`,
      ofReturns((record) => {
        const amounts = record.returnLineItems.map(
          (item) => Number(item[part] ?? Number.NaN) * (part === 'tax' ? Number(item.quantity) : 1),
        )
        const sum = amounts.reduce((total, amount) => total + amount, 0)
        return isOff(record[whole], sum, 0, slack * amounts.length)
      }),
    ),
  ),
  spec(
    'record.paid',
    '§2.2',
    'paid is price minus discount',
    ofItems(({ paid, price, discount }) => isOff(paid, price, discount)),
  ),
  spec(
    'record.base-paid',
    '§2.2',
    'basePaid is basePrice minus baseDiscount',
    ofItems(({ basePaid, basePrice, baseDiscount }) => isOff(basePaid, basePrice, baseDiscount)),
  ),
  spec(
    'record.line-currency',
    '§2.2',
    'The items are in the currency of the transaction',
    ofItems(
      ({ currency, transaction }) =>
        (currency ?? transaction) !== transaction && `${currency}, not ${transaction}`,
    ),
  ),
  spec(
    'record.name',
    '§2.1',
    'The name is R#- and the name of the order',
    ofReturns(
      ({ name, ecommerceOrder }) =>
        !name.startsWith(`R#-${ecommerceOrder.name ?? ''}`) && `order ${ecommerceOrder.name}`,
    ),
  ),
  assumed(
    'record.name-number',
    '§2.1',
    'A second return of an order ends in -2, and so on',
    ofReturns(({ name, ecommerceOrder: { name: order } }) => {
      const rest = name.slice(`R#-${order}`.length)
      return !!order && !/^(-\d+)?$/.test(rest) && `order ${order}`
    }),
  ),
  spec(
    'record.client-reference',
    '§2.4',
    'clientReference is P#R#, the short code of the merchant, and the name of the order; at its end may be a number',
    ofReturns(({ activeTransportation, ecommerceOrder: { name = '' } }) => {
      const reference = activeTransportation?.clientReference
      const ends = [reference, reference?.replace(/-\d+$/, '')]
      const isSo = reference?.startsWith('P#R#') && ends.some((text) => text?.endsWith(name ?? ''))
      return !!reference && !isSo && `clientReference ${reference} of the order ${name}`
    }),
  ),
  assumed(
    'record.one-transport',
    '§2.4',
    'A clientReference names one transport',
    unique('client references', ({ shopCode, activeTransportation }) => {
      const reference = activeTransportation?.clientReference
      return reference && `${shopCode} ${reference}`
    }),
  ),
  assumed(
    'record.date-form',
    '§2.1',
    'Dates are YYYY-MM-DD HH:MM:SS and Z or an offset',
    ofReturns(({ createdAt, updatedAt, cancelledAt, activeTransportation }) =>
      [createdAt, updatedAt, cancelledAt, activeTransportation?.createdAt].find(
        (text) => text && !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(text),
      ),
    ),
  ),
  spec(
    'record.updated-after-created',
    '§2.1',
    'No return was updated before it was created',
    ofReturns(
      ({ createdAt, updatedAt }) =>
        msOf(updatedAt) < msOf(createdAt) && `created ${createdAt}, updated ${updatedAt}`,
    ),
  ),
  spec(
    'record.pickup-date',
    '§2.4',
    'Only pick-ups have a pickupDate',
    ofReturns(
      ({ activeTransportation: transport }) =>
        !!transport?.pickupDate &&
        transport.serviceType !== 'pick-up' &&
        `pickupDate ${transport.pickupDate} of a ${transport.serviceType}`,
    ),
  ),
  spec(
    'record.ids',
    '§2.1',
    'No two returns have the same id',
    unique('ids', ({ id }) => id),
  ),
  assumed(
    'record.names',
    '§2.1',
    'No two returns of a shop have the same name',
    unique('names', ({ shopCode, name }) => `${shopCode} ${name}`),
  ),
]
