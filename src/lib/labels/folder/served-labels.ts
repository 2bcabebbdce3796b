import { AppError } from '../../errors.ts'
import type { LabelSet } from '../../wire/labels.ts'
import type { LabelRecord } from './manifest.ts'
import type { LabelPlace } from './names.ts'

/** One document of a label set: a parcel's label, or the code of a label-free one. */
export interface ServedLabel extends LabelPlace, Pick<LabelRecord, 'carrierTrackingCode' | 'source'> {
  /** Words for messages: `label of SHP-1, parcel 2 of 3`. */
  what: string
  content: LabelContent
  /** Format by the answer. */
  saidFormat: string | undefined
}

type LabelContent =
  | { base64: string }
  /** `former` is the base64 of an older set, used if the URL fails. */
  | { url: string; former?: string | undefined }

type SetLabel = LabelSet['shippingLabels'][number]

/** A key that no answer has. */
const FORMER = Symbol('base64 of an older set')

/**
 * Returns the documents of a set, which may break the specification in any way.
 *
 * @param shipment id for sets without one
 * @throws AppError `contract` if a parcel has neither a label nor a code
 */
export function servedLabels(set: LabelSet, shipment: string): ServedLabel[] {
  const clientShipmentId = textIn(set.clientShipmentId) ?? shipment
  const parcels = set.shippingLabels.length
  if (parcels === 0) throw noLabel(`of ${clientShipmentId}`)
  return set.shippingLabels.flatMap((label, index) => {
    const parcel = index + 1
    const of = `of ${clientShipmentId}${parcels > 1 ? `, parcel ${parcel} of ${parcels}` : ''}`
    const carrierTrackingCode = textIn(label?.carrierTrackingCode) ?? null
    const [own, code] = [contentOf(label), contentOf(label?.labelFreeCode)]
    if (!(own || code)) throw noLabel(of)
    const shared = { clientShipmentId, parcel, parcels, carrierTrackingCode }
    const found: ServedLabel[] = []
    if (own) {
      const source = 'url' in own ? 'url' : 'base64'
      const saidFormat = textIn(label.format)
      found.push({ ...shared, isCode: false, what: `label ${of}`, source, content: own, saidFormat })
    }
    if (code) {
      const saidFormat = textIn(label.labelFreeCode?.format)
      const what = `label-free code ${of}`
      found.push({ ...shared, isCode: true, what, source: 'label-free', content: code, saidFormat })
    }
    return found
  })
}

/** Joins sets, oldest first: the newest files with the newest codes, which may have been registered later. */
export function newestLabels(sets: readonly LabelSet[]): LabelSet | undefined {
  const newest = sets.at(-1)
  const madeAt = sets.findLastIndex(hasFiles)
  const made = sets[madeAt]
  if (!made || sets.length === 1) return newest
  const shippingLabels = made.shippingLabels.map((label, i) => {
    const older = sets.slice(0, madeAt).map((set) => set.shippingLabels[i])
    const { carrierTrackingCode, carrierTrackingUrl } = newest?.shippingLabels[i] ?? {}
    const hasNewCode = made !== newest && textIn(carrierTrackingCode)
    return { ...withFormer(label, older), ...(hasNewCode && { carrierTrackingCode, carrierTrackingUrl }) }
  })
  return { ...made, shippingLabels }
}

/** Adds older documents with the same code or URL. Others may be of another parcel. */
function withFormer(label: SetLabel, older: readonly (SetLabel | undefined)[]): SetLabel {
  const same = older.filter((one) => one !== undefined && isSameDocument(one, label))
  const code = label.labelFreeCode
  const former = same.map((one) => textIn(one?.base64)).findLast(Boolean)
  const formerCode = same.map((one) => textIn(one?.labelFreeCode?.base64)).findLast(Boolean)
  return {
    ...label,
    ...(former && { [FORMER]: former }),
    ...(code && formerCode && { labelFreeCode: { ...code, [FORMER]: formerCode } }),
  }
}

function isSameDocument(one: SetLabel, other: SetLabel): boolean {
  const keys = [
    (label: SetLabel) => textIn(label.carrierTrackingCode),
    (label: SetLabel) => textIn(label.url),
    (label: SetLabel) => textIn(label.labelFreeCode?.url),
  ]
  return keys.some((key) => key(one) !== undefined && key(one) === key(other))
}

export function hasFiles({ shippingLabels: labels }: LabelSet): boolean {
  return labels.length > 0 && labels.every((label) => contentOf(label) ?? contentOf(label?.labelFreeCode))
}

/** True if no document is behind a URL. */
export function isWhole({ shippingLabels: labels }: LabelSet): boolean {
  const holders = labels.flatMap((label) => [label, label?.labelFreeCode])
  return !holders.some((holder) => 'url' in (contentOf(holder) ?? {}))
}

function noLabel(of: string): AppError {
  const message = `The service sent no label ${of}: no base64, no URL and no label-free code.`
  return new AppError('contract', message, {
    hints: ['the same again in a minute: the carrier may not have made it yet'],
  })
}

/** Prefers base64, which needs no second request. */
function contentOf(
  holder: { base64?: unknown; url?: unknown; [FORMER]?: string } | null | undefined,
): LabelContent | undefined {
  const base64 = textIn(holder?.base64)
  if (base64 !== undefined) return { base64 }
  const url = textIn(holder?.url)
  return url === undefined ? undefined : { url, former: holder?.[FORMER] }
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
