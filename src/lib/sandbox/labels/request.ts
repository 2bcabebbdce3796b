import type * as z from 'zod'
import { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'
import { addressSchema } from '../../wire/fields.ts'
import { isCountry } from '../../wire/geography.ts'
import { labelRequestSchema, labelUpdateSchema, oldLabelRequestSchema } from '../../wire/labels.ts'
import { invalid, isWebAddress, parseBody, toNumber } from '../http/received-request.ts'
import { finalFormat, type LabelData } from '../store/rows.ts'

const MAX_PARCELS = 99
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
  const request = parseBody(bothRevisionsSchema, text)
  refuse(requestProblems(request))
  return request
}

export type ReceivedLabelUpdate = ReturnType<typeof parseLabelUpdate>

/** A missing `shipmentIdType` follows from the form of the id. */
export function parseLabelUpdate(text: string) {
  const { shopCode, shipmentId, shipmentIdType, shippingLabels } = parseBody(labelUpdateSchema, text)
  refuse([
    ...(shippingLabels.length === 0 ? ['shippingLabels: at least one is needed'] : []),
    ...shippingLabels.flatMap((label, i) => [
      ...(saysNothing(label) ? [`shippingLabels[${i}]: says nothing to update`] : []),
      ...(!label.format || FINAL_LABEL_FORMATS.some((known) => known === label.format)
        ? []
        : [`shippingLabels[${i}].format: ${label.format} is none of ${FINAL_LABEL_FORMATS.join(', ')}`]),
      ...(['carrierTrackingUrl', 'url'] as const).flatMap((field) =>
        label[field] && !isWebAddress(label[field])
          ? [`shippingLabels[${i}].${field}: is not a web address`]
          : [],
      ),
    ]),
  ])
  return {
    shopCode: shopCode ?? undefined,
    shipmentId,
    shipmentIdType: shipmentIdType ?? idTypeOf(shipmentId),
    shippingLabels: shippingLabels.map(wantedLabel),
  }
}

type SentLabel = z.infer<typeof labelUpdateSchema>['shippingLabels'][number]

/** An empty text, unlike `null`, says that nothing is wanted. */
function saysNothing(label: SentLabel): boolean {
  const { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, format, url } = label
  const said = [carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, format, url]
  return said.every((value) => value === null || value === undefined)
}

/** A missing format follows from the URL, an empty one does not. */
function wantedLabel(label: SentLabel): LabelData {
  const { carrierTrackingCode, additionalTrackingCodes, carrierTrackingUrl, format, url } = label
  const wanted: LabelData = {
    carrierTrackingCode: carrierTrackingCode || undefined,
    additionalTrackingCodes: additionalTrackingCodes?.length ? additionalTrackingCodes : undefined,
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

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw invalid(problems)
}

function requestProblems(request: ReceivedLabelRequest): string[] {
  const parcels = request.parcels ?? []
  const problems = [
    ...(['origin', 'destination', 'shipper'] as const).flatMap((party) =>
      partyProblems(party, request[party] ?? {}),
    ),
    ...(request.tags ?? []).flatMap((tag, i) =>
      /^[^:]+:.+$/s.test(tag) ? [] : [`tags[${i}]: expected key:value`],
    ),
    ...parcels.flatMap((parcel, i) =>
      (['weight', 'height', 'length', 'width'] as const).flatMap((field) =>
        toNumber(parcel[field]) <= 0 ? [`parcels[${i}].${field}: must be more than 0`] : [],
      ),
    ),
  ]
  problems.push(...repeatedIds(parcels), ...quantityProblems(request))
  if (parcels.length > MAX_PARCELS) problems.push(`parcels: at most ${MAX_PARCELS}`)
  const items = parcels.reduce((sum, parcel) => sum + (parcel.items?.length ?? 0), 0)
  if (items + (request.customsInfo?.length ?? 0) > MAX_ITEMS) {
    problems.push(
      `${request.customsInfo ? 'customsInfo' : 'parcels[].items'}: at most ${MAX_ITEMS} items in all`,
    )
  }
  if (request.customsInfo && parcels.some(({ items }) => items)) {
    problems.push('customsInfo: belongs to revision 1.2.10, which has no parcels[].items; send either')
  }
  return problems
}

function partyProblems(name: string, { email, phone, address }: Partial<LabelParty>): string[] {
  const country = address?.countryCode
  return [
    ...(country === undefined || isCountry(country)
      ? []
      : [`${name}.address.countryCode: ${country} is not an ISO country code`]),
    ...(email === undefined || email === null || E_MAIL.test(email)
      ? []
      : [`${name}.email: ${email} is not an e-mail address`]),
    ...(phone === undefined || phone === null || isPhone(String(phone))
      ? []
      : [`${name}.phone: ${phone} is not a phone number`]),
  ]
}

function isPhone(text: string): boolean {
  return PHONE.test(text) && text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS
}

function repeatedIds(parcels: NonNullable<ReceivedLabelRequest['parcels']>): string[] {
  const ids = parcels.map(({ clientParcelId }) => clientParcelId)
  return ids.flatMap((id, i) => {
    const first = ids.indexOf(id)
    return first === i ? [] : [`parcels[${i}].clientParcelId: ${id} is that of parcels[${first}] too`]
  })
}

function quantityProblems({ parcels, customsInfo }: ReceivedLabelRequest): string[] {
  const lists = [
    ...(parcels ?? []).map(({ items }, i) => [`parcels[${i}].items`, items ?? []] as const),
    ['customsInfo', customsInfo ?? []] as const,
  ]
  return lists.flatMap(([place, items]) =>
    items.flatMap(({ quantity }, i) =>
      toNumber(quantity) < 1 ? [`${place}[${i}].quantity: must be 1 at least`] : [],
    ),
  )
}
