import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { AppError, type ErrorDetail, errorCode } from '../errors.ts'
import { fileFailure } from '../files/file-failure.ts'
import { assertLocksOwned } from '../files/lock.ts'
import { replaceFile, syncFolder } from '../files/temporary-file.ts'
import type { LabelFormat } from './format.ts'

/** Origins of a label: the answer, its URL, or the code of a label-free shipment (spec §2.6). */
const SOURCES = ['base64', 'url', 'label-free'] as const

/** A path must not leave the manifest's folder, whoever wrote it. */
const pathInFolder = z
  .string()
  .refine(
    (path) => path !== '' && !/^(?:[/\\]|[A-Za-z]:)|\0/.test(path) && !path.split(/[/\\]/).includes('..'),
    'must be a path inside the folder',
  )

const entrySchema = z.looseObject({
  clientShipmentId: z.string(),
  parcel: z.int().positive(),
  path: pathInFolder,
  format: z.enum(['PDF', 'ZPL', 'PNG']),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  carrierTrackingCode: z.string().nullable(),
  carrierCode: z.string().optional(),
  source: z.enum(SOURCES),
  savedAt: z.string(),
})

const manifestSchema = z.looseObject({ version: z.literal(1), labels: z.array(entrySchema) })

export interface LabelRecord {
  clientShipmentId: string
  /** Number of the parcel, from 1. */
  parcel: number
  path: string
  format: LabelFormat
  bytes: number
  sha256: string
  carrierTrackingCode: string | null
  /** Unknown in folders of former versions. */
  carrierCode?: string | undefined
  source: (typeof SOURCES)[number]
}

/** `path` is relative to the manifest's folder. */
export interface ManifestEntry extends LabelRecord {
  /** ISO 8601. */
  savedAt: string
}

interface Manifest {
  version: 1
  labels: ManifestEntry[]
}

export const MANIFEST_NAME = 'manifest.json'

/** A later entry of the same key replaces an earlier one. */
function entryKey(entry: ManifestEntry): string {
  return JSON.stringify([entry.clientShipmentId, entry.parcel, entry.source === 'label-free'])
}

/** Returns undefined without a manifest. @throws AppError `config` if it is unreadable */
export async function readManifest(directory: string): Promise<Manifest | undefined> {
  const path = join(directory, MANIFEST_NAME)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw fileFailure(error, "The list of saved labels can't be read", path)
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw broken(path, 'is not valid JSON', [], cause)
  }
  const parsed = manifestSchema.safeParse(json)
  if (parsed.success) return parsed.data
  const details = parsed.error.issues.map(({ message, path: place }) => ({ message, path: place.join('.') }))
  throw broken(path, 'is not a list of saved labels', details.slice(0, 10), parsed.error)
}

function broken(path: string, problem: string, details: ErrorDetail[], cause: unknown): AppError {
  return new AppError('config', `${path} ${problem}. It is left as it is.`, {
    details,
    hints: [
      'correct it by hand',
      'or move it away: labels that are saved already are then found by their content',
    ],
    cause,
  })
}

/** Merges entries into the manifest on the disk. The caller holds its lock. */
export async function mergeIntoManifest(directory: string, entries: readonly ManifestEntry[]): Promise<void> {
  const path = join(directory, MANIFEST_NAME)
  const manifest: Manifest = (await readManifest(directory)) ?? { version: 1, labels: [] }
  const labels = new Map(manifest.labels.map((entry) => [entryKey(entry), entry]))
  for (const entry of entries) labels.set(entryKey(entry), entry)
  // An entry a line takes a third of the size and is searchable.
  const lines = [...labels.values()].map((entry) => `    ${JSON.stringify(entry)}`)
  const { labels: _old, ...rest } = manifest
  const head = JSON.stringify(rest, undefined, 2).slice(0, -2)
  const text = `${head},\n  "labels": [\n${lines.join(',\n')}\n  ]\n}\n`
  try {
    // Names of labels are synced first, as the manifest must not list lost files.
    for (const folder of foldersOf(entries)) await syncFolder(join(directory, folder))
    assertLocksOwned()
    await replaceFile(path, text)
    await syncFolder(directory)
  } catch (error) {
    throw fileFailure(error, "The list of saved labels can't be written", path)
  }
}

/** The manifest's own folder, and those inside it that the entries' paths go through. */
function foldersOf(entries: readonly ManifestEntry[]): Set<string> {
  const folders = new Set(['.'])
  for (const { path } of entries) {
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at)
  }
  return folders
}
