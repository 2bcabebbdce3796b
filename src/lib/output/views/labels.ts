import { numberText } from '../../wire/json.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { objectsIn } from '../../wire/raw.ts'
import type { Section } from '../formats/details.ts'
import type { View } from '../renderer.ts'

interface FileRow {
  clientShipmentId: string | null
  parcel: number
  path: string | null
  format: string
  bytes: number
  sha256: string
  carrierTrackingCode: string | null
  source: string
  outcome?: string | undefined
  registered?: boolean | undefined
  registerCommand?: string | undefined
}

const FILE_PATHS = [
  'clientShipmentId',
  'parcel',
  'path',
  'format',
  'bytes',
  'sha256',
  'carrierTrackingCode',
  'source',
  'outcome',
]

export const labelFilesView: View<FileRow> = {
  columns: [
    { name: 'shipment', header: 'SHIPMENT', value: (f) => f.clientShipmentId },
    { name: 'parcel', header: 'PARCEL', value: (f) => f.parcel, kind: 'number' },
    { name: 'path', header: 'FILE', value: (f) => f.path },
    { name: 'format', header: 'FORMAT', value: (f) => f.format },
    { name: 'bytes', header: 'BYTES', value: (f) => f.bytes, kind: 'number' },
    { name: 'tracking', header: 'TRACKING CODE', value: (f) => f.carrierTrackingCode, identifies: true },
    { name: 'outcome', header: 'OUTCOME', value: (f) => f.outcome },
  ],
  extra: [
    { name: 'sha256', header: 'SHA-256', value: (f) => f.sha256 },
    { name: 'source', header: 'SOURCE', value: (f) => f.source },
    { name: 'registered', header: 'REGISTERED', value: (f) => f.registered },
  ],
  leastImportant: ['bytes', 'parcel', 'format', 'outcome'],
  paths: [...FILE_PATHS, 'registered', 'registerCommand'],
  empty: 'No labels',
}

/** Label sets as the service sends them (spec §4.3). */
export const labelSetsView: View<LabelSet> = {
  columns: [
    { name: 'shipment', header: 'SHIPMENT', value: (s) => s.clientShipmentId },
    { name: 'carrier', header: 'CARRIER', value: (s) => s.carrierCode },
    { name: 'service', header: 'SERVICE', value: (s) => s.carrierServiceCode },
    { name: 'labels', header: 'LABELS', value: (s) => labelsOf(s).length, kind: 'number' },
    { name: 'tracking', header: 'TRACKING CODES', value: trackingCodes, identifies: true },
    { name: 'content', header: 'CONTENT', value: contents },
    {
      name: 'tracking-url',
      header: 'TRACKING URL',
      value: (s) => labelsOf(s)[0]?.carrierTrackingUrl,
      flexible: true,
    },
  ],
  extra: [{ name: 'external-code', header: 'EXTERNAL CODE', value: (s) => s.carrierExternalCode }],
  leastImportant: ['tracking-url', 'content', 'labels', 'carrier'],
  paths: ['carrierCode', 'carrierExternalCode', 'carrierServiceCode', 'clientShipmentId', 'shippingLabels'],
  empty: 'No labels',
}

function labelsOf({ shippingLabels }: LabelSet): LabelSet['shippingLabels'] {
  return objectsIn(shippingLabels)
}

function trackingCodes(set: LabelSet): string {
  return labelsOf(set)
    .map(({ carrierTrackingCode }) => numberText(carrierTrackingCode))
    .filter(Boolean)
    .join(', ')
}

/** Form of each label. */
function contents(set: LabelSet): string {
  const kinds = labelsOf(set).map(({ base64, url, labelFreeCode }) => {
    if (base64) return 'file'
    if (url) return 'URL'
    return labelFreeCode ? 'label-free code' : 'none'
  })
  return [...new Set(kinds)].join(', ')
}

interface VerifiedRow extends FileRow {
  state: string
  problem?: string | undefined
  savedAt?: string | undefined
}

export const verifiedLabelsView: View<VerifiedRow> = {
  columns: [
    { name: 'state', header: 'STATE', value: (f) => f.state, kind: 'status' },
    { name: 'shipment', header: 'SHIPMENT', value: (f) => f.clientShipmentId, identifies: true },
    { name: 'parcel', header: 'PARCEL', value: (f) => f.parcel, kind: 'number' },
    { name: 'path', header: 'FILE', value: (f) => f.path },
    { name: 'problem', header: 'PROBLEM', value: (f) => f.problem, flexible: true },
  ],
  extra: [
    { name: 'format', header: 'FORMAT', value: (f) => f.format },
    { name: 'bytes', header: 'BYTES', value: (f) => f.bytes, kind: 'number' },
    { name: 'sha256', header: 'SHA-256', value: (f) => f.sha256 },
    { name: 'tracking', header: 'TRACKING CODE', value: (f) => f.carrierTrackingCode },
    { name: 'saved', header: 'SAVED', value: (f) => f.savedAt, kind: 'date' },
  ],
  leastImportant: ['parcel', 'path'],
  paths: [...FILE_PATHS, 'state', 'problem', 'savedAt'],
  empty: 'The manifest lists no labels',
}

interface UpdateResult {
  /** `recovered`: the answer got lost, but a look showed that the update was made. */
  outcome: 'accepted' | 'recovered'
  statusCode?: unknown
  description?: unknown
  /** Registered before, by parcel; null if unreadable. */
  former: readonly object[] | null
  /** Parts that could not be read. */
  unread: readonly (keyof typeof PART_NAMES)[] | null
  /** The command that puts it back; null without changes. */
  undo: string | null
}

export const labelUpdateView: View<UpdateResult> = {
  columns: [
    { name: 'status', header: 'STATUS', value: (u) => u.statusCode },
    { name: 'description', header: 'DESCRIPTION', value: (u) => u.description },
    { name: 'former', header: 'FORMER', value: (u) => u.former, flexible: true },
    { name: 'undo', header: 'UNDO', value: (u) => u.undo, flexible: true },
  ],
  paths: ['statusCode', 'description', 'applied', 'reason', 'outcome', 'former', 'unread', 'undo'],
  empty: 'No answer',
}

/** Parts of a registered label, in words. */
export const PART_NAMES = {
  carrierTrackingCode: 'tracking code',
  additionalTrackingCodes: 'additional codes',
  carrierTrackingUrl: 'tracking URL',
  format: 'label format',
  url: 'label URL',
  otherParcels: 'labels of other parcels',
} as const

export function labelUpdateDetails({
  statusCode,
  description,
  outcome,
  former,
  unread,
  undo,
}: UpdateResult): Section[] {
  const labels = former ?? []
  const before = labels.map((label, i): Section => {
    const fields = Object.entries(PART_NAMES).map(([name, part]) => ({
      label: part[0]?.toUpperCase() + part.slice(1),
      value: Reflect.get(label, name),
    }))
    return { title: labels.length > 1 ? `Before, parcel ${i + 1}` : 'Before', fields }
  })
  return [
    {
      fields: [
        { label: 'Status', value: statusCode },
        { label: 'Description', value: description },
        ...(outcome === 'recovered' ? [{ label: 'Outcome', value: outcome }] : []),
      ],
    },
    ...before,
    {
      title: 'Undo',
      fields: [
        { label: 'Command', value: undo ?? (former ? 'nothing has changed' : 'not known what was there') },
        { label: 'But for', value: undo && unread?.map((part) => PART_NAMES[part]).join(', ') },
      ],
    },
  ]
}
