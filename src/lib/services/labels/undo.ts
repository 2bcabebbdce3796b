import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { readPlatform } from '../../api/sandbox-mark.ts'
import type { Context } from '../../cli/context.ts'
import {
  AppError,
  causedBy,
  type ErrorDetail,
  errorCode,
  isOfKind,
  quotedWord,
  rewordError,
  usageError,
} from '../../errors.ts'
import { readJsonFile, writeJsonFile } from '../../files/json-file.ts'
import { makeFolders } from '../../files/make-folder.ts'
import { removeStaleFiles } from '../../files/temporary-file.ts'
import {
  labelDifferences,
  type RegisteredLabel,
  registeredFieldsSchema,
  restoringUpdate,
} from '../../labels/request/registered-label.ts'
import { LABEL_SHIPMENT_ID_TYPES } from '../../wire/enumerations.ts'
import { LABEL_PARTS, PART_NAMES, partNames } from './labels.result.ts'
import { type LabelChange, type PresentLabels, presentOfReturn } from './present-labels.ts'

const VERSION = 2
const MAX_FILES = 200

const text = z.string()

const undoSchema = z.object({
  version: z.literal(VERSION),
  profile: text.optional(),
  platform: text,
  shopCode: text.optional(),
  shipmentId: text,
  shipmentIdType: z.enum(LABEL_SHIPMENT_ID_TYPES),
  returnId: text,
  transportId: text,
  /** URLs of the platform are stored without origin. */
  former: z.array(registeredFieldsSchema),
  left: z.array(registeredFieldsSchema),
  unread: z.array(z.enum(LABEL_PARTS)),
})

type LabelUndo = z.infer<typeof undoSchema>
type Update = Omit<LabelUndo, 'version'>

export function undoLine(path: string): string {
  return `rma labels update --undo ${quotedWord(path)}`
}

/** Writes a new file (mode 0600). @throws AppError `config` if it can't be written */
export async function keepUndo(context: Context, undo: Update): Promise<string> {
  const directory = undoDirectory(context)
  const digits = context.timestamp.replace(/[-:]/g, '')
  const name = `${digits.slice(0, 8)}-${digits.slice(9, 15)}-${randomBytes(3).toString('hex')}.json`
  try {
    await makeFolders(directory, 0o700)
    await removeStaleFiles(directory)
    for (const old of (await undoFiles(directory)).slice(MAX_FILES - 1)) await rm(old, { force: true })
  } catch (cause) {
    throw causedBy(
      cause,
      'config',
      `The former values can't be kept in ${directory} (${errorCode(cause)}).`,
      'keep them where you may write: RMA_DATA_DIR=DIR',
    )
  }
  const path = join(directory, name)
  await rewriteUndo(path, context, undo)
  return path
}

/** Newest first. Names begin with UTC time: `20261121-093105-3f9a0c.json`. */
async function undoFiles(directory: string) {
  const files = (await readdir(directory)).filter((name) => /^\d{8}-\d{6}-[0-9a-f]{6}\.json$/.test(name))
  return files
    .sort()
    .reverse()
    .map((name) => join(directory, name))
}

export async function rewriteUndo(path: string, context: Context, undo: Update) {
  const origin = await platformOrigin(context)
  await writeJsonFile(path, {
    version: VERSION,
    ...withUrls(undo, (url) => (url.startsWith(`${origin}/`) ? url.slice(origin.length) : url)),
  })
}

/** Prefers the file's profile and shop if the command names none. */
export async function readUndo(path: string, context: Context): Promise<LabelUndo> {
  const undo = await readJsonFile(path, undoSchema, VERSION).catch((error: unknown) => {
    throw isOfKind(error, 'config') ? rewordError(error, error.message, { kind: 'usage' }) : error
  })
  if (!undo) throw usageError(`${path} can't be read: there is no such file.`)
  context.prefer({ profile: undo.profile, shop: undo.shopCode })
  const { shop } = await context.settings()
  const platform = await platformOf(context)
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
  return withOrigin(undo, context)
}

/** Finds the newest update that left a transport's label as it is now. */
async function findUndo({ returnId, transportId, labels, unread }: PresentLabels, context: Context) {
  const platform = await platformOf(context)
  for (const path of await undoFiles(undoDirectory(context)).catch(() => [])) {
    const undo = await readJsonFile(path, undoSchema, VERSION).catch(() => undefined)
    const isOfTransport = undo?.returnId === returnId && undo.transportId === transportId
    if (!isOfTransport || undo.platform !== platform) continue
    const { left } = await withOrigin(undo, context)
    if (labelDifferences(labels, left, unread).length === 0) return path
  }
  return undefined
}

export async function platformOf(context: Context): Promise<string> {
  return (await readPlatform(await context.connection.http())).platform
}

function undoDirectory({ paths }: Context) {
  return join(paths.dataDir, 'undo')
}

async function platformOrigin(context: Context) {
  return new URL((await context.connection.http()).baseUrl).origin
}

async function withOrigin(undo: LabelUndo, context: Context) {
  const origin = await platformOrigin(context)
  return withUrls(undo, (url) => (url.startsWith('/') ? origin + url : url))
}

function withUrls<T extends Update>(undo: T, change: (url: string) => string): T {
  const changed = ({ url, carrierTrackingUrl, ...label }: RegisteredLabel) => ({
    ...label,
    ...(url && { url: change(url) }),
    ...(carrierTrackingUrl && { carrierTrackingUrl: change(carrierTrackingUrl) }),
  })
  return { ...undo, former: undo.former.map(changed), left: undo.left.map(changed) }
}

export async function undoingChange(undo: LabelUndo, context: Context): Promise<LabelChange> {
  const { shipmentId, shipmentIdType, shopCode, former, left, unread } = undo
  const refused = (why: string, details: ErrorDetail[] = [], hints: string[] = []) =>
    new AppError('usage', `The update of ${shipmentId} is not undone, nothing was sent: ${why}.`, {
      details,
      hints,
    })
  context.progress.start('Reading what the label has now')
  const present = await presentOfReturn(undo.returnId, context)
  if (present?.transportId !== undo.transportId) {
    const now = present ? `${present.transportId} is` : 'none is'
    throw refused(`that was transport ${undo.transportId}, and ${now} active now`)
  }
  const since = labelDifferences(present.labels, left, present.unread)
  if (since.length > 0) {
    const isThere = labelDifferences(present.labels, former, [...present.unread, ...unread]).length === 0
    if (isThere) throw refused('it has its former values already')
    const details = since.map(({ parcel, field, one, other }) => ({
      path: `parcel ${parcel}, ${PART_NAMES[field]}`,
      message: `${one || 'nothing'} now, ${other || 'nothing'} after that update`,
    }))
    const later = await findUndo(present, context)
    const hints = later === undefined ? [] : [`undo the later update first: ${undoLine(later)}`]
    throw refused('its label has changed since', details, hints)
  }
  if (unread.length > 0) {
    await context.warn(`Not put back, since it could not be read then: ${partNames(unread)}`)
  }
  const known = left.map((label) =>
    Object.fromEntries(Object.entries(label).filter(([name]) => !unread.some((part) => part === name))),
  )
  const shippingLabels = restoringUpdate(former, known)
  const body = { ...(shopCode && { shopCode }), shipmentId, shipmentIdType, shippingLabels }
  return { body, present, mayEmpty: [] }
}
