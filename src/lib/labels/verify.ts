import { readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { AppError, errorCode } from '../errors.ts'
import { digestFile } from '../files/file-digest.ts'
import { fileFailure } from '../files/file-failure.ts'
import { counted } from '../wire/counted.ts'
import { MANIFEST_NAME, type ManifestEntry, readManifest } from './manifest-file.ts'

export interface VerifiedEntry extends ManifestEntry {
  state: 'ok' | 'missing' | 'changed'
  problem?: string
}

export interface FolderCheck {
  labels: VerifiedEntry[]
  /** Visible files that the manifest does not list, sorted. */
  unlisted: string[]
}

const LABELS_FOLDER = 'give the folder that `rma labels download` or `rma labels create` saved labels in'

/** Compares the files of a folder with its manifest. Throws a usage error if it has none. */
export async function verifyFolder(directory: string): Promise<FolderCheck> {
  const files = await listFiles(directory)
  const manifest = await readManifest(directory)
  if (manifest === undefined) {
    const message = `${directory} has no ${MANIFEST_NAME}, so there is nothing to compare with.`
    throw new AppError('usage', message, {
      hints: [LABELS_FOLDER],
    })
  }
  const labels: VerifiedEntry[] = []
  for (const entry of manifest.labels) labels.push({ ...entry, ...(await check(directory, entry)) })
  const listed = new Set(manifest.labels.map(({ path }) => path))
  const folders = new Set(manifest.labels.map(({ path }) => dirname(path)))
  folders.delete('.')
  for (const folder of folders) {
    for (const name of await listFiles(join(directory, folder), true)) files.push(posix.join(folder, name))
  }
  return {
    labels,
    unlisted: files.filter((name) => name !== MANIFEST_NAME && !listed.has(name)).sort(),
  }
}

async function listFiles(directory: string, isInside = false): Promise<string[]> {
  try {
    const entries = await readdir(directory, { withFileTypes: true })
    return entries
      .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.'))
      .map((entry) => entry.name)
  } catch (error) {
    if (isInside && errorCode(error) === 'ENOENT') return []
    throw fileFailure(error, "The labels can't be read", directory, LABELS_FOLDER)
  }
}

async function check(
  directory: string,
  entry: ManifestEntry,
): Promise<Pick<VerifiedEntry, 'state' | 'problem'>> {
  const path = join(directory, entry.path)
  let found: Awaited<ReturnType<typeof digestFile>>
  try {
    found = await digestFile(path)
  } catch (error) {
    throw fileFailure(error, `The label of ${entry.clientShipmentId} can't be read`, path, LABELS_FOLDER)
  }
  if (found === undefined) return { state: 'missing', problem: 'there is no such file' }
  if (found === 'other') return { state: 'changed', problem: 'it is not a file any more' }
  if (found.bytes !== entry.bytes) {
    return { state: 'changed', problem: `${counted(found.bytes, 'byte')} instead of ${entry.bytes}` }
  }
  if (found.sha256 !== entry.sha256) return { state: 'changed', problem: 'other content of the same size' }
  return { state: 'ok' }
}
