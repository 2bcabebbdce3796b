import {
  type Checked,
  checked,
  type Note,
  noteAddressCodes,
  noteBlank,
  noteCountry,
  noteCurrency,
  noteQuantity,
} from '../../labels/request/checked.ts'
import { type MethodsRequest, methodsRequestSchema } from '../../wire/methods.ts'
import { asNumber, asText, at, list } from '../../wire/raw.ts'
import { parseWallTime } from '../../wire/time.ts'

/** Amounts that must not be negative. Discounts may, as some shops write them so. */
const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  ecommerceOrder: ['totalPaid', 'totalShippingCost'],
  client: ['totalAmountSpent', 'totalAmountReturned'],
}
const COUNTS = ['quantityPlacedOrders', 'quantityReturns']

export function checkMethodsRequest(input: unknown): Checked<MethodsRequest> {
  return checked(methodsRequestSchema, input, (note) => {
    checkCodes(input, note)
    checkItems(at(input, 'returnLineItems'), note)
    checkOrder(at(input, 'ecommerceOrder'), note)
    checkNumbers(input, note)
  })
}

function checkCodes(input: unknown, note: Note) {
  const currency = asText(at(input, 'currencyCode'))
  if (currency?.trim()) noteCurrency(currency, 'currencyCode', note)
  const address = at(input, 'originAddress')
  noteBlank(address, 'originAddress', ['postalCode'], note)
  noteBlank(at(input, 'client'), 'client', ['tier'], note)
  noteAddressCodes(address, 'originAddress', note)
}

function checkItems(items: unknown, note: Note) {
  if (Array.isArray(items) && items.length === 0) note('returnLineItems', 'at least one item is needed')
  for (const [index, item] of list(items).entries()) {
    const path = `returnLineItems[${index}]`
    noteBlank(item, path, ['sku'], note)
    noteQuantity(item, path, note)
  }
}

function checkOrder(order: unknown, note: Note) {
  for (const [index, fulfillment] of list(at(order, 'fulfillments')).entries()) {
    const path = `ecommerceOrder.fulfillments[${index}]`
    for (const field of ['fulfilledAt', 'deliverAt']) {
      const date = asText(at(fulfillment, field))
      if (date !== undefined && parseWallTime(`${date}T00:00`) === undefined) {
        note(`${path}.${field}`, `${JSON.stringify(date)} is not a day as YYYY-MM-DD`)
      }
    }
    noteCountry(at(fulfillment, 'fulfillmentCenterCountryCode'), `${path}.fulfillmentCenterCountryCode`, note)
    // The specification spells it `lineItemid`. The service silently ignores the usual spelling.
    for (const [i, line] of list(at(fulfillment, 'fulfillmentLineItems')).entries()) {
      if (at(line, 'lineItemId') === undefined || at(line, 'lineItemid') !== undefined) continue
      note(`${path}.fulfillmentLineItems[${i}].lineItemId`, 'the service spells it lineItemid')
    }
  }
}

function checkNumbers(input: unknown, note: Note) {
  for (const [parent, fields] of Object.entries(AMOUNTS)) {
    for (const field of fields) {
      const value = asNumber(at(at(input, parent), field))
      if (value !== undefined && value < 0) note(`${parent}.${field}`, 'must not be negative')
    }
  }
  for (const field of COUNTS) {
    const value = asNumber(at(at(input, 'client'), field))
    if (value !== undefined && (value < 0 || !Number.isInteger(value))) {
      note(`client.${field}`, 'must be a whole number, 0 or more')
    }
  }
}
