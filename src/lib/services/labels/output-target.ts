import { access, constants, lstat, stat } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { AppError, type ErrorDetail, usageError } from '../../errors.ts'
import { fileFailure } from '../../files/file-failure.ts'
import { openLabelFolder } from '../../labels/folder/label-folder.ts'
import type { LabelRecord } from '../../labels/folder/manifest.ts'
import { LABEL_EXTENSION, parseNameTemplate, returnStem, shipmentStem } from '../../labels/folder/names.ts'
import {
  type FetchOptions,
  readLabel,
  type SavedLabel,
  type SaveTarget,
  saveLabels,
  servedLabels,
} from '../../labels/folder/served-labels.ts'
import { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'
import type { LabelSet } from '../../wire/labels.ts'
import { instantToWallTime } from '../../wire/time.ts'
import type { WantedLabel } from './requests.ts'

export interface LabelTarget {
  readonly isStandardOutput: boolean
  /** True for a file or stream, which holds one shipment's label. */
  readonly isSingle: boolean
  /** Returns saved labels whose files still match the manifest. */
  verified(id: string, shop?: string): Promise<LabelRecord[] | undefined>
  /** @throws AppError `usage` if the label's path is taken */
  checkFree(request: WantedLabel['request']): Promise<void>
  save(set: LabelSet, id: string, shop?: string | null): Promise<SavedLabel[]>
  close(): Promise<void>
}

interface TargetOptions {
  out: string
  force?: boolean
  another?: boolean
  name?: string
  names?: ReadonlyMap<string, string>
  shipments: number
}

/** @throws AppError `usage` if the target can't hold the labels */
export async function openTarget(context: Context, options: TargetOptions): Promise<LabelTarget> {
  const { out, name, shipments } = options
  const isSingle =
    out === '-' || (LABEL_EXTENSION.test(out) && !(await stat(out).catch(() => undefined))?.isDirectory())
  if (isSingle && shipments > 1) {
    throw usageError(`--out ${out} holds one shipment's label, and there are ${shipments}.`, '--out FOLDER')
  }
  if (isSingle && name !== undefined) {
    throw usageError(`--name names files of a folder, and --out ${out} is none.`, '--out FOLDER')
  }
  const { fetch: fetchUrl } = await context.connection.urlFetcher()
  const fetch = { fetchUrl, signal: context.requestsEnd, warn: (text: string) => context.warn(text) }
  if (out === '-') return standardOutput(context, fetch)
  return isSingle ? singleFile(context, options, fetch) : folderTarget(context, options, fetch)
}

async function folderTarget(
  context: Context,
  { out, force, names, another }: TargetOptions,
  fetch: FetchOptions,
): Promise<LabelTarget> {
  const folder = await openLabelFolder(out, { now: context.io.now, names, originOf: await origins(context) })
  return {
    isStandardOutput: false,
    isSingle: false,
    verified: (id, shop) => folder.ofShop(shop).verified(id),
    async checkFree({ clientShipmentId, parcels, shopCode }) {
      const { pathOf, listed } = folder.ofShop(shopCode)
      const label = { clientShipmentId, parcel: 1, parcels: parcels?.length || 1 }
      const places = FINAL_LABEL_FORMATS.flatMap((format) =>
        [false, true].map((isCode) => pathOf({ ...label, isCode }, format)),
      )
      if (force) return
      for (const path of listed(clientShipmentId))
        await refuseTaken(path, clientShipmentId, { another, isOwn: true })
      for (const path of places) await refuseTaken(path, clientShipmentId, { another })
    },
    save: (set, id, shop) => saveLabels(set, id, { ...fetch, folder: folder.ofShop(shop), force }),
    close: folder.close,
  }
}

async function origins(context: Context) {
  const settings = await context.settingsWithToken()
  const platform = settings.isSandbox ? 'sandbox' : (await context.connection.http()).baseUrl
  const { shops, owner = [] } = merchantOf(settings)
  return (shop?: string | null) => [platform, shop ?? [shops, owner].flat()].flat().join(' ')
}

const PLAIN = {
  isSingle: true,
  verified: async () => undefined,
  close: async () => {},
}

function singleFile(
  context: Context,
  { out, force, another }: TargetOptions,
  fetch: FetchOptions,
): LabelTarget {
  const ending = extname(out)
  const named = ending.slice(1).toUpperCase()
  const stem = out.slice(0, -ending.length)
  const pathOf: SaveTarget['pathOf'] = (_label, format, { number, of }) =>
    `${stem}${of > 1 ? `-${number}of${of}` : ''}${named === format ? ending : `.${format.toLowerCase()}`}`
  return {
    ...PLAIN,
    isStandardOutput: false,
    async checkFree({ clientShipmentId: id, parcels }) {
      await access(dirname(out), constants.W_OK).catch((error: unknown) => {
        throw fileFailure(error, `No label was made for ${id}, since it can't be saved,`, out)
      })
      if (force) return
      await refuseTaken(out, id, { another })
      await refuseTaken(`${stem}-1of${parcels?.length}${ending}`, id, { another })
    },
    async save(set, id) {
      const saved = await saveLabels(set, id, { ...fetch, folder: { pathOf }, force })
      for (const { format, path } of saved) {
        if (named !== format) await context.note(`The label is a ${format}, so it is saved as ${path}`)
      }
      return saved
    },
  }
}

function standardOutput(context: Context, fetch: FetchOptions): LabelTarget {
  const { streams } = context
  if (streams.out.isTerminal) {
    throw usageError(
      'A label is a file that a terminal can not show.',
      'redirect it: --out - > label.pdf',
      'or name a file: --out label.pdf',
    )
  }
  return {
    ...PLAIN,
    isStandardOutput: true,
    async checkFree({ clientShipmentId: id, labelFormat, parcels }) {
      const count = parcels?.length ?? 0
      if (labelFormat === 'ZPL' || count < 2) return
      throw usageError(`No label was made for ${id}: one stream can't hold ${count} labels.`, '--out FOLDER')
    },
    async save(set, id) {
      const labels = await Promise.all(servedLabels(set, id).map((label) => readLabel(label, fetch)))
      // Only ZPL files can be concatenated.
      if (labels.length > 1 && !labels.every(({ format }) => format === 'ZPL')) {
        const message = `The shipment ${id} has ${labels.length} documents, which one stream can't hold.`
        const line = await context.shellLine(['labels', 'download', id, '--out', 'FOLDER'])
        throw usageError(message, line)
      }
      for (const { bytes } of labels) await streams.writeBytes(bytes)
      return []
    },
  }
}

/** Refuses an existing file. With `another`, an interrupted run may have bought it. */
async function refuseTaken(
  path: string,
  id: string,
  { another, isOwn }: { another: boolean | undefined; isOwn?: true },
) {
  if (!(await lstat(path).catch(() => undefined))) return
  const what = isOwn
    ? 'an earlier label of it and would be replaced'
    : 'there already and not known as its label'
  const hints = another
    ? [
        'an interrupted run may have bought it: without --another its newest label is saved, and none is bought',
        'to buy one more all the same: --out OTHER-FOLDER',
      ]
    : ['choose another place with --out', 'or replace the file: --force']
  throw usageError(`No label was made for ${id}: ${path} is ${what}.`, ...hints)
}

const MAX_PROBLEMS = 10

/** Names labels after their return, and after their transport if it is a later one. */
export async function labelNames(
  wanted: readonly WantedLabel[],
  template: string | undefined,
  context: Context,
): Promise<ReadonlyMap<string, string>> {
  const zone = template?.includes('{date}') ? await context.timeZone() : 'UTC'
  const date = instantToWallTime(context.io.now(), zone).slice(0, 10)
  const nameOf = template === undefined ? undefined : parseNameTemplate(template)
  const names = new Map<string, string>()
  const owners = new Map<string, string>()
  const problems: ErrorDetail[] = []
  for (const label of wanted) {
    const id = label.request.clientShipmentId
    const short = label.parcel?.isLater ? shipmentStem(id) : returnStem(id)
    const own = owners.has(short.toLowerCase()) ? shipmentStem(id) : short
    const name = nameOf ? nameOf({ ...fieldsOf(label), date, name: own }) : own
    const owner = owners.get(name.toLowerCase())
    if (owner !== undefined) problems.push({ path: id, message: `${name} is the label of ${owner} already` })
    owners.set(name.toLowerCase(), id)
    // Default names may clash with labels in the folder; the folder resolves them.
    if (nameOf || name !== returnStem(id)) names.set(id, name)
  }
  if (problems.length === 0) return names
  throw new AppError('usage', `--name ${template} gives several labels one name; nothing was sent.`, {
    details: problems.slice(0, MAX_PROBLEMS),
    hints: ['put {name} into it, which is different for each label'],
  })
}

function fieldsOf({ request, parcel }: WantedLabel) {
  const { carrierServiceCode: service, shopCode: shop } = request
  const transport = parcel?.transport
  const carrier = transport?.carrierServiceCode === service ? transport?.carrierCode : undefined
  const order = parcel?.record.ecommerceOrder?.name
  return { service, carrier: carrier ?? service, shop: shop ?? undefined, order: order ?? undefined }
}
