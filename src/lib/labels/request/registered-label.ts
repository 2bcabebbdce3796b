import * as z from 'zod'
import type { LabelUpdate } from '../../wire/labels.ts'

/** Registered label (spec §4.4) without empty fields. */
export const registeredFieldsSchema = z.object({
  carrierTrackingCode: z.string().optional(),
  additionalTrackingCodes: z.array(z.string()).optional(),
  carrierTrackingUrl: z.string().optional(),
  format: z.string().optional(),
  url: z.string().optional(),
})
export type RegisteredLabel = z.infer<typeof registeredFieldsSchema>
const LABEL_FIELDS = registeredFieldsSchema.keyof().options
type LabelField = keyof RegisteredLabel
/** A field of every label, or all labels but the first. */
export type LabelPart = LabelField | 'otherParcels'

export type SentLabel = LabelUpdate['shippingLabels'][number]

/** Drops empty and unknown fields, and empty labels at the end. */
export function registeredLabels(labels: readonly unknown[]): RegisteredLabel[] {
  const read = labels.map(registeredLabel)
  return read.slice(0, read.findLastIndex((label) => Object.keys(label).length > 0) + 1)
}

function registeredLabel(label: unknown): RegisteredLabel {
  if (typeof label !== 'object' || label === null) return {}
  const fields = LABEL_FIELDS.map((name) => [name, Reflect.get(label, name)] as const)
  const filled = fields.filter(([, value]) => String(value ?? '') !== '')
  return Object.fromEntries(
    filled.map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : String(value)]),
  )
}

export function withGivenFields(
  present: readonly RegisteredLabel[],
  given: readonly SentLabel[],
): SentLabel[] {
  const labels = given.length > present.length ? given : present
  return labels.map((_label, i) => ({ ...present[i], ...givenFields(given[i]) }))
}

function givenFields(label: SentLabel = {}): SentLabel {
  return Object.fromEntries(
    Object.entries(label).filter(([, value]) => value !== null && value !== undefined),
  )
}

/** Returns an update that empties fields which only the present state has. */
export function restoringUpdate(
  wanted: readonly RegisteredLabel[],
  present: readonly RegisteredLabel[],
): SentLabel[] {
  return (wanted.length > 0 ? wanted : [{}]).map((label, i): SentLabel => {
    const emptied = LABEL_FIELDS.filter((name) => present[i]?.[name] !== undefined)
    const empty = emptied.map((name) => [name, name === 'additionalTrackingCodes' ? [] : ''])
    return { ...Object.fromEntries(empty), ...label }
  })
}

/** Parcels count from 1. */
export function labelDifferences(
  one: readonly RegisteredLabel[],
  other: readonly RegisteredLabel[],
  unread: readonly LabelPart[],
) {
  const parcels = unread.includes('otherParcels') ? 1 : Math.max(one.length, other.length)
  const fields = LABEL_FIELDS.filter((field) => !unread.includes(field))
  return Array.from({ length: parcels }, (_unused, i) =>
    fields
      .map((field) => ({
        parcel: i + 1,
        field,
        one: asText(one[i]?.[field]),
        other: asText(other[i]?.[field]),
      }))
      .filter((difference) => difference.one !== difference.other),
  ).flat()
}

function asText(value: string | readonly string[] | undefined) {
  return typeof value === 'object' ? value.join(', ') : (value ?? '')
}
