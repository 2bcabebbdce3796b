import type { ErrorDetail } from '../../errors.ts'
import { type LabelRequest, type OldLabelRequest, oldLabelRequestSchema } from '../../wire/labels.ts'

/** What an item can say in the old revision, too. */
const CUSTOMS_FIELDS: readonly string[] = [
  'description',
  'hsCode',
  'weight',
  'quantity',
  'unitPrice',
  'currencyCode',
  'originCountryCode',
]

/** A request as the old revision says it. */
export interface OldRevision {
  request: OldLabelRequest
  /** What the old revision has no words for, since none of it may get lost. */
  problems: ErrorDetail[]
  /** Items of several parcels are in one list, and none of them says which it was in. */
  losesParcels: boolean
}

/** A request in the words of revision 1.2.10 (spec §4.2): the items of all parcels in `customsInfo`. */
export function toOldRevision(request: LabelRequest): OldRevision {
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
