import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { platformName, readSandboxMark } from '../../api/sandbox-mark.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, errorCode } from '../../errors.ts'
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts'
import { makeFolders } from '../../files/make-folder.ts'
import { removeStaleFiles } from '../../files/temporary-file.ts'
import {
  LABEL_FIELDS,
  labelDifferences,
  type RegisteredLabel,
} from '../../labels/request/registered-label.ts'
import { quotedWord } from '../../output/visible.ts'
import { LABEL_SHIPMENT_ID_TYPES } from '../../wire/enumerations.ts'
import type { PresentLabels } from './present-values.ts'

const VERSION = 2
/** Files that are kept: the newest. */
const MAX_FILES = 200
/** Sorts by time: `20261121-093105-3f9a0c.json`, in UTC. */
const FILE = /^\d{8}-\d{6}-[0-9a-f]{6}\.json$/

const labelsSchema = z.array(
  z.object({
    carrierTrackingCode: z.string().optional(),
    additionalTrackingCodes: z.array(z.string()).optional(),
    carrierTrackingUrl: z.string().optional(),
    format: z.string().optional(),
    url: z.string().optional(),
  }),
)

const undoSchema = z.object({
  version: z.literal(VERSION),
  profile: z.string().optional(),
  platform: z.string(),
  shopCode: z.string().optional(),
  shipmentId: z.string(),
  shipmentIdType: z.enum(LABEL_SHIPMENT_ID_TYPES),
  returnId: z.string(),
  transportId: z.string(),
  /** Labels before the update, by parcel. URLs of the platform lack its origin. */
  former: labelsSchema,
  /** Labels after the update. */
  left: labelsSchema,
  /** Parts that could not be read before the update. */
  unread: z.array(z.enum([...LABEL_FIELDS, 'otherParcels'])),
})

/** How an update of labels is undone. */
export type LabelUndo = z.infer<typeof undoSchema>

/** The command that undoes the update of a file. */
export function undoLine(path: string): string {
  return `rma labels update --undo ${quotedWord(path)}`
}

/**
 * Writes a new file (mode 0600) into the data directory, and removes the oldest beyond the 200 newest.
 *
 * @throws AppError `unavailable` if it can't be written
 */
export async function keepUndo(
  { io, paths }: Pick<Context, 'io' | 'paths'>,
  connection: Pick<Connection, 'http'>,
  undo: Omit<LabelUndo, 'version'>,
): Promise<string> {
  const directory = undoDirectory(paths)
  const digits = new Date(io.now()).toISOString().replace(/[-:]/g, '')
  const name = `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(3).toString('hex')}.json`
  const path = join(directory, name)
  try {
    await makeFolders(directory, 0o700)
    await removeStaleFiles(directory)
    const files = (await readdir(directory)).filter((one) => FILE.test(one)).sort()
    for (const old of files.slice(0, Math.max(0, files.length + 1 - MAX_FILES))) {
      await rm(join(directory, old), { force: true })
    }
  } catch (cause) {
    const message = `The former values can't be kept in ${directory} (${errorCode(cause)}).`
    throw new AppError('unavailable', message, { hints: ['or keep them elsewhere: RMA_DATA_DIR'], cause })
  }
  await rewriteUndo(path, connection, undo)
  return path
}

export async function rewriteUndo(
  path: string,
  connection: Pick<Connection, 'http'>,
  undo: Omit<LabelUndo, 'version'>,
): Promise<void> {
  const origin = await platformOrigin(connection)
  const relative = (url: string) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)
  await writeJsonFile(path, { version: VERSION, ...withUrls(undo, relative) })
}

/**
 * The undo in a file, for the platform that the command works on, which is that of the file if nothing else names one.
 *
 * @throws AppError `usage` if there is no such file, or it is about another platform
 */
export async function readUndo(
  path: string,
  context: Pick<Context, 'prefer' | 'settings'>,
  connection: Pick<Connection, 'http'>,
): Promise<LabelUndo> {
  const undo = await readJsonFile(path, undoSchema, VERSION)
  if (!undo) throw new AppError('usage', `${path} can't be read: there is no such file.`)
  context.prefer({ profile: undo.profile, shop: undo.shopCode })
  const { shop } = await context.settings()
  const platform = await platformOf(connection)
  if (platform !== undo.platform || (shop && undo.shopCode && shop.value !== undo.shopCode)) {
    throw new AppError('usage', 'That update was sent to another platform or shop; nothing was sent.', {
      details: [
        { message: `sent to ${undo.platform}, shop ${undo.shopCode ?? 'not named'}` },
        { message: `this is ${platform}, shop ${shop?.value ?? 'not named'}` },
      ],
      hints: [
        'name the same with --profile, --base-url and --shop',
        ...(undo.platform.startsWith('sandbox ') ? ['a sandbox that was reset is another one'] : []),
      ],
    })
  }
  return withOrigin(undo, await platformOrigin(connection))
}

/** The file of the update that left a transport as it is: the newest of those that are kept. */
export async function findUndo(
  { returnId, transportId, labels, unread }: PresentLabels,
  paths: Context['paths'],
  connection: Pick<Connection, 'http'>,
): Promise<string | undefined> {
  const platform = await platformOf(connection)
  const origin = await platformOrigin(connection)
  const files = (await readdir(undoDirectory(paths)).catch(() => [])).filter((one) => FILE.test(one))
  for (const file of files.sort().reverse()) {
    const path = join(undoDirectory(paths), file)
    // One that can't be read is of no use to undo anything.
    const undo = await readJsonFile(path, undoSchema, VERSION).catch(() => undefined)
    const isOfTransport = undo?.returnId === returnId && undo.transportId === transportId
    if (!isOfTransport || undo.platform !== platform) continue
    if (labelDifferences(labels, withOrigin(undo, origin).left, unread).length === 0) return path
  }
  return undefined
}

/** The name of the platform that the command works on. */
export async function platformOf(connection: Pick<Connection, 'http'>): Promise<string> {
  const http = await connection.http()
  return platformName(http, await readSandboxMark(http))
}

function undoDirectory({ dataDir }: Context['paths']): string {
  return join(dataDir, 'undo')
}

async function platformOrigin(connection: Pick<Connection, 'http'>): Promise<string> {
  return new URL((await connection.http()).baseUrl).origin
}

function withOrigin(undo: LabelUndo, origin: string): LabelUndo {
  return withUrls(undo, (url) => (url.startsWith('/') ? origin + url : url))
}

function withUrls<T extends Pick<LabelUndo, 'former' | 'left'>>(undo: T, change: (url: string) => string): T {
  const changed = (labels: readonly RegisteredLabel[]) =>
    labels.map((label) => ({
      ...label,
      ...(label.url && { url: change(label.url) }),
      ...(label.carrierTrackingUrl && { carrierTrackingUrl: change(label.carrierTrackingUrl) }),
    }))
  return { ...undo, former: changed(undo.former), left: changed(undo.left) }
}
