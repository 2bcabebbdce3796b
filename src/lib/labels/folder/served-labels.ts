import { AppError, appError, causedBy, rewordError, systemCode } from '../../errors.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import type { LabelSet } from '../../wire/labels.ts'
import {
  Base64Error,
  decodeBase64,
  describeUnknown,
  HEAD_BYTES,
  type LabelFormat,
  sniffFormat,
} from './label-bytes.ts'
import type { LabelFolder } from './label-folder.ts'
import type { LabelRecord } from './manifest.ts'
import type { LabelKey } from './names.ts'

interface ServedLabel extends LabelKey, Pick<LabelRecord, 'carrierTrackingCode' | 'source'> {
  /** `label of SHP-1, parcel 2 of 3` */
  what: string
  content: LabelContent
  statedFormat: string | undefined
}

type LabelContent = { base64: string } | { url: string }

export function servedLabels(set: LabelSet, clientShipmentId: string): ServedLabel[] {
  const parcels = set.shippingLabels.length
  if (parcels === 0) throw noLabel(`of ${clientShipmentId}`)
  return set.shippingLabels.flatMap((label, index) => {
    const parcel = index + 1
    const of = `of ${clientShipmentId}${parcels > 1 ? `, parcel ${parcel} of ${parcels}` : ''}`
    const carrierTrackingCode = textIn(label?.carrierTrackingCode) ?? null
    const [own, code] = [contentOf(label), contentOf(label?.labelFreeCode)]
    if (!(own || code)) throw noLabel(of)
    const shared = { clientShipmentId, parcel, parcels, carrierTrackingCode }
    const found: ServedLabel[] = []
    if (own) {
      const source = 'url' in own ? 'url' : 'base64'
      const statedFormat = textIn(label.format)
      found.push({ ...shared, isCode: false, what: `label ${of}`, source, content: own, statedFormat })
    }
    if (code) {
      const statedFormat = textIn(label.labelFreeCode?.format)
      const what = `label-free code ${of}`
      found.push({ ...shared, isCode: true, what, source: 'label-free', content: code, statedFormat })
    }
    return found
  })
}

/** Returns the newest set with files, with the newest tracking codes. Sets come oldest first. */
export function newestLabels(sets: readonly LabelSet[]): LabelSet | undefined {
  const newest = sets.at(-1)
  const made = sets.findLast(hasFiles)
  if (!made || made === newest) return newest
  const shippingLabels = made.shippingLabels.map((label, i) => {
    const { carrierTrackingCode, carrierTrackingUrl } = newest?.shippingLabels[i] ?? {}
    return { ...label, ...(textIn(carrierTrackingCode) && { carrierTrackingCode, carrierTrackingUrl }) }
  })
  return { ...made, shippingLabels }
}

export function hasFiles({ shippingLabels: labels }: LabelSet) {
  return labels.length > 0 && labels.every((label) => contentOf(label) ?? contentOf(label?.labelFreeCode))
}

export function isInline({ shippingLabels: labels }: LabelSet) {
  const holders = labels.flatMap((label) => [label, label?.labelFreeCode])
  return !holders.some((holder) => 'url' in (contentOf(holder) ?? {}))
}

function noLabel(of: string) {
  return appError(
    'contract',
    `The service sent no label ${of}: no base64, no URL and no label-free code.`,
    'the same again in a minute: the carrier may not have made it yet',
  )
}

function contentOf(holder: { base64?: unknown; url?: unknown } | null | undefined): LabelContent | undefined {
  const base64 = textIn(holder?.base64)
  if (base64 !== undefined) return { base64 }
  const url = textIn(holder?.url)
  return url === undefined ? undefined : { url }
}

