import { AppError, errorCode, rewordError } from '../../errors.ts'
import { writeLabel } from '../../files/write-new-file.ts'
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
import { type ServedLabel, servedLabels } from './served-labels.ts'

/** Reads a URL of the service without sending the token. Throws beyond `maxBytes`. */
export type FetchUrl = (
  url: string,
  limits: { maxBytes: number; timeoutMs: number; signal?: AbortSignal | undefined },
) => AsyncIterable<Uint8Array>

export interface FetchOptions {
  fetchUrl: FetchUrl
  maxBytes?: number
  /** Limit for a label behind a URL. Default: 60 s. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** Called if a label is not what the answer says. */
  warn?: (text: string) => Promise<void>
}

const MAX_BYTES = 256 * 1024 * 1024
/** Limit for labels to print, which are in memory several times. */
const MAX_BYTES_IN_MEMORY = 48 * 1024 * 1024

interface OpenLabel {
  format: LabelFormat
  source: LabelRecord['source']
  /** Whole content, to be read once. */
  content: AsyncIterable<Uint8Array>
}

/** Opens a label and finds its format. @throws AppError `contract` naming the label, at once or while it is read */
async function openLabel(label: ServedLabel, options: FetchOptions): Promise<OpenLabel> {
  const { what, content } = label
  try {
    return await openContent(label, options)
  } catch (error) {
    const former = 'url' in content ? content.former : undefined
    if (!(error instanceof AppError) || error.kind === 'interrupted' || former === undefined) throw error
    await options.warn?.(`${error.message} The ${what} that was there before is taken`)
    const source = label.source === 'url' ? 'base64' : label.source
    return openContent({ ...label, source, content: { base64: former } }, options)
  }
}

async function openContent(label: ServedLabel, options: FetchOptions): Promise<OpenLabel> {
  const { what, saidFormat, source } = label
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
    throw new AppError('contract', `The ${what} is not a PDF, ZPL or PNG but ${describeUnknown(head)}.`, {
      hints: ['the same again later (nothing was saved), or ask the carrier for the label'],
    })
  }
  if (saidFormat !== undefined && saidFormat.toUpperCase() !== format) {
    await options.warn?.(
      `The ${what} is said to be ${saidFormat}, but is ${format}: it is taken for ${format}`,
    )
  }
  return { format, source, content: joined(head, chunks) }
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
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if ('base64' in content) return yield decodeBase64(content.base64)
    // Other URLs could read files of this machine.
    if (!/^https?:\/\//i.test(content.url)) {
      throw new AppError('contract', 'its URL is not an https:// address.')
    }
    let bytes = 0
    for await (const chunk of fetchUrl(content.url, { maxBytes, timeoutMs, signal })) {
      bytes += chunk.length
      // `fetchUrl` should have stopped before.
      if (bytes > maxBytes) throw new AppError('contract', `it is larger than ${maxBytes / 2 ** 20} MiB.`)
      yield chunk
    }
  } catch (cause) {
    if (cause instanceof Base64Error) {
      throw new AppError('contract', `The ${what} can't be decoded: ${cause.message} of its base64.`, {
        cause,
        hints: ['ask for it again; if it stays like that, it was made like that'],
      })
    }
    if (signal?.aborted) throw new AppError('interrupted', `Interrupted: the ${what} is not saved.`)
    if (cause instanceof AppError) throw rewordError(cause, `The ${what} can't be fetched: ${cause.message}`)
    const code = errorCode(cause)
    if (code === undefined) throw cause
    throw new AppError('unavailable', `The ${what} can't be fetched (${code}).`, { cause })
  }
}

/** A folder, or the place of a single file. */
export interface SavePlace extends Partial<Pick<LabelFolder, 'prepare' | 'add'>> {
  /** @param document its number among those of the shipment, from 1 */
  pathOf(label: ServedLabel, format: LabelFormat, document: { number: number; of: number }): string
}

export interface SaveOptions extends FetchOptions {
  folder: SavePlace
  /** True if files with other content are replaced. */
  force?: boolean | undefined
}

export interface SavedLabel extends LabelRecord {
  /** `unchanged` if the file had the same bytes before. */
  outcome: 'saved' | 'unchanged'
}

/**
 * Saves every document of a label set.
 *
 * @param shipment id for sets without one
 * @throws AppError naming the label. Labels saved before it stay and are found again.
 */
export async function saveLabels(
  set: LabelSet,
  shipment: string,
  options: SaveOptions,
): Promise<SavedLabel[]> {
  const { folder, force, signal } = options
  const saved: SavedLabel[] = []
  const served = servedLabels(set, shipment)
  for (const [index, label] of served.entries()) {
    const { format, source, content } = await openLabel(label, options)
    const { what, clientShipmentId, parcel, carrierTrackingCode } = label
    const path = folder.pathOf(label, format, { number: index + 1, of: served.length })
    await folder.prepare?.(path)
    // Writing the manifest syncs the folder.
    const skipFolderSync = folder.add !== undefined
    const written = await writeLabel({ what, path, content, force, signal, skipFolderSync })
    const { bytes, sha256, unchanged } = written
    const outcome = unchanged ? 'unchanged' : 'saved'
    const record = { clientShipmentId, parcel, path, format, bytes, sha256, carrierTrackingCode, source }
    saved.push({ ...record, outcome })
  }
  await folder.add?.(saved, set.carrierCode ?? undefined)
  return saved
}
