import type { LabelUpdate } from '../../wire/labels.ts'

/** Registered label (spec §4.4) without empty fields. */
export interface RegisteredLabel {
  carrierTrackingCode?: string
  additionalTrackingCodes?: string[]
  carrierTrackingUrl?: string
  format?: string
  url?: string
}
export type LabelField = keyof RegisteredLabel
/** A field of every label, or all labels but the first. */
export type LabelPart = LabelField | 'otherParcels'

export const LABEL_FIELDS = [
  'carrierTrackingCode',
  'additionalTrackingCodes',
  'carrierTrackingUrl',
  'format',
  'url',
] as const satisfies readonly LabelField[]

/** Label to send. An empty field empties the registered one. */
export type SentLabel = LabelUpdate['shippingLabels'][number]

/** Drops empty and unknown fields, and empty labels at the end. */
export function registeredLabels(labels: readonly unknown[]): RegisteredLabel[] {
  const read = labels.map(registeredLabel)
  return read.slice(0, read.findLastIndex((label) => Object.keys(label).length > 0) + 1)
}

function registeredLabel(label: unknown): RegisteredLabel {
  if (typeof label !== 'object' || label === null) return {}
  const said = (name: LabelField) => {
    const value: unknown = Reflect.get(label, name)
    if (Array.isArray(value)) return value.length > 0 ? value.map(String) : undefined
    return value === undefined || value === null || value === '' ? undefined : String(value)
  }
  return Object.fromEntries(
    LABEL_FIELDS.flatMap((name) => {
      const value = said(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** Replaces fields of present labels by named ones, parcel by parcel. */
export function withNamed(present: readonly RegisteredLabel[], named: readonly SentLabel[]): SentLabel[] {
  const parcels = Math.max(present.length, named.length)
  return Array.from({ length: parcels }, (_unused, i) => ({ ...present[i], ...saidFields(named[i]) }))
}

function saidFields(label: SentLabel = {}): SentLabel {
  return Object.fromEntries(
    Object.entries(label).filter(([, value]) => value !== null && value !== undefined),
  )
}

/** Returns the update that restores the wanted state: its fields, and empty ones for what only the present state has. */
export function leadingTo(
  wanted: readonly RegisteredLabel[],
  present: readonly RegisteredLabel[],
): SentLabel[] {
  const labels = Array.from({ length: Math.max(wanted.length, 1) }, (_unused, i): SentLabel => {
    const emptied = LABEL_FIELDS.filter((name) => present[i]?.[name] !== undefined)
    const empty = emptied.map((name) => [name, name === 'additionalTrackingCodes' ? [] : ''])
    return { ...Object.fromEntries(empty), ...wanted[i] }
  })
  return labels
}

export interface LabelDifference {
  /** Number of the parcel, from 1. */
  parcel: number
  field: LabelField
  one: string
  other: string
}

/** Returns differences of two states, apart from unread parts. */
export function labelDifferences(
  one: readonly RegisteredLabel[],
  other: readonly RegisteredLabel[],
  unread: readonly LabelPart[],
): LabelDifference[] {
  const parcels = unread.includes('otherParcels') ? 1 : Math.max(one.length, other.length)
  const fields = LABEL_FIELDS.filter((field) => !unread.includes(field))
  return Array.from({ length: parcels }, (_unused, i) => i).flatMap((i) =>
    fields.flatMap((field) => {
      const [left, right] = [asText(one[i]?.[field]), asText(other[i]?.[field])]
      return left === right ? [] : [{ parcel: i + 1, field, one: left, other: right }]
    }),
  )
}

function asText(value: string | readonly string[] | undefined): string {
  return typeof value === 'object' ? value.join(', ') : (value ?? '')
}
