import { Flags } from '@oclif/core'
import pLimit from 'p-limit'
import type { Context } from '../../cli/context.ts'
import { defaultedFlag, type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { AppError, usageError } from '../../errors.ts'
import { isInline, newestLabels } from '../../labels/folder/served-labels.ts'
import type { NamedByFile } from '../../mappings/names-in-export.ts'
import { beginsAsName } from '../../wire/return-names.ts'
import { type ItemProgress, LabelBatch, type LabelFile } from './batch.ts'
import { openTarget } from './output-target.ts'
import { exportFlags, readShipments } from './shipment-ids.ts'
import { type ShipmentLabels, shipmentLabels } from './shipment-labels.ts'

/** More than 4 was measured to be no faster. */
const UNDER_WAY_PER_FETCH = 4

export const downloadFlags = {
  file: textFlag('FILE', 'Ids, one a line, or CSV with a column clientShipmentId; - for standard input'),
  mapping: { ...exportFlags.mapping, dependsOn: ['file'] },
  out: defaultedFlag('PATH', 'labels', 'Folder; for one shipment also a file, or - for standard output'),
  concurrency: Flags.integer({
    helpValue: 'N',
    default: 8,
    min: 1,
    max: 64,
    summary: 'Labels fetched at once, 8 by default',
  }),
  force: switchFlag('Ask also for labels that are saved, and replace files that have other content'),
}

export async function downloadLabels(
  named: readonly string[],
  { out, force, concurrency, file, mapping }: FlagValues<typeof downloadFlags>,
  context: Context,
) {
  const read = await readShipments({ given: named, file, mapping }, context)
  const shipments = [...new Map(read.map((one) => [`${one.shop} ${one.id}`, one])).values()]
  const isFile = file !== undefined && mapping === undefined
  const target = await openTarget(context, { out, force, shipments: shipments.length })
  const labels = await context.connection.labels()
  const fetches = pLimit(concurrency)
  const verified = async ({ id, shop }: NamedByFile) => {
    const records = force ? undefined : await target.verified(id, shop)
    return records?.map((record): LabelFile => ({ ...record, outcome: 'present' }))
  }

  /** Saves labels behind URLs at once; returns a function that saves the others. */
  async function prepareSave(
    { id, sets }: ShipmentLabels,
    wanted: NamedByFile,
    { beginSaving }: ItemProgress,
  ) {
    const { shop } = wanted
    const present = id === wanted.id ? undefined : await verified({ id, shop })
    if (present) return async () => present
    const newest = newestLabels(sets)
    if (!newest) throw new AppError('not-found', `The shipment ${id} has no label`)
    if (sets.length > 1) await context.note(`${id} has ${sets.length} labels; the newest is saved`)
    const save = () => {
      beginSaving()
      return target.save(newest, id, shop)
    }
    if (isInline(newest)) return save
    const files = await save()
    return async () => files
  }

  async function download(wanted: NamedByFile, progress: ItemProgress): Promise<LabelFile[]> {
    const { id, shop } = wanted
    const present = await verified(wanted)
    if (present) return present
    const saves = await fetches(async () => {
      // A file's rows name returns only if they begin with `R#-`.
      const isReturn = !isFile || beginsAsName(id)
      const shipments = isReturn
        ? await shipmentLabels(id, context, shop)
        : [{ id, sets: await labels.get(id, shop) }]
      if (target.isSingle && shipments.length > 1) {
        throw usageError(
          `--out ${out} holds one shipment's label, and ${id} names ${shipments.length}.`,
          '--out FOLDER',
        )
      }
      const found: (() => Promise<LabelFile[]>)[] = []
      for (const shipment of shipments) found.push(await prepareSave(shipment, wanted, progress))
      return found
    })
    const files: LabelFile[] = []
    for (const save of saves) files.push(...(await save()))
    return files
  }

  const batch = new LabelBatch(context, shipments, {
    doing: 'Saving labels',
    concurrency: concurrency * UNDER_WAY_PER_FETCH,
    idOf: ({ id }) => id,
    work: download,
  })
  await batch.renderInto(target)
}
