import { hash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { pMapIterable } from 'p-map'
import { LOOKUP_LIMITS } from '../../api/resource.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, errorCode, quotedWord, rethrowInterruption, UNREADABLE, usageError } from '../../errors.ts'
import { fileFailure } from '../../files/file-failure.ts'
import { describeUnknown, type LabelFormat, sniffFormat } from '../../labels/folder/label-bytes.ts'
import { MANIFEST_NAME, type ManifestEntry, readManifest } from '../../labels/folder/manifest.ts'
import { LABEL_EXTENSION } from '../../labels/folder/names.ts'
import {
  type FetchOptions,
  newestLabels,
  readLabel,
  servedLabels,
} from '../../labels/folder/served-labels.ts'
import { counted, firstOf } from '../../wire/counted.ts'
import { shipmentLabels } from './shipment-labels.ts'

interface LoadedLabel {
  name: string
  clientShipmentId: string | undefined
  parcel: number
  format: LabelFormat
  bytes: Uint8Array
  carrierTrackingCode: string | null
  source: 'file' | 'base64' | 'url' | 'label-free'
  carrierCode: string | undefined
  /** Epoch milliseconds. Undefined if loaded from the service. */
  createdAt: number | undefined
}

/** Loads all labels in the order given, or throws. @param isServed ignores files */
export async function loadLabels(
  references: readonly string[],
  isServed: boolean,
  context: Context,
): Promise<LoadedLabel[]> {
  const loaded: LoadedLabel[] = []
  const problems: { path: string; error: AppError }[] = []
  const manifests: Manifests = new Map()
  // Files alone need neither token nor network.
  let fetcher: ReturnType<Connection['urlFetcher']> | undefined
  const open = () => {
    fetcher ??= context.connection.urlFetcher()
    return fetcher
  }
  const load = async (path: string) => {
    try {
      const ofDisk = isServed ? undefined : await fromDisk(path, manifests, context)
      return ofDisk ?? (await fromService(path, open, context))
    } catch (error) {
      rethrowInterruption(error)
      problems.push({ path, error })
      return []
    }
  }
  for await (const labels of pMapIterable(references, load, LOOKUP_LIMITS)) loaded.push(...labels)
  const [first] = problems
  if (!first) return loaded
  if (references.length === 1) throw first.error
  const kinds = new Set(problems.map(({ error }) => error.kind))
  const kind = kinds.size === 1 ? first.error.kind : 'partial'
  throw new AppError(
    kind,
    `${problems.length} of ${counted(references.length, 'label')} can't be had; nothing was printed.`,
    {
      details: problems.map(({ path, error }) => ({ path, message: error.message })),
      hints: [...new Set(problems.flatMap(({ error }) => error.hints))].slice(0, 3),
    },
  )
}

type Manifests = Map<string, Promise<ManifestEntry[] | undefined>>

/** Returns undefined if the reference names a return or shipment. */
async function fromDisk(
  reference: string,
  manifests: Manifests,
  context: Context,
): Promise<LoadedLabel[] | undefined> {
  const found = await stat(reference).catch(() => undefined)
  if (found?.isDirectory()) return fromFolder(reference, context)
  if (found?.isFile()) {
    return [await fromFile(reference, reference, await entryOf(resolve(reference), manifests))]
  }
  if (!(LABEL_EXTENSION.test(reference) || /[/\\]/.test(reference))) return undefined
  const what = found ? 'is not a file' : 'does not exist'
  throw usageError(
    `The label ${reference} ${what}.`,
    'give label files, folders of them, returns, or ids of shipments',
    'if it is an id: --no-files',
  )
}

/** Reads exactly the files that a manifest lists, else all. */
async function fromFolder(directory: string, context: Context) {
  const manifest = await readManifest(directory)
  const entries = new Map(manifest?.labels.map((entry) => [entry.path, entry]))
  const files = await labelFiles(directory, context)
  const others = manifest ? files.filter((path) => !entries.has(path)) : []
  if (others.length > 0) {
    await context.warn(`${firstOf(others, 1)} left out: not in the ${MANIFEST_NAME} of ${directory}`)
  }
  const paths = manifest ? [...entries.keys()] : files
  if (paths.length === 0) throw usageError(`The folder ${directory} has no labels.`)
  const labels: LoadedLabel[] = []
  for (const path of paths.sort(new Intl.Collator('en', { numeric: true }).compare)) {
    const whole = join(directory, path)
    const entry = entries.get(path)
    if (entry && !(await stat(whole).catch((error) => errorCode(error) !== 'ENOENT'))) {
      throw usageError(
        `The label ${whole} is in ${MANIFEST_NAME} and not in the folder.`,
        await context.shellLine(['labels', 'verify', directory]),
      )
    }
    labels.push(await fromFile(whole, path, entry))
  }
  return labels
}

/** Omits hidden files and folders, such as the trash of a USB stick. */
async function labelFiles(directory: string, context: Context) {
  const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(failingAt(directory))
  const files: string[] = []
  for (const entry of found) {
    const path = relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/')
    if (!LABEL_EXTENSION.test(path) || /(?:^|\/)\./.test(path)) continue
    const isLink = entry.isSymbolicLink()
    const target = isLink ? await stat(join(directory, path)).catch(() => undefined) : entry
    if (target?.isFile()) files.push(path)
    else if (isLink) await context.warn(`${path} left out: the link leads to no file`)
  }
  return files
}

/** Looks in the manifest of the nearest folder above that has one. */
async function entryOf(
  file: string,
  manifests: Manifests,
  directory = dirname(file),
): Promise<ManifestEntry | undefined> {
  const read = async () => (await readManifest(directory).catch(() => undefined))?.labels
  const reading = manifests.get(directory) ?? read()
  manifests.set(directory, reading)
  const entries = await reading
  const above = dirname(directory)
  if (!entries && above !== directory) return entryOf(file, manifests, above)
  const path = relative(directory, file).split(sep).join('/')
  return entries?.find((entry) => entry.path === path)
}

function failingAt(path: string): (error: unknown) => never {
  return (error) => {
    const why = UNREADABLE[errorCode(error) ?? '']
    throw why === undefined
      ? fileFailure(error, "The label can't be read", path, 'give files that you may read')
      : usageError(`${path} can't be read: ${why}.`)
  }
}

async function fromFile(path: string, name: string, entry?: ManifestEntry): Promise<LoadedLabel> {
  const [bytes, { mtimeMs }] = await Promise.all([readFile(path), stat(path)]).catch(failingAt(path))
  const format = sniffFormat(bytes)
  if (entry && entry.sha256 !== hash('sha256', bytes)) {
    throw usageError(
      `${path} is not the label that was saved as ${entry.clientShipmentId}.`,
      `see what else changed: rma labels verify ${quotedWord(path.slice(0, -entry.path.length - 1) || '.')}`,
      'print it all the same: copy it to another folder',
    )
  }
  if (format === undefined) {
    throw usageError(`${path} is not a PDF, ZPL or PNG label but ${describeUnknown(bytes)}.`)
  }
  return {
    name,
    clientShipmentId: entry?.clientShipmentId,
    parcel: entry?.parcel ?? 1,
    format,
    bytes,
    carrierTrackingCode: entry?.carrierTrackingCode ?? null,
    source: 'file',
    carrierCode: entry?.carrierCode,
    createdAt: entry ? Date.parse(entry.savedAt) : mtimeMs,
  }
}

async function fromService(text: string, open: Connection['urlFetcher'], context: Context) {
  const { fetch: fetchUrl } = await open()
  const fetch: FetchOptions = {
    fetchUrl,
    signal: context.io.interrupt,
    warn: (message) => context.warn(message),
  }
  const found = await shipmentLabels(text, context)
  const served = found.flatMap(({ id, sets }) => {
    const newest = newestLabels(sets)
    const carrierCode = newest?.carrierCode ?? undefined
    return newest ? servedLabels(newest, id).map((label) => ({ ...label, carrierCode })) : []
  })
  return Promise.all(
    served.map(async (label) => {
      const { clientShipmentId, parcel, parcels, carrierTrackingCode, carrierCode, source } = label
      const name = parcels > 1 ? `${clientShipmentId}, parcel ${parcel}` : clientShipmentId
      const facts = { name, clientShipmentId, parcel, carrierTrackingCode, carrierCode, source }
      return { ...facts, createdAt: undefined, ...(await readLabel(label, fetch)) }
    }),
  )
}

/** Labels without date or carrier come last. */
export function sortLabels(labels: readonly LoadedLabel[], order: string | undefined): LoadedLabel[] {
  const { compare } = new Intl.Collator('en', { numeric: true })
  const nameOf = ({ clientShipmentId, name }: LoadedLabel) => clientShipmentId ?? basename(name)
  return labels.toSorted((a, b) => {
    if (order === 'name') return compare(nameOf(a), nameOf(b))
    if (order === 'created') return (a.createdAt ?? Infinity) - (b.createdAt ?? Infinity) || 0
    return order === 'carrier' ? compare(a.carrierCode ?? '\uffff', b.carrierCode ?? '\uffff') : 0
  })
}
