import type { ErrorDetail } from '../../errors.ts'
import { type LabelRequest, oldLabelRequestSchema } from '../../wire/labels.ts'

const CUSTOMS_FIELDS: readonly string[] = [
  'description',
  'hsCode',
  'weight',
  'quantity',
  'unitPrice',
  'currencyCode',
  'originCountryCode',
]

/** Translates to revision 1.2.10 (spec §4.2), with the items of all parcels in `customsInfo`. */
export function toOldRevision(request: LabelRequest) {
  const { carrierOptions, tags, parcels, ...rest } = request
  const problems: ErrorDetail[] = []
  const note = (path: string) =>
    problems.push({ path, message: 'revision 1.2.10 of the interface has nothing like it' })
  if (carrierOptions && Object.keys(carrierOptions).length > 0) {
    for (const name of Object.keys(carrierOptions)) note(`carrierOptions.${name}`)
  }
  if (tags && tags.length > 0) note('tags')
  const given = oldLabelRequestSchema.shape.customsInfo.safeParse(Reflect.get(request, 'customsInfo'))
  if (!given.success) problems.push({ path: 'customsInfo', message: 'not a list of declared items' })
  const customsInfo = [...(given.data ?? [])]
  const plainParcels = parcels?.map(({ items, ...parcel }, index) => {
    for (const [itemIndex, item] of (items ?? []).entries()) {
      for (const [name, value] of Object.entries(item)) {
        const isSaid = value !== undefined && value !== null && value !== ''
        if (isSaid && !CUSTOMS_FIELDS.includes(name)) note(`parcels[${index}].items[${itemIndex}].${name}`)
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
