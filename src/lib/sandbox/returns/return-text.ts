import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import { jsonText, keptText } from '../json-text.ts'
import { merchantReturnName } from '../labels/shipments.ts'
import { majorText } from '../money.ts'
import { partyOf } from '../store/return-cells.ts'
import type { Party, Shop } from '../store/rows.ts'
import type { StoredReturn } from '../store/snapshot.ts'
import { type ReturnAmounts, returnAmounts } from './amounts.ts'
import { lineText } from './line-text.ts'
import { dateWriter, type Presenter } from './records.ts'
import { activeMembers } from './transport-text.ts'

/** A `Return` (spec §2.1) as a binary string: to make objects and write those takes twice as long. */
export function returnText(stored: StoredReturn, presenter: Presenter): string {
  const { no, doc, shop, customer, transport, cancelled } = stored
  const date = dateWriter(presenter.timeZone)
  const warehouse = shop.warehouses[doc.warehouse]
  const amounts = returnAmounts(stored)
  const lines = doc.lines.map((line, i) => lineText(stored, line, i, amounts, presenter)).join()
  const { iban } = doc
  return `{"id":"${no}",\
"shopCode":${codeText(shop)},\
"name":${jsonText(stored.name)},\
"merchantReturnName":${jsonText(merchantReturnName(stored))},\
"createdAt":"${date(stored.created)}",\
"updatedAt":"${date(stored.updated)}",\
${cancelled === null ? '' : `"cancelledAt":"${date(cancelled)}",`}\
"status":"${RETURN_STATUSES[stored.status]}",\
${totalsText(amounts.own, 'total', 'currency')},\
${iban === undefined ? '' : `"customerIban":${jsonText(iban)},"accountHolderName":${jsonText(partyOf(customer).fullName)},`}\
${totalsText(amounts.base, 'baseTotal', 'baseCurrency')},\
"customer":${customer.person},\
"ecommerceOrder":{"id":${jsonText(stored.orderId)},"name":${jsonText(stored.orderName)},"customerId":"${customer.id}"},\
"origin":${customer.person},\
"destination":${warehouse === undefined ? '{}' : warehouseText(warehouse)},\
"returnLineItems":[${lines}]\
${transport === undefined ? '' : `,"activeTransportation":{${activeMembers(stored, transport, presenter)}}`}}`
}

const codeText = keptText(({ code }: Shop) => jsonText(code))

const warehouseText = keptText((warehouse: Party) => jsonText(warehouse))

function totalsText(
  { currency, fee, amount, tax }: ReturnAmounts,
  total: 'total' | 'baseTotal',
  name: 'currency' | 'baseCurrency',
): string {
  return `"${total}ReturnFee":${majorText(fee, currency)},\
"${total}ReturnAmount":${majorText(amount, currency)},\
"${total}Tax":${majorText(tax, currency)},\
"${total}Refund":${majorText(amount - fee, currency)},\
"${name}":"${currency}"`
}