function textIn(value: unknown) {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

type FetchUrl = (
  url: string,
  limits: { maxBytes: number; timeoutMs: number; signal?: AbortSignal },
) => AsyncIterable<Uint8Array>

export interface FetchOptions {
  fetchUrl: FetchUrl
  maxBytes?: number
  timeoutMs?: number
  signal?: AbortSignal
  warn?: (text: string) => Promise<void>
}

const MAX_BYTES = 256 * 1024 * 1024
/** Lower limit for printing, which holds several copies in memory. */
const MAX_BYTES_IN_MEMORY = 48 * 1024 * 1024

async function openLabel(label: ServedLabel, options: FetchOptions) {
  const { what, statedFormat } = label
  const chunks = chunksOf(label, options)
  const beginning: Uint8Array[] = []
  for (let bytes = 0; bytes < HEAD_BYTES; ) {
    const { done, value } = await chunks.next()
    if (done) break
    beginning.push(value)
    bytes += value.length
  }
  const head = Buffer.concat(beginning)
  const format = sniffFormat(head)
  if (format === undefined) {
    await chunks.return(undefined)
    throw appError(
      'contract',
      `The ${what} is not a PDF, ZPL or PNG but ${describeUnknown(head)}.`,
      'the same again later (nothing was saved), or ask the carrier for the label',
    )
  }
  if (statedFormat !== undefined && statedFormat.toUpperCase() !== format) {
    await options.warn?.(
      `The ${what} is said to be ${statedFormat}, but is ${format}: it is taken for ${format}`,
    )
  }
  return { format, content: joined(head, chunks) }
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>) {
  yield head
  yield* rest
}

export async function readLabel(label: ServedLabel, options: FetchOptions) {
  const { content, ...read } = await openLabel(label, { maxBytes: MAX_BYTES_IN_MEMORY, ...options })
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return { ...read, bytes: Buffer.concat(chunks) }
}

async function* chunksOf(
  { what, content }: ServedLabel,
  { fetchUrl, maxBytes = MAX_BYTES, timeoutMs = 60_000, signal }: FetchOptions,
): AsyncGenerator<Uint8Array> {
  try {
    if ('base64' in content) return yield decodeBase64(content.base64)
    // Other schemes could read local files.
    if (!/^https?:\/\//i.test(content.url)) {
      throw new AppError('contract', 'its URL is not an https:// address.')
    }
    yield* fetchUrl(content.url, { maxBytes, timeoutMs, signal })
  } catch (cause) {
    if (cause instanceof Base64Error) {
      throw new AppError('contract', `The ${what} can't be decoded: ${cause.message} of its base64.`, {
        cause,
        hints: ['ask for it again; if it stays like that, it was made like that'],
      })
    }
    if (signal?.aborted) throw new AppError('interrupted', `Interrupted: the ${what} is not saved.`)
    if (cause instanceof AppError) throw rewordError(cause, `The ${what} can't be fetched: ${cause.message}`)
    const code = systemCode(cause)
    throw causedBy(cause, 'unavailable', `The ${what} can't be fetched (${code}).`)
  }
}

export interface SaveTarget extends Partial<Pick<LabelFolder, 'prepare' | 'add'>> {
  /** @param document position among the shipment's documents, from 1 */
  pathOf(label: ServedLabel, format: LabelFormat, document: { number: number; of: number }): string
}

interface SaveOptions extends FetchOptions {
  folder: SaveTarget
  force?: boolean
}

export interface SavedLabel extends LabelRecord {
  outcome: 'saved' | 'unchanged'
}

/** Keeps labels saved before an error; the next run recognizes them. */
export async function saveLabels(
  set: LabelSet,
  shipment: string,
  options: SaveOptions,
): Promise<SavedLabel[]> {
  const { folder, force, signal } = options
  const saved: SavedLabel[] = []
  const served = servedLabels(set, shipment)
  for (const [index, label] of served.entries()) {
    const { format, content } = await openLabel(label, options)
    const { what, clientShipmentId, parcel, carrierTrackingCode, source } = label
    const path = folder.pathOf(label, format, { number: index + 1, of: served.length })
    await folder.prepare?.(path)
    // Writing the manifest syncs the folder.
    const skipFolderSync = folder.add !== undefined
    const written = await writeNewFile({ what, path, content, force, signal, skipFolderSync })
    const { bytes, sha256, unchanged } = written
    const outcome = unchanged ? 'unchanged' : 'saved'
    const record = { clientShipmentId, parcel, path, format, bytes, sha256, carrierTrackingCode, source }
    saved.push({ ...record, outcome })
  }
  await folder.add?.(saved, set.carrierCode ?? undefined)
  return saved
}
