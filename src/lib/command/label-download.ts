import type { LabelsApi } from '../api/labels.ts'
import { AppError } from '../errors.ts'
import type { Context } from './context.ts'
import type { LabelFile } from './label-batch.ts'
import type { LabelTarget } from './label-target.ts'

/** Saves the newest label of a shipment, unless it is there and proven to be whole. */
export async function downloadLabel(
  { context, labels, target }: { context: Context; labels: LabelsApi; target: LabelTarget },
  id: string,
): Promise<LabelFile[]> {
  const present = await target.verified(id)
  if (present) return present.map((record) => ({ ...record, outcome: 'present' }))
  const sets = await labels.get(id)
  const newest = sets.at(-1)
  if (!newest) throw new AppError('not-found', `The shipment ${id} has no label`)
  if (sets.length > 1) await context.note(`${id} has ${sets.length} labels; the newest is saved`)
  const saved = await target.save(newest, id)
  return saved.map(({ unchanged, ...file }) => ({ ...file, outcome: unchanged ? 'unchanged' : 'saved' }))
}
