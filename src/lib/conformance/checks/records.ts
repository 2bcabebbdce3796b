import { isCountry, isCurrency } from '../../wire/geography.ts'
import { type Return, returnSchema } from '../../wire/returns.ts'
import { all, type CheckedPlatform, type FromPlatform, haveTypes, type Runs } from '../check.ts'
import type { Complaint } from '../expect.ts'
import { msOf } from './list.ts'

/** Half of the smallest unit of any currency in use. */
const TOLERANCE = 0.0005
const CENT = 0.01

const sample = (platform: CheckedPlatform) => platform.sample()

const named =
  <T>(find: FromPlatform<T[]>, noun: string, nameOf: (record: T) => string) =>
  (complaint: Complaint<T>) =>
    all(find, noun, (record) => {
      const wrong = complaint(record)
      return !!wrong && `${nameOf(record)}: ${wrong}`
    })

const ofReturns = named(sample, 'returns', ({ name }) => name)

const ofItems = named(
  async (platform) =>
    (await platform.sample()).flatMap(({ name, currency, returnLineItems }) =>
      returnLineItems.map((item) => ({ ...item, name, transaction: currency })),
    ),
  'items',
  ({ name, sku }) => `${name}, ${sku}`,
)

const unique = (noun: string, namesOf: Complaint<Return>) =>
  all(
    async (platform) => {
      const names = (await platform.sample()).flatMap((record) => namesOf(record) || [])
      return names.map((name, index) => ({ name, isFirst: names.indexOf(name) === index }))
    },
    noun,
    ({ name, isFirst }) => !isFirst && `${name} twice`,
  )

/** Decided: an item's tax is for one unit. */
const SUMS = [
  { id: 'total-amount', whole: 'totalReturnAmount', part: 'returnAmount', slack: TOLERANCE },
  {
    id: 'base-total-amount',
    whole: 'baseTotalReturnAmount',
    part: 'baseReturnAmount',
    slack: CENT,
  },
  { id: 'total-tax', whole: 'totalTax', part: 'tax', slack: CENT },
] as const

function isOff(whole: unknown, part: unknown, less: unknown = 0, tolerance = TOLERANCE) {
  const expected = Number(part ?? Number.NaN) - Number(less ?? 0)
  const isSo = whole === undefined || whole === null || !(Math.abs(Number(whole) - expected) >= tolerance)
  return !isSo && `${whole}, but ${part} - ${less} is ${Number(expected.toFixed(4))}`
}

export const RECORD_CHECKS: Runs = {
  'record.fields': haveTypes(returnSchema, sample, 'returns', false),
  'record.enums': haveTypes(returnSchema, sample, 'returns', true),
  'record.country': ofReturns(({ customer, origin, destination }) =>
    [customer, origin, destination]
      .flatMap((party) => party.address?.countryCode ?? [])
      .find((code) => !isCountry(code) && !/^[A-Z]{3}$/.test(code)),
  ),
  'record.currency': ofReturns(({ currency, baseCurrency }) =>
    [currency, baseCurrency ?? currency].find((code) => !isCurrency(code)),
  ),
  'record.urls': ofReturns(({ activeTransportation }) =>
    [activeTransportation?.carrierLabel, activeTransportation?.carrierTrackingUrl].find(
      (url) => url && !/^https?:\/\/\S/i.test(url),
    ),
  ),
  'record.quantity': ofItems(({ quantity }) => !(Number(quantity) > 0) && `quantity ${quantity}`),
  'record.refund': ofReturns((record) =>
    isOff(record.totalRefund, record.totalReturnAmount, record.totalReturnFee),
  ),
  'record.base-refund': ofReturns((record) =>
    isOff(record.baseTotalRefund, record.baseTotalReturnAmount, record.baseTotalReturnFee),
  ),
  'record.base-currency': ofReturns(
    (record) =>
      record.currency === record.baseCurrency &&
      (isOff(record.baseTotalReturnAmount, record.totalReturnAmount) ||
        isOff(record.baseTotalReturnFee, record.totalReturnFee)),
  ),
  ...Object.fromEntries(
    SUMS.map(({ id, whole, part, slack }) => [
      `record.${id}`,
      ofReturns((record) => {
        const amounts = record.returnLineItems.map(
          (item) => Number(item[part] ?? Number.NaN) * (part === 'tax' ? Number(item.quantity) : 1),
        )
        const sum = amounts.reduce((total, amount) => total + amount, 0)
        return isOff(record[whole], sum, 0, slack * amounts.length)
      }),
    ]),
  ),
  'record.paid': ofItems(({ paid, price, discount }) => isOff(paid, price, discount)),
  'record.base-paid': ofItems(({ basePaid, basePrice, baseDiscount }) =>
    isOff(basePaid, basePrice, baseDiscount),
  ),
  'record.line-currency': ofItems(
    ({ currency, transaction }) =>
      (currency ?? transaction) !== transaction && `${currency}, not ${transaction}`,
  ),
  'record.name': ofReturns(
    ({ name, ecommerceOrder }) =>
      !name.startsWith(`R#-${ecommerceOrder.name ?? ''}`) && `order ${ecommerceOrder.name}`,
  ),
  'record.name-number': ofReturns(({ name, ecommerceOrder: { name: order } }) => {
    const rest = name.slice(`R#-${order}`.length)
    return !!order && !/^(-\d+)?$/.test(rest) && `order ${order}`
  }),
  'record.client-reference': ofReturns(({ activeTransportation, ecommerceOrder: { name = '' } }) => {
    const reference = activeTransportation?.clientReference
    const ends = [reference, reference?.replace(/-\d+$/, '')]
    const isSo = reference?.startsWith('P#R#') && ends.some((text) => text?.endsWith(name ?? ''))
    return !!reference && !isSo && `clientReference ${reference} of the order ${name}`
  }),
  'record.one-transport': unique('client references', ({ shopCode, activeTransportation }) => {
    const reference = activeTransportation?.clientReference
    return reference && `${shopCode} ${reference}`
  }),
  'record.date-form': ofReturns(({ createdAt, updatedAt, cancelledAt, activeTransportation }) =>
    [createdAt, updatedAt, cancelledAt, activeTransportation?.createdAt].find(
      (text) => text && !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/.test(text),
    ),
  ),
  'record.updated-after-created': ofReturns(
    ({ createdAt, updatedAt }) =>
      msOf(updatedAt) < msOf(createdAt) && `created ${createdAt}, updated ${updatedAt}`,
  ),
  'record.pickup-date': ofReturns(
    ({ activeTransportation: transport }) =>
      !!transport?.pickupDate &&
      transport.serviceType !== 'pick-up' &&
      `pickupDate ${transport.pickupDate} of a ${transport.serviceType}`,
  ),
  'record.ids': unique('ids', ({ id }) => id),
  'record.names': unique('names', ({ shopCode, name }) => `${shopCode} ${name}`),
}
