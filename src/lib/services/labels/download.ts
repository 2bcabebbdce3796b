import type { LimitFunction } from 'p-limit'
import type { LabelsApi } from '../../api/labels.ts'
import type { ReturnLookup } from '../../api/return-lookup.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { isWhole, newestLabels } from '../../labels/folder/served-labels.ts'
import { beginsAsName } from '../../wire/return-names.ts'
import type { ItemProgress, LabelFile } from './batch.ts'
import type { LabelTarget } from './output-target.ts'
import { type ShipmentLabels, shipmentLabels } from './shipment-labels.ts'

/** While some wait for the disk, others come over the network; more would only fill the memory. */
export const UNDER_WAY_PER_FETCH = 4

export interface LabelDownloader {
  context: Pick<Context, 'note' | 'shellLine'>
  labels: LabelsApi
  /** For ids that no label was made with. */
  lookup: ReturnLookup
  /** Rows of a file are taken for returns only where they begin as names of those do. */
  isFile: boolean
  target: LabelTarget
  /** Ask for what is there, too: another label may have been registered since. */
  force: boolean
  fetches: LimitFunction
}

/** Saves the newest label of a shipment, or of a return's, unless it is there and proven to be what was saved. */
export async function downloadLabel(
  downloader: LabelDownloader,
  id: string,
  progress: ItemProgress,
): Promise<LabelFile[]> {
  const { context, labels, lookup, isFile, target, fetches, force } = downloader
  const present = force ? undefined : await target.verified(id)
  if (present) return present.map((record) => ({ ...record, outcome: 'present' }))
  const found = await fetches(async () => {
    const shipments =
      !isFile || beginsAsName(id)
        ? await shipmentLabels(id, labels, lookup, context)
        : [{ id, sets: await labels.get(id) }]
    const results: (() => Promise<LabelFile[]>)[] = []
    for (const shipment of shipments) results.push(await saving(downloader, shipment, id, progress))
    return results
  })
  const files: LabelFile[] = []
  for (const save of found) files.push(...(await save()))
  return files
}

/** Fetches a shipment's labels, and returns what saves them. */
async function saving(
  { context, target, force }: LabelDownloader,
  { id, sets }: ShipmentLabels,
  asked: string,
  { beginSaving }: ItemProgress,
): Promise<() => Promise<LabelFile[]>> {
  const present = force || id === asked ? undefined : await target.verified(id)
  if (present) return async () => present.map((record) => ({ ...record, outcome: 'present' }))
  const newest = newestLabels(sets)
  if (!newest) throw new AppError('not-found', `The shipment ${id} has no label`)
  if (sets.length > 1) await context.note(`${id} has ${sets.length} labels; the newest is saved`)
  const save = (): Promise<LabelFile[]> => {
    beginSaving()
    return target.save(newest, id)
  }
  if (isWhole(newest)) return save
  const files = await save()
  return async () => files
}
