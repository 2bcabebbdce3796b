import type { LabelPart, RegisteredLabel } from '../../labels/request/registered-label.ts'
import type { Section } from '../../output/formats/details.ts'
import { toFields } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import { numberText } from '../../wire/json.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { joinParts, objectsIn } from '../../wire/raw.ts'

export const PART_NAMES = {
  carrierTrackingCode: 'tracking code',
  additionalTrackingCodes: 'additional codes',
  carrierTrackingUrl: 'tracking URL',
  format: 'label format',
  url: 'label URL',
  otherParcels: 'labels of other parcels',
} as const

export const LABEL_PARTS = Object.keys(PART_NAMES) as LabelPart[]

export function partNames(parts: readonly LabelPart[]): string {
  return parts.map((part) => PART_NAMES[part]).join(', ')
}

export const labelFileSchema = lazySchema((z, { count, text }) =>
  z.object({
    clientShipmentId: text.nullable(),
    parcel: count.describe('From 1'),
    path: text.nullable(),
    format: z.enum(['PDF', 'ZPL', 'PNG']),
    bytes: count,
    sha256: text,
    carrierTrackingCode: text.nullable(),
    source: text,
    outcome: text.optional(),
    registered: z.boolean().optional(),
    registerCommand: text.optional(),
  }),
)

export const failedLabelSchema = lazySchema((z, { text }) =>
  z.object({
    clientShipmentId: text.nullable(),
    return: text.optional(),
    kind: text,
    message: text,
  }),
)

export const savedLabelsSchema = lazySchema(async (z) =>
  z.object({
    files: z.array(await labelFileSchema()),
    failed: z.array(await failedLabelSchema()),
    skipped: z.array(z.unknown()).optional(),
  }),
)

const verifiedLabelSchema = lazySchema(async (_z, { instant, text }) =>
  (await labelFileSchema()).extend({
    carrierCode: text.nullish(),
    origin: text.optional().describe('Platform and shop'),
    state: text,
    problem: text.optional(),
    savedAt: instant.optional(),
  }),
)

export const verifySchema = lazySchema(async (z) =>
  z.object({ labels: z.array(await verifiedLabelSchema()), unlisted: z.array(z.string()) }),
)

const labelUpdateResultSchema = lazySchema((z, { text }) =>
  z.looseObject({
    outcome: z.enum(['accepted', 'recovered']).describe('`recovered`: a lookup found the update'),
    statusCode: z.unknown().optional(),
    description: z.unknown().optional(),
    applied: z.boolean().nullish(),
    reason: text.optional(),
    former: z
      .array(z.custom<RegisteredLabel>())
      .nullable()
      .describe('Registered before, by parcel; null if unreadable'),
    unread: z.array(z.enum(LABEL_PARTS)).nullable().describe('Parts that could not be read'),
    undo: text.nullable().describe('Command that restores the former values'),
  }),
)

type UpdateResult = RecordOf<typeof labelUpdateResultSchema>

export const labelFilesView: View<RecordOf<typeof labelFileSchema>> = {
  columns: [
    { name: 'shipment', path: 'clientShipmentId' },
    'parcel',
    { name: 'path', header: 'FILE' },
    'format',
    'bytes',
    { name: 'tracking', header: 'TRACKING CODE', path: 'carrierTrackingCode', identifies: true },
    'outcome',
  ],
  extra: [{ name: 'sha256', header: 'SHA-256' }, 'source', 'registered'],
  leastImportant: ['bytes', 'parcel', 'format', 'outcome'],
  schema: labelFileSchema,
  empty: 'No labels',
}

export const labelSetsView: View<LabelSet> = {
  columns: [
    { name: 'shipment', path: 'clientShipmentId' },
    { name: 'carrier', path: 'carrierCode' },
    { name: 'service', path: 'carrierServiceCode' },
    { name: 'labels', value: (s) => labelsOf(s).length },
    { name: 'tracking', header: 'TRACKING CODES', value: trackingCodes, identifies: true },
    { name: 'content', value: contents },
    {
      name: 'tracking-url',
      value: (s) => labelsOf(s)[0]?.carrierTrackingUrl,
      flexible: true,
    },
  ],
  extra: [{ name: 'external-code', path: 'carrierExternalCode' }],
  leastImportant: ['tracking-url', 'content', 'labels', 'carrier'],
  schema: async () => (await import('../../wire/labels.ts')).labelSetSchema,
  empty: 'No labels',
}

function labelsOf({ shippingLabels }: LabelSet): LabelSet['shippingLabels'] {
  return objectsIn(shippingLabels)
}

function trackingCodes(set: LabelSet) {
  return joinParts(labelsOf(set).map(({ carrierTrackingCode }) => numberText(carrierTrackingCode)))
}

function contents(set: LabelSet) {
  const kinds = labelsOf(set).map(({ base64, url, labelFreeCode }) =>
    base64 ? 'file' : url ? 'URL' : labelFreeCode ? 'label-free code' : 'none',
  )
  return [...new Set(kinds)].join(', ')
}

export const verifiedLabelsView: View<RecordOf<typeof verifiedLabelSchema>> = {
  columns: [
    { name: 'state', kind: 'status' },
    { name: 'shipment', path: 'clientShipmentId', identifies: true },
    'parcel',
    { name: 'path', header: 'FILE' },
    { name: 'problem', flexible: true },
  ],
  extra: [
    'format',
    'bytes',
    { name: 'sha256', header: 'SHA-256' },
    { name: 'tracking', header: 'TRACKING CODE', path: 'carrierTrackingCode' },
    { name: 'saved', path: 'savedAt', kind: 'date' },
  ],
  leastImportant: ['parcel', 'path'],
  schema: verifiedLabelSchema,
  empty: 'The manifest lists no labels',
}

export const labelUpdateView: View<UpdateResult> = {
  columns: [
    { name: 'status', path: 'statusCode' },
    'description',
    { name: 'former', flexible: true },
    { name: 'undo', flexible: true },
  ],
  schema: labelUpdateResultSchema,
  empty: 'No answer',
}

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
      fields: toFields({
        Status: statusCode,
        Description: description,
        Outcome: outcome === 'recovered' ? outcome : undefined,
      }),
    },
    ...before,
    {
      title: 'Undo',
      fields: toFields({
        Command: undo ?? (former ? 'nothing has changed' : 'not known what was there'),
        'But for': undo && unread && partNames(unread),
      }),
    },
  ]
}
