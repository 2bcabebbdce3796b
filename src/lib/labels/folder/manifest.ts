import { readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import * as z from 'zod'
import { errorCode, usageError } from '../../errors.ts'
import { digestFile } from '../../files/file-digest.ts'
import { fileFailure } from '../../files/file-failure.ts'
import { readJsonFile } from '../../files/json-file.ts'
import { assertLocksOwned } from '../../files/lock.ts'
import { replaceFile, syncFolder } from '../../files/temporary-file.ts'
import { counted } from '../../wire/counted.ts'
import { FINAL_LABEL_FORMATS } from '../../wire/enumerations.ts'

/** A path must not leave the manifest's folder, whoever wrote it. */
const pathInFolder = z
  .string()
  .refine(
    (path) => path !== '' && !/^(?:[/\\]|[A-Za-z]:)|\0/.test(path) && !path.split(/[/\\]/).includes('..'),
    'must be a path inside the folder',
  )

export const labelRecordSchema = z.object({
  clientShipmentId: z.string(),
  parcel: z.int().positive(),
  path: pathInFolder,
  format: z.enum(FINAL_LABEL_FORMATS),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  carrierTrackingCode: z.string().nullable(),
  /** Label-free shipments have a code (spec §2.6). */
  source: z.enum(['base64', 'url', 'label-free']),
})

export type LabelRecord = z.infer<typeof labelRecordSchema>

const entrySchema = z.looseObject({
  ...labelRecordSchema.shape,
  /** Missing from manifests of earlier versions. */
  carrierCode: z.string().optional(),
  /** Platform and shop, as another shop's shipment may have the same id. Missing from earlier manifests. */
  origin: z.string().optional(),
  savedAt: z.string(),
})

/** The path is relative to the manifest's folder. */
export type ManifestEntry = z.infer<typeof entrySchema>

const manifestSchema = z.looseObject({ version: z.literal(1), labels: z.array(entrySchema) })

type Manifest = z.infer<typeof manifestSchema>

export const MANIFEST_NAME = 'manifest.json'

/** @throws AppError `config` if the file is no manifest */
export function readManifest(directory: string): Promise<Manifest | undefined> {
  return readJsonFile(join(directory, MANIFEST_NAME), manifestSchema, 1, [
    'correct it by hand',
    'or move it away: labels that are saved already are then found by their content',
  ])
}

/** Replaces all entries of each shipment. The caller holds the manifest's lock. */
export async function mergeIntoManifest(directory: string, entries: readonly ManifestEntry[]) {
  const path = join(directory, MANIFEST_NAME)
  const { labels: old, ...rest } = (await readManifest(directory)) ?? { version: 1, labels: [] }
  const renewed = new Set(entries.map(({ clientShipmentId }) => clientShipmentId))
  const labels = [...old.filter(({ clientShipmentId }) => !renewed.has(clientShipmentId)), ...entries]
  // One entry per line takes a third of the size and is searchable.
  const lines = labels.map((entry) => `    ${JSON.stringify(entry)}`)
  const head = JSON.stringify(rest, undefined, 2).slice(0, -2)
  try {
    // Folders are synced first, as the manifest must not list lost files.
    for (const folder of foldersOf(entries)) await syncFolder(join(directory, folder))
    assertLocksOwned()
    await replaceFile(path, `${head},\n  "labels": [\n${lines.join(',\n')}\n  ]\n}\n`)
    await syncFolder(directory)
  } catch (error) {
    throw fileFailure(error, "The list of saved labels can't be written", path)
  }
}

function foldersOf(entries: readonly ManifestEntry[]) {
  const folders = new Set(['.'])
  for (const { path } of entries) {
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at)
  }
  return folders
}

type LabelState = { state: 'ok' } | { state: 'missing' | 'changed'; problem: string }

const FOLDER_HINT = 'give the folder that labels were saved in'

/** `unlisted` are visible files that the manifest lacks. */
export async function verifyFolder(directory: string) {
  const files = await listFiles(directory)
  const manifest = await readManifest(directory)
  if (manifest === undefined) {
    throw usageError(
      `${directory} has no ${MANIFEST_NAME}, so there is nothing to compare with.`,
      FOLDER_HINT,
    )
  }
  const labels: (ManifestEntry & { state: LabelState['state']; problem?: string })[] = []
  for (const entry of manifest.labels) labels.push({ ...entry, ...(await check(directory, entry)) })
  const listed = new Set(labels.map(({ path }) => path))
  const folders = new Set(labels.map(({ path }) => dirname(path)))
  folders.delete('.')
  for (const folder of folders) {
    for (const name of await listFiles(join(directory, folder), true)) files.push(posix.join(folder, name))
  }
  return { labels, unlisted: files.filter((name) => name !== MANIFEST_NAME && !listed.has(name)).sort() }
}

async function listFiles(directory: string, isInside = false) {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
  } catch (error) {
    if (isInside && errorCode(error) === 'ENOENT') return []
    throw fileFailure(error, "The labels can't be read", directory, FOLDER_HINT)
  }
}

async function check(directory: string, entry: ManifestEntry): Promise<LabelState> {
  const path = join(directory, entry.path)
  const found = await digestFile(path).catch((error: unknown) => {
    throw fileFailure(error, `The label of ${entry.clientShipmentId} can't be read`, path, FOLDER_HINT)
  })
  if (found === undefined) return { state: 'missing', problem: 'there is no such file' }
  if (found === 'other') return { state: 'changed', problem: 'it is not a file any more' }
  if (found.bytes !== entry.bytes) {
    return { state: 'changed', problem: `${counted(found.bytes, 'byte')} instead of ${entry.bytes}` }
  }
  if (found.sha256 !== entry.sha256) return { state: 'changed', problem: 'other content of the same size' }
  return { state: 'ok' }
}
