import type * as z from 'zod'
import { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'
import { addressSchema } from '../../wire/fields.ts'
import { isCountry, isCurrency } from '../../wire/geography.ts'
import {
  type LabelUpdate,
  labelRequestSchema,
  labelUpdateSchema,
  oldLabelRequestSchema,
} from '../../wire/labels.ts'
import { isWebAddress } from '../../wire/raw.ts'
import { type FailIf, parseBody, toNumber } from '../http/received-request.ts'
import { finalFormat, type LabelData } from '../store/rows.ts'

const MAX_PARCELS = 99
const MAX_PARCEL_GRAMS = 1_000_000
const MIN_PHONE_DIGITS = 5
const E_MAIL = /^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/
const PHONE = /^\+?[\d\s()./-]+(?:(?:x|ext\.?)\s?\d+)?$/i
/** Limit of items in all parcels, as declaring one takes a third of a millisecond. */
const MAX_ITEMS = 2000

const locatedPartySchema = labelRequestSchema.shape.origin
  .required({ address: true })
  .extend({ address: addressSchema })

/** Revisions differ in the items' place (spec §4.2). Decided: both addresses are required. */
export const bothRevisionsSchema = labelRequestSchema.extend({
  origin: locatedPartySchema,
  destination: locatedPartySchema,
  customsInfo: oldLabelRequestSchema.shape.customsInfo,
})

export type ReceivedLabelRequest = z.infer<typeof bothRevisionsSchema>
type LabelParty = NonNullable<ReceivedLabelRequest['origin' | 'destination' | 'shipper']>
export type LabelItem = NonNullable<ReceivedLabelRequest['customsInfo']>[number]

export function parseLabelRequest(text: string): ReceivedLabelRequest {
  return parseBody(bothRevisionsSchema, text, checkRequest)
}

export type ReceivedLabelUpdate = ReturnType<typeof parseLabelUpdate>

/** A missing `shipmentIdType` follows from the form of the id. */
export function parseLabelUpdate(text: string) {
  const request = parseBody(labelUpdateSchema, text, checkUpdate)
  const { shopCode, shipmentId, shipmentIdType, shippingLabels } = request
  return {
    shopCode: shopCode ?? undefined,
    shipmentId,
    shipmentIdType: shipmentIdType ?? idTypeOf(shipmentId),
    shippingLabels: shippingLabels.map(wantedLabel),
  }
}

type SentLabel = LabelUpdate['shippingLabels'][number]

function checkUpdate({ shippingLabels }: LabelUpdate, failIf: FailIf) {
  failIf(shippingLabels.length === 0, 'shippingLabels: at least one is needed')
  for (const [i, label] of shippingLabels.entries()) {
    const path = `shippingLabels[${i}]`
    const { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, format, url } = label
    const values = [carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, format, url]
    // An empty text clears a field, unlike `null`.
    const saysNothing = values.every((value) => value === null || value === undefined)
    failIf(saysNothing, `${path}: says nothing to update`)
    const isKnown = !format || FINAL_LABEL_FORMATS.some((known) => known === format)
    failIf(!isKnown, `${path}.format: ${format} is not one of ${FINAL_LABEL_FORMATS.join(', ')}`)
    for (const [field, address] of Object.entries({ carrierTrackingUrl, url }))
      failIf(address && !isWebAddress(address), `${path}.${field}: is not a web address`)
  }
}

/** A missing format follows from the URL, an empty one does not. */
function wantedLabel(label: SentLabel) {
  const { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, format, url } = label
  const codes = additionalTrackingCodes?.map((code) => code.trim()).filter((code) => code !== '')
  const wanted: LabelData = {
    carrierTrackingCode: carrierTrackingCode?.trim() || undefined,
    additionalTrackingCodes: codes?.length ? codes : undefined,
    carrierTrackingUrl: carrierTrackingUrl || undefined,
    format: format || undefined,
    url: url || undefined,
  }
  const isFormatless = format === '' || Object.values(wanted).every((value) => value === undefined)
  return isFormatless ? wanted : { ...wanted, format: finalFormat(wanted) }
}

function idTypeOf(shipmentId: string) {
  if (shipmentId.startsWith('R#-')) return 'RETURN_NAME'
  return shipmentId.startsWith('P#R#') ? 'CLIENT_REFERENCE' : 'MERCHANT_RETURN_NAME'
}

function checkRequest(request: ReceivedLabelRequest, failIf: FailIf) {
  const { parcels: sent, customsInfo } = request
  for (const party of ['origin', 'destination', 'shipper'] as const)
    checkParty(party, request[party] ?? {}, failIf)
  for (const [i, tag] of (request.tags ?? []).entries())
    failIf(!/^[^:]+:.+$/s.test(tag), `tags[${i}]: expected key:value`)
  const parcels = sent ?? []
  const items = [customsInfo ?? [], ...parcels.map((parcel) => parcel.items ?? [])].flat()
  const field = customsInfo ? 'customsInfo' : 'parcels[].items'
  if (items.length > MAX_ITEMS) return failIf(true, `${field}: at most ${MAX_ITEMS} items in all`)
  const ids = parcels.map(({ clientParcelId }) => clientParcelId)
  for (const [i, parcel] of parcels.entries()) {
    const path = `parcels[${i}]`
    for (const field of ['weight', 'height', 'length', 'width'] as const)
      failIf(toNumber(parcel[field]) <= 0, `${path}.${field}: must be more than 0`)
    failIf(toNumber(parcel.weight) > MAX_PARCEL_GRAMS, `${path}.weight: must be at most 1000 kg`)
    const first = ids.indexOf(parcel.clientParcelId)
    failIf(first < i, `${path}.clientParcelId: ${ids[i]} is that of parcels[${first}] too`)
    checkItems(`${path}.items`, parcel.items, failIf)
  }
  checkItems('customsInfo', customsInfo, failIf)
  failIf(parcels.length > MAX_PARCELS, `parcels: at most ${MAX_PARCELS}`)
  failIf(
    customsInfo && parcels.some((parcel) => parcel.items),
    'customsInfo: belongs to revision 1.2.10, which has no parcels[].items; send either',
  )
}

function checkParty(name: string, { fullName, email, phone, address }: Partial<LabelParty>, failIf: FailIf) {
  const needed = { fullName, 'address.line1': address?.line1, 'address.city': address?.city }
  for (const [field, value] of Object.entries(needed))
    failIf(value?.trim() === '', `${name}.${field}: is missing`)
  const country = address?.countryCode
  const path = `${name}.address.countryCode`
  failIf(country !== undefined && !isCountry(country), `${path}: ${country} is not an ISO country code`)
  failIf(typeof email === 'string' && !E_MAIL.test(email), `${name}.email: ${email} is not an e-mail address`)
  const isGiven = phone !== undefined && phone !== null
  failIf(isGiven && !isPhone(String(phone)), `${name}.phone: ${phone} is not a phone number`)
}

function isPhone(text: string) {
  return PHONE.test(text) && text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS
}

function checkItems(path: string, items: readonly LabelItem[] | null | undefined, failIf: FailIf) {
  for (const [i, item] of (items ?? []).entries()) {
    const { quantity, weight, unitPrice, currencyCode, originCountryCode: country } = item
    const failFieldIf = (field: string, isWrong: unknown, problem: string) =>
      failIf(isWrong, `${path}[${i}].${field}: ${problem}`)
    const pieces = toNumber(quantity)
    failFieldIf('quantity', pieces < 1 || pieces % 1 > 0, 'must be a whole number from 1')
    failFieldIf('weight', toNumber(weight) < 0, 'must not be negative')
    failFieldIf('unitPrice', toNumber(unitPrice) < 0, 'must not be negative')
    const isOdd = currencyCode && !isCurrency(currencyCode)
    failFieldIf('currencyCode', isOdd, `${currencyCode} is not an ISO currency code`)
    failFieldIf('originCountryCode', country && !isCountry(country), `${country} is not an ISO country code`)
  }
}
