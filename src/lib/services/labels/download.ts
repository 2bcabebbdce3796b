import type { LimitFunction } from 'p-limit'
import type { LabelsApi } from '../../api/labels.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { newestLabels, servedLabels } from '../../labels/served-labels.ts'
import type { LabelSet } from '../../wire/labels.ts'
import type { LabelFile } from './batch.ts'
import type { LabelTarget } from './output-target.ts'

/** While some wait for the disk, others come over the network; more would only fill the memory. */
export const UNDER_WAY_PER_FETCH = 2

export interface LabelDownloader {
  context: Pick<Context, 'note'>
  labels: LabelsApi
  target: LabelTarget
  /** Ask for what is there, too: another label may have been registered since. */
  force: boolean
  fetches: LimitFunction
}

/** Saves the newest label of a shipment, unless it is there and proven to be what was saved. */
export async function downloadLabel(
  { context, labels, target, fetches, force }: LabelDownloader,
  id: string,
): Promise<LabelFile[]> {
  const present = force ? undefined : await target.verified(id)
  if (present) return present.map((record) => ({ ...record, outcome: 'present' }))
  const save = async (set: LabelSet): Promise<LabelFile[]> => {
    const saved = await target.save(set, id)
    return saved.map(({ unchanged, ...file }) => ({ ...file, outcome: unchanged ? 'unchanged' : 'saved' }))
  }
  const fetched = await fetches(async () => {
    const newest = await newestSet({ context, labels }, id)
    const isHere = servedLabels(newest, id).every(({ content }) => 'base64' in content)
    return isHere ? { newest } : { files: await save(newest) }
  })
  return fetched.files ?? save(fetched.newest)
}

async function newestSet(
  { context, labels }: Pick<LabelDownloader, 'context' | 'labels'>,
  id: string,
): Promise<LabelSet> {
  const sets = await labels.get(id)
  const newest = newestLabels(sets)
  if (!newest) throw new AppError('not-found', `The shipment ${id} has no label`)
  if (sets.length > 1) await context.note(`${id} has ${sets.length} labels; the newest is saved`)
  return newest
}
