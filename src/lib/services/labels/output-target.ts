import { lstat, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { writeLabel } from '../../files/write-new-file.ts'
import { openLabelFolder } from '../../labels/label-folder.ts'
import type { LabelRecord } from '../../labels/manifest-file.ts'
import { type SavedLabel, saveLabels } from '../../labels/save-labels.ts'
import { type FetchOptions, openLabel, readLabel, servedLabels } from '../../labels/served-labels.ts'
import type { LabelSet } from '../../wire/labels.ts'

export interface LabelTarget {
  /** Whether the documents are the result, so that nothing else may be printed. */
  readonly isStandardOutput: boolean
  /** Returns the labels of a shipment that are proven to be what was saved; undefined to ask the service. */
  verified(id: string): Promise<LabelRecord[] | undefined>
  /** @throws AppError `usage` if a label of this shipment could not be saved because its place is taken. */
  checkFree(id: string): Promise<void>
  save(set: LabelSet, id: string): Promise<SavedLabel[]>
  close(): Promise<void>
}

export interface TargetOptions {
  out: string
  force?: boolean | undefined
  /** Template that the names were asked for with. */
  name?: string | undefined
  /** Names to be given in a folder, by shipment. */
  names?: ReadonlyMap<string, string> | undefined
  /** How many shipments there are: a file and standard output hold one. */
  shipments: number
}

const FORMATS = ['PDF', 'ZPL', 'PNG'] as const
const FILE_ENDING = /\.(?:pdf|zpl|png)$/i

/** Opens the place for labels, before any is made or fetched. @throws AppError `usage` if it can't take them */
export async function openTarget(
  context: Context,
  connection: Pick<Connection, 'urlFetcher'>,
  options: TargetOptions,
): Promise<LabelTarget> {
  const { out, name, shipments } = options
  const isFile = FILE_ENDING.test(out) && !(await isFolder(out))
  if ((out === '-' || isFile) && shipments > 1) {
    throw new AppError('usage', `--out ${out} holds one shipment's label, and there are ${shipments}.`, {
      hints: ['--out FOLDER'],
    })
  }
  if ((out === '-' || isFile) && name !== undefined) {
    throw new AppError('usage', `--name names files of a folder, and --out ${out} is none.`, {
      hints: ['--out FOLDER'],
    })
  }
  const fetcher = await connection.urlFetcher()
  const warn = (text: string) => context.warn(text)
  const fetch: FetchOptions = { fetchUrl: fetcher.fetch, signal: context.requestsEnd, warn }
  if (out === '-') return standardOutput(context, fetch)
  return isFile ? singleFile(context, options, fetch) : folderTarget(context, options, fetch)
}

async function folderTarget(
  context: Pick<Context, 'io'>,
  { out, force, names }: TargetOptions,
  fetch: FetchOptions,
): Promise<LabelTarget> {
  const folder = await openLabelFolder(out, { now: context.io.now, names })
  const options = { ...fetch, folder, force }
  return {
    isStandardOutput: false,
    verified: (id) => folder.verified(id),
    async checkFree(clientShipmentId) {
      if (force) return
      const place = { clientShipmentId, parcel: 1, parcels: 1, isCode: false }
      for (const format of FORMATS) await refuseTaken(folder.pathOf(place, format), clientShipmentId)
    },
    save: (set, id) => saveLabels(set, id, options),
    close: () => folder.close(),
  }
}

async function singleFile(
  context: Pick<Context, 'note'>,
  { out, force }: TargetOptions,
  fetch: FetchOptions,
): Promise<LabelTarget> {
  const stem = out.slice(0, -extname(out).length)
  return {
    isStandardOutput: false,
    verified: async () => undefined,
    checkFree: async (id) => {
      if (!force) await refuseTaken(out, id)
    },
    async save(set, id) {
      const served = servedLabels(set, id)
      const saved: SavedLabel[] = []
      for (const [index, label] of served.entries()) {
        const { format, source, content } = await openLabel(label, fetch)
        const number = served.length > 1 ? `-${index + 1}of${served.length}` : ''
        const isAsNamed = extname(out).slice(1).toUpperCase() === format
        const path = `${stem}${number}${isAsNamed ? extname(out) : `.${format.toLowerCase()}`}`
        if (!isAsNamed) await context.note(`The label is a ${format}, so it is saved as ${path}`)
        const { what, clientShipmentId, parcel, carrierTrackingCode } = label
        const written = await writeLabel({ what, path, content, force, signal: fetch.signal })
        const { bytes, sha256, unchanged } = written
        saved.push({
          clientShipmentId,
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
      return saved
    },
    close: async () => {},
  }
}

function standardOutput(context: Pick<Context, 'streams' | 'shellLine'>, fetch: FetchOptions): LabelTarget {
  const { streams } = context
  if (streams.out.isTerminal) {
    throw new AppError('usage', 'A label is a file that a terminal can not show.', {
      hints: ['redirect it: --out - > label.pdf', 'or name a file: --out label.pdf'],
    })
  }
  return {
    isStandardOutput: true,
    verified: async () => undefined,
    checkFree: async () => {},
    async save(set, id) {
      const served = servedLabels(set, id)
      const labels = await Promise.all(served.map((label) => readLabel(label, fetch)))
      // ZPL is a stream of commands; other files can't follow each other.
      if (labels.length > 1 && !labels.every(({ format }) => format === 'ZPL')) {
        const message = `The shipment ${id} has ${labels.length} documents, which one stream can't hold.`
        const line = await context.shellLine(['labels', 'download', id, '--out', 'FOLDER'], undefined)
        throw new AppError('usage', message, { hints: [line] })
      }
      for (const { bytes } of labels) await streams.writeBytes(bytes)
      return []
    },
    close: async () => {},
  }
}

async function refuseTaken(path: string, id: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (!found) return
  throw new AppError(
    'usage',
    `No label was made of ${id}: ${path} is there already and not known as its label.`,
    { hints: ['choose another place with --out', 'or replace the file: --force'] },
  )
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
