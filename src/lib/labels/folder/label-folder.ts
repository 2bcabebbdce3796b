import { access, constants } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { AppError, usageError } from '../../errors.ts'
import { digestFile } from '../../files/file-digest.ts'
import { fileFailure } from '../../files/file-failure.ts'
import { withLock } from '../../files/lock.ts'
import { isFolderThere, makeFolders } from '../../files/make-folder.ts'
import { removeStaleFiles } from '../../files/temporary-file.ts'
import { grouped } from '../../wire/raw.ts'
import type { LabelFormat } from './label-bytes.ts'
import {
  type LabelRecord,
  labelRecordSchema,
  MANIFEST_NAME,
  type ManifestEntry,
  mergeIntoManifest,
  readManifest,
} from './manifest.ts'
import { hashedStem, type LabelKey, labelFileName, returnStem, shipmentStem, stemOfFile } from './names.ts'

/** Waits long, as a large manifest takes seconds to write. */
const LIST_LOCK = { what: 'The list of labels', kind: 'config', waitMs: 60_000 } as const
const WRITE_EVERY_MS = 1000
const PAUSE_FACTOR = 20

interface LabelFolderOptions {
  now: () => number
  /** Returns the platform and the shops of labels, separated by spaces. */
  originOf?: (shop?: string | null) => string | undefined
  names?: ReadonlyMap<string, string>
}

export type LabelFolder = Awaited<ReturnType<typeof openLabelFolder>>

/** Files that a killed process left unlisted are recognized when saved again. */
export async function openLabelFolder(
  directory: string,
  { now, originOf = () => undefined, names = new Map() }: LabelFolderOptions,
) {
  const prepared = new Map<string, Promise<void>>()
  const prepare = (folder: string) => {
    const known = prepared.get(folder) ?? prepareFolder(folder, now())
    prepared.set(folder, known)
    return known
  }
  if (await isFolderThere(directory).catch(failing(NOT_MADE, directory))) {
    await prepare(directory)
    await access(directory, constants.W_OK).catch(failing("Labels can't be saved", directory))
  }
  const { labels = [] } = (await readManifest(directory)) ?? {}
  const byShipment = grouped(labels, ({ clientShipmentId }) => clientShipmentId)
  const stems = new Stems(names)
  for (const [id, [entry]] of byShipment) if (entry) stems.keep(id, stemOfFile(entry.path))
  stems.refuseTaken(directory)
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
      pending = [...entries, ...pending]
      throw fileFailure(error, "The list of saved labels can't be written", join(directory, MANIFEST_NAME))
    } finally {
      nextWriteAt = now() + Math.max(WRITE_EVERY_MS, PAUSE_FACTOR * (now() - startedAt))
    }
  }

  const ofOrigin = (origin: string | undefined) => ({
    /**
     * Returns a path beside the shipment's other labels, else by its wanted name, else by its return.
     * @throws AppError `usage` if another shop's shipment of this id has its labels elsewhere in the folder
     */
    pathOf(key: LabelKey, format: LabelFormat) {
      const { clientShipmentId: id } = key
      const path = join(directory, labelFileName(stems.of(id), key, format))
      const others = byShipment.get(id)?.filter((entry) => areSurelyApart(entry.origin, origin)) ?? []
      // The manifest keeps one shop's labels per id. Writing to an equal path compares contents.
      if (others.length === 0 || others.some((entry) => join(directory, entry.path) === path)) return path
      throw usageError(
        `${directory} lists ${id} as a shipment of another shop or platform: no label of this one is saved there.`,
        'choose another place with --out',
      )
    },
    prepare: (path: string) => prepare(dirname(path)),
    listed: (clientShipmentId: string) =>
      byShipment.get(clientShipmentId)?.map(({ path }) => join(directory, path)) ?? [],
    async verified(clientShipmentId: string) {
      const entries = byShipment.get(clientShipmentId)
      if (entries === undefined) return undefined
      const records: LabelRecord[] = []
      for (const entry of entries) {
        if (entry.origin !== undefined && entry.origin !== origin) return undefined
        const path = join(directory, entry.path)
        // The caller saves unreadable files again, which reports why.
        const digest = await digestFile(path).catch(() => undefined)
        if (digest === 'other' || digest?.sha256 !== entry.sha256) return undefined
        records.push({ ...labelRecordSchema.parse(entry), path })
      }
      return records
    },
    async add(labels: readonly LabelRecord[], carrierCode?: string) {
      const savedAt = new Date(now()).toISOString()
      for (const label of labels) {
        const path = relative(directory, label.path).split(sep).join('/')
        pending.push({ ...labelRecordSchema.parse({ ...label, path }), carrierCode, origin, savedAt })
      }
      if (writing || now() < nextWriteAt) return
      writing = write().finally(() => {
        writing = undefined
      })
      await writing
    },
  })

  return {
    ...ofOrigin(originOf()),
    /** Returns the methods for one shop's labels. */
    ofShop: (shop: string | null | undefined) => ofOrigin(originOf(shop)),
    async close() {
      await writing?.catch(() => undefined)
      if (pending.length > 0) await write()
    },
  }
}

/** False if in doubt: a token for several shops may have saved a label of this one. */
function areSurelyApart(one: string | undefined, other: string | undefined) {
  if (one === undefined || other === undefined) return false
  const [platform, ...shops] = one.split(' ')
  const [otherPlatform, ...others] = other.split(' ')
  const areKnown = shops.length > 0 && others.length > 0
  return platform !== otherPlatform || (areKnown && !shops.some((shop) => others.includes(shop)))
}

const NOT_MADE = "The folder for labels can't be made"

function failing(doing: string, folder: string): (error: unknown) => never {
  return (error) => {
    throw fileFailure(error, doing, folder)
  }
}

async function prepareFolder(folder: string, nowMs: number) {
  await makeFolders(folder).catch(failing(NOT_MADE, folder))
  await removeStaleFiles(folder, nowMs).catch(failing("The folder for labels can't be read", folder))
}

/** File names without parcel and extension. None differ only in case, which some disks ignore. */
class Stems {
  readonly #stems = new Map<string, string>()
  readonly #owners = new Map<string, string>()

  constructor(private readonly given: ReadonlyMap<string, string>) {}

  keep(id: string, stem: string): string {
    this.#stems.set(id, stem)
    this.#owners.set(stem.toLowerCase(), id)
    return stem
  }

  of(id: string): string {
    const wished = [this.given.get(id) ?? returnStem(id), shipmentStem(id)]
    const free = wished.find((stem) => !this.#owners.has(stem.toLowerCase()))
    return this.#stems.get(id) ?? this.keep(id, free ?? hashedStem(id))
  }

  refuseTaken(directory: string) {
    const taken = [...this.given].flatMap(([id, stem]) => {
      const owner = this.#stems.has(id) ? undefined : this.#owners.get(stem.toLowerCase())
      return owner === undefined ? [] : [{ path: id, message: `${stem} is the label of ${owner}` }]
    })
    if (taken.length === 0) return
    throw new AppError('usage', `${directory} has other labels of these names; nothing was sent.`, {
      details: taken,
      hints: ['another --name, or another folder: --out FOLDER'],
    })
  }
}
