import { writeLabel } from '../files/write-new-file.ts'
import type { LabelSet } from '../wire/labels.ts'
import type { LabelFolder } from './label-folder.ts'
import type { LabelRecord } from './manifest-file.ts'
import { type FetchOptions, openLabel, servedLabels } from './served-labels.ts'

export interface SaveOptions extends FetchOptions {
  folder: LabelFolder
  /** True if files with other content are replaced. */
  force?: boolean | undefined
}

export interface SavedLabel extends LabelRecord {
  /** `unchanged` if the file had the same bytes before. */
  outcome: 'saved' | 'unchanged'
}

/**
 * Saves every document of a label set. `clientShipmentId` is for sets that name no shipment.
 *
 * @throws AppError naming the label. Labels saved before it stay and are found again.
 */
export async function saveLabels(
  set: LabelSet,
  clientShipmentId: string,
  options: SaveOptions,
): Promise<SavedLabel[]> {
  const { folder, force, signal } = options
  const saved: SavedLabel[] = []
  for (const label of servedLabels(set, clientShipmentId)) {
    const { format, source, content } = await openLabel(label, options)
    const { what, parcel, carrierTrackingCode } = label
    const path = folder.pathOf(label, format)
    await folder.prepare(path)
    const { bytes, sha256, unchanged } = await writeLabel({
      what,
      path,
      content,
      force,
      signal,
      skipFolderSync: true,
    })
    const { clientShipmentId: id } = label
    saved.push({
      clientShipmentId: id,
      parcel,
      path,
      format,
      bytes,
      sha256,
      carrierTrackingCode,
      source,
      outcome: unchanged ? 'unchanged' : 'saved',
    })
  }
  await folder.add(saved, set.carrierCode ?? undefined)
  return saved
}
