import { REFUND_MODES, REFUND_TYPES } from '../../wire/enumerations.ts'
import { jsonText, keptText, membersOf } from '../json-text.ts'
import { majorText } from '../money.ts'
import type { LineDoc, Product, Shop } from '../store/rows.ts'
import type { StoredReturn } from '../store/snapshot.ts'
import type { BothAmounts, ReturnAmounts } from './amounts.ts'
import { lineId, type Presenter } from './records.ts'

type Variant = Product['variants'][number]

/** A `ReturnLineItem` as text. */
export function lineText(
  stored: StoredReturn,
  line: LineDoc,
  position: number,
  amounts: BothAmounts,
  presenter: Presenter,
): string {
  const product = presenter.product(line.product)
  const variant = variantOf(product, line.variant)
  const id = lineId(stored.no, position)
  return `{"id":"${id}",\
${namesText(variant, product)},\
${amountsText(amounts, position)},\
"quantity":${line.quantity},\
${imageText(product)},\
"ecommerceLineItem":{"lineItemId":"14${id}",${idsText(variant, product)}},\
"returnReason":{${reasonText(stored.shop, line.reason)}"additionalInfo":${line.note === undefined ? '""' : jsonText(line.note)}},\
"refundType":"${REFUND_TYPES[line.type] ?? 'ORIGINAL_PAYMENT_METHOD'}",\
"refundMode":"${REFUND_MODES[line.mode] ?? 'MANUAL'}"\
${line.exchange === undefined ? '' : `,"exchangeLineItems":[${exchangeText(stored, line, line.exchange, id, presenter)}]`}}`
}

const namesText = keptText(({ name, sku, barcode }: Variant, { name: productName, vendor }: Product) =>
  membersOf({ productName, variantName: name, sku, barcode, vendor }),
)

const imageText = keptText(({ imageUrl }: Product) => membersOf({ imageUrl }))

const idsText = keptText(({ variantId }: Variant, { productId }: Product) =>
  membersOf({ productId, variantId }),
)

const oneReasonText = keptText((reason: Shop['reasons'][number]) => `${membersOf(reason)},`)

function reasonText({ reasons }: Shop, position: number): string {
  const reason = reasons[position]
  return reason === undefined ? '' : oneReasonText(reason)
}

function amountsText({ own: ownAmounts, base: baseAmounts }: BothAmounts, position: number): string {
  const own = majorTexts(ownAmounts, position)
  const base = baseAmounts === ownAmounts ? own : majorTexts(baseAmounts, position)
  return `"price":${own.price},\
"discount":${own.discount},\
"paid":${own.paid},\
"tax":${own.tax},\
"returnAmount":${own.returnAmount},\
"currency":"${ownAmounts.currency}",\
"basePrice":${base.price},\
"baseDiscount":${base.discount},\
"basePaid":${base.paid},\
"baseTax":${base.tax},\
"baseReturnAmount":${base.returnAmount},\
"baseCurrency":"${baseAmounts.currency}"`
}

function majorTexts({ currency, lines }: ReturnAmounts, position: number) {
  const line = lines[position]
  if (line === undefined) throw new Error(`There are no amounts of line ${position}`)
  return {
    price: majorText(line.price, currency),
    discount: majorText(line.discount, currency),
    paid: majorText(line.paid, currency),
    tax: majorText(line.tax, currency),
    returnAmount: majorText(line.returnAmount, currency),
  }
}

function exchangeText(
  { doc }: StoredReturn,
  line: LineDoc,
  wanted: number,
  lineItemId: string,
  { product: productOf }: Presenter,
): string {
  const { exchangeProduct = line.product, exchangePrice = line.price, quantity } = line
  const product = productOf(exchangeProduct)
  const variant = variantOf(product, wanted)
  return `{"id":"${lineItemId}1",\
${wantedText(variant, product)},\
"price":${majorText(exchangePrice, doc.currency)},\
"quantity":${quantity},\
${wantedIdsText(variant, product)}}`
}

const wantedText = keptText(({ name, sku }: Variant, { name: productName }: Product) =>
  membersOf({ productName, variantName: name, sku }),
)

const wantedIdsText = keptText(({ variantId }: Variant, { vendor, productId }: Product) =>
  membersOf({ vendor, ecommerceProductId: productId, ecommerceVariantId: variantId }),
)

function variantOf(product: Product, position: number): Variant {
  const variant = product.variants[position]
  if (variant === undefined) throw new Error(`Product ${product.no} has no variant ${position}`)
  return variant
}
