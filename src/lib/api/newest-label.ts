import type { LabelSet } from '../wire/labels.ts'

/**
 * The label that a shipment has by now, out of its sets, oldest first: the newest set that carries a file, with the
 * tracking codes of the newest, which may have been registered without one (spec §4.4).
 */
export function newestLabel(sets: readonly LabelSet[]): LabelSet | undefined {
  const newest = sets.at(-1)
  const filed = sets.findLast(carriesFile) ?? newest
  if (!newest || !filed || filed === newest) return newest
  return {
    ...filed,
    shippingLabels: filed.shippingLabels.map((label, index) => {
      const code = newest.shippingLabels[index]?.carrierTrackingCode
      return code ? { ...label, carrierTrackingCode: code } : label
    }),
  }
}

function carriesFile({ shippingLabels }: LabelSet): boolean {
  return shippingLabels.some((label) => isFile(label) || isFile(label?.labelFreeCode))
}

function isFile(holder: { base64?: unknown; url?: unknown } | null | undefined): boolean {
  return Boolean(holder?.base64 || holder?.url)
}
