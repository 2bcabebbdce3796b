import { join, relative } from 'node:path'
import { digestFile } from '../files/file-digest.ts'
import { fileFailure } from '../files/file-failure.ts'
import { withLock } from '../files/lock.ts'
import { removeStaleFiles } from '../files/temporary-file.ts'
import {
  type LabelRecord,
  MANIFEST_NAME,
  type ManifestEntry,
  makeFolder,
  mergeIntoManifest,
  readManifest,
} from './manifest-file.ts'

export interface LabelFolderOptions {
  /** Ms since the epoch. */
  now: () => number
}

/** Labels and `manifest.json` of a folder, for one run. */
export interface LabelFolder {
  readonly directory: string
  /** A shipment's entries when the folder was opened, if each file is unchanged. */
  verified(clientShipmentId: string): Promise<LabelRecord[] | undefined>
  /** All labels of a shipment together; on the disk within about a second, and on `close`. */
  add(labels: readonly LabelRecord[]): Promise<void>
  close(): Promise<void>
}

/** Large lists take seconds to write, each process in turn. */
const LIST_LOCK = { what: 'The list of labels', kind: 'config', waitMs: 60_000 } as const
const WRITE_EVERY_MS = 1000
/** At most a twentieth of the time goes into the manifest. */
const PAUSE_FACTOR = 20

/** What a killed process left unlisted is found again when saved. @throws AppError `config` for a broken manifest */
export async function openLabelFolder(directory: string, { now }: LabelFolderOptions): Promise<LabelFolder> {
  await makeFolder(directory)
  try {
    await removeStaleFiles(directory, now())
  } catch (error) {
    throw fileFailure(error, "The folder for labels can't be read", directory)
  }
  const byShipment = new Map<string, ManifestEntry[]>()
  for (const entry of (await readManifest(directory))?.labels ?? []) {
    const entries = byShipment.get(entry.clientShipmentId)
    if (entries) entries.push(entry)
    else byShipment.set(entry.clientShipmentId, [entry])
  }
  let pending: ManifestEntry[] = []
  let writing: Promise<void> | undefined
  let nextWriteAt = now() + WRITE_EVERY_MS

  async function write(): Promise<void> {
    const entries = pending
    pending = []
    const startedAt = now()
    try {
      await withLock(join(directory, `.${MANIFEST_NAME}.lock`), LIST_LOCK, () =>
        mergeIntoManifest(directory, entries),
      )
    } catch (error) {
      // `close` tries again, and reports a failure.
      pending = [...entries, ...pending]
      throw fileFailure(error, "The list of saved labels can't be written", join(directory, MANIFEST_NAME))
    } finally {
      nextWriteAt = now() + Math.max(WRITE_EVERY_MS, PAUSE_FACTOR * (now() - startedAt))
    }
  }

  return {
    directory,
    async verified(clientShipmentId) {
      const entries = byShipment.get(clientShipmentId)
      if (entries === undefined) return undefined
      const records: LabelRecord[] = []
      for (const entry of entries) {
        const { clientShipmentId, parcel, format, bytes, sha256, carrierTrackingCode, source } = entry
        const path = join(directory, entry.path)
        // Unreadable: saved again, which reports why.
        const digest = await digestFile(path).catch(() => undefined)
        if (digest === 'other' || digest?.sha256 !== sha256) return undefined
        records.push({ clientShipmentId, parcel, path, format, bytes, sha256, carrierTrackingCode, source })
      }
      return records
    },
    async add(labels) {
      const savedAt = new Date(now()).toISOString()
      for (const label of labels) pending.push({ ...label, path: relative(directory, label.path), savedAt })
      if (writing || now() < nextWriteAt) return
      writing = write().finally(() => {
        writing = undefined
      })
      await writing
    },
    async close() {
      // Its failure was reported to who waited for it.
      await writing?.catch(() => undefined)
      if (pending.length > 0) await write()
    },
  }
}
