import type { ErrorDetail } from '../../errors.ts'
import { type LabelRequest, labelRequestSchema, oldLabelRequestSchema } from '../../wire/labels.ts'
import { asNumber, asText, at, list } from '../../wire/raw.ts'
import {
  type Checked,
  checked,
  type Note,
  noteAddressCodes,
  noteBlank,
  noteCountry,
  noteCurrency,
  noteDoubt,
  noteQuantity,
  phoneDoubt,
} from './checked.ts'

const MAX_PARCEL_GRAMS = 1_000_000
/** Weights in kilograms are rounded. */
const WEIGHT_TOLERANCE_GRAMS = 1

/** Checks spec §4.2, revision 1.4. */
export function checkLabelRequest(input: unknown): Checked<LabelRequest> {
  return checked(labelRequestSchema, input, (note) => {
    checkParties(input, note)
    checkTags(input, note)
    for (const [index, parcel] of list(at(input, 'parcels')).entries()) {
      checkParcel(parcel, `parcels[${index}]`, note)
    }
    noteRepeated(input, note)
  })
}

function checkParties(input: unknown, note: Note) {
  for (const role of ['shipper', 'origin', 'destination']) {
    const party = at(input, role)
    noteBlank(party, role, role === 'shipper' ? [] : ['fullName', 'email', 'phone'], note)
    const address = at(party, 'address')
    noteBlank(address, `${role}.address`, ['line1', 'city', 'postalCode'], note)
    noteAddressCodes(address, `${role}.address`, note)
    const email = asText(at(party, 'email'))
    if (email?.trim() && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email)) {
      note(`${role}.email`, `${JSON.stringify(email)} is not an e-mail address`)
    }
    const phone = at(party, 'phone')
    const spoken = typeof phone === 'number' ? String(phone) : asText(phone)
    const doubt = spoken?.trim() ? phoneDoubt(spoken, asText(at(address, 'countryCode'))) : undefined
    noteDoubt(doubt, `${role}.phone`, note)
  }
}

function checkTags(input: unknown, note: Note) {
  for (const [index, tag] of list(at(input, 'tags')).entries()) {
    if (typeof tag === 'string' && !/^[^\s:][^:]*:\s*\S/.test(tag)) {
      note(`tags[${index}]`, `${JSON.stringify(tag)} is not of the form key:value`)
    }
  }
}

function checkParcel(parcel: unknown, path: string, note: Note) {
  const weight = asNumber(at(parcel, 'weight'))
  for (const field of ['weight', 'height', 'length', 'width']) {
    const value = asNumber(at(parcel, field))
    if (value !== undefined && value <= 0) note(`${path}.${field}`, 'must be more than 0')
  }
  if (weight !== undefined && weight > 0 && weight < 1) {
    note(`${path}.weight`, `${weight} g: parcels are weighed in grams, not kilograms`)
  }
  if (weight !== undefined && weight > MAX_PARCEL_GRAMS) {
    note(`${path}.weight`, `${weight / 1000} kg: parcels are weighed in grams`)
  }
  let itemsGrams = 0
  for (const [index, item] of list(at(parcel, 'items')).entries()) {
    itemsGrams += checkItem(item, `${path}.items[${index}]`, note)
  }
  if (weight !== undefined && weight >= 1 && itemsGrams > weight + WEIGHT_TOLERANCE_GRAMS) {
    const sum = Number(itemsGrams.toFixed(3))
    note(
      `${path}.weight`,
      `${weight} g, but its items weigh ${sum} g together (parcels in grams, each item in kilograms)`,
      false,
    )
  }
}

/** @returns grams of all pieces */
function checkItem(item: unknown, path: string, note: Note) {
  const [weight, quantity, price] = ['weight', 'quantity', 'unitPrice'].map((name) =>
    asNumber(at(item, name)),
  )
  if (weight !== undefined && weight < 0) note(`${path}.weight`, 'must not be negative')
  noteQuantity(item, path, note)
  if (price !== undefined && price < 0) note(`${path}.unitPrice`, 'must not be negative')
  const hsCode = asText(at(item, 'hsCode'))
  if (hsCode !== undefined && !/^\d{6,12}$/.test(hsCode.replace(/[. ]/g, ''))) {
    note(`${path}.hsCode`, `${JSON.stringify(hsCode)} is not an HS code: 6 digits or more`)
  }
  noteCurrency(at(item, 'currencyCode'), `${path}.currencyCode`, note)
  noteCountry(at(item, 'originCountryCode'), `${path}.originCountryCode`, note)
  return (weight ?? 0) * 1000 * (quantity ?? 1)
}

function noteRepeated(input: unknown, note: Note) {
  const seen = new Set<unknown>()
  for (const [index, parcel] of list(at(input, 'parcels')).entries()) {
    const id = at(parcel, 'clientParcelId')
    if (typeof id === 'string' && seen.has(id)) {
      note(`parcels[${index}].clientParcelId`, `${JSON.stringify(id)} is the id of another parcel already`)
    }
    seen.add(id)
  }
}

const { customsInfo: customsSchema } = oldLabelRequestSchema.shape
const CUSTOMS_FIELDS = Object.keys(customsSchema.unwrap().unwrap().element.shape)

/** Converts to revision 1.2.10, which lists all items in `customsInfo` (spec §4.2). */
export function toOldRevision(request: LabelRequest) {
  const { carrierOptions, tags, parcels, ...rest } = request
  const problems: ErrorDetail[] = []
  const note = (path: string) =>
    problems.push({ path, message: 'revision 1.2.10 of the interface has nothing like it' })
  for (const name of Object.keys(carrierOptions ?? {})) note(`carrierOptions.${name}`)
  if (tags && tags.length > 0) note('tags')
  const given = customsSchema.safeParse(Reflect.get(request, 'customsInfo'))
  if (!given.success) problems.push({ path: 'customsInfo', message: 'not a list of declared items' })
  const customsInfo = [...(given.data ?? [])]
  const plainParcels = parcels?.map(({ items, ...parcel }, index) => {
    for (const [itemIndex, item] of (items ?? []).entries()) {
      for (const [name, value] of Object.entries(item)) {
        const isGiven = value !== undefined && value !== null && value !== ''
        if (isGiven && !CUSTOMS_FIELDS.includes(name)) note(`parcels[${index}].items[${itemIndex}].${name}`)
      }
      customsInfo.push(item)
    }
    return parcel
  })
  const hasItems = parcels?.some(({ items }) => items && items.length > 0) ?? false
  return {
    losesParcels: hasItems && (parcels?.length ?? 0) > 1,
    request: {
      ...rest,
      ...(plainParcels ? { parcels: plainParcels } : {}),
      ...(customsInfo.length > 0 ? { customsInfo } : {}),
    },
    problems,
  }
}
