import { AppError, errorCode, rewordError } from '../errors.ts'
import type { LabelSet } from '../wire/labels.ts'
import { Base64Error, decodeBase64 } from './base64.ts'
import { describeUnknown, HEAD_BYTES, type LabelFormat, sniffFormat } from './format.ts'
import type { LabelRecord } from './manifest-file.ts'
import type { LabelPlace } from './safe-names.ts'

/** One document of a label set: a parcel's label, or the code of a label-free one. */
export interface ServedLabel extends LabelPlace, Pick<LabelRecord, 'carrierTrackingCode' | 'source'> {
  /** Words for messages: `label of SHP-1, parcel 2 of 3`. */
  what: string
  content: LabelContent
  /** Format by the answer. */
  saidFormat: string | undefined
}

type LabelContent =
  | { base64: string }
  /** `former` is the base64 of an older set, used if the URL fails. */
  | { url: string; former?: string | undefined }

type SetLabel = LabelSet['shippingLabels'][number]

/** A key that no answer has. */
const FORMER = Symbol('base64 of an older set')

/** Reads a URL of the service without sending the token. Throws beyond `maxBytes`. */
export type FetchUrl = (
  url: string,
  limits: { maxBytes: number; timeoutMs: number; signal?: AbortSignal | undefined },
) => AsyncIterable<Uint8Array>

export interface FetchOptions {
  fetchUrl: FetchUrl
  maxBytes?: number | undefined
  /** Limit for a label behind a URL. Default: 60 s. */
  timeoutMs?: number | undefined
  signal?: AbortSignal | undefined
  /** Called if a label is not what the answer says. */
  warn?: ((text: string) => Promise<void>) | undefined
}

const MAX_BYTES = 256 * 1024 * 1024
/** Limit for labels to print, which are in memory several times. */
const MAX_BYTES_IN_MEMORY = 48 * 1024 * 1024
const TIMEOUT_MS = 60_000

/**
 * Returns the documents of a set, which may break the specification in any way. `clientShipmentId` is for sets without one.
 *
 * @throws AppError `contract` if a parcel has neither a label nor a code
 */
export function servedLabels(set: LabelSet, clientShipmentId: string): ServedLabel[] {
  const id = text(set.clientShipmentId) ?? clientShipmentId
  const parcels = set.shippingLabels.length
  if (parcels === 0) throw noLabel(`of ${id}`)
  const found: ServedLabel[] = []
  for (const [index, label] of set.shippingLabels.entries()) {
    const parcel = index + 1
    const of = parcels > 1 ? `of ${id}, parcel ${parcel} of ${parcels}` : `of ${id}`
    const carrierTrackingCode = text(label?.carrierTrackingCode) ?? null
    const own = contentOf(label)
    const code = contentOf(label?.labelFreeCode)
    if (!(own || code)) throw noLabel(of)
    // Spreading the shared fields would take six times as long.
    if (own) {
      found.push({
        clientShipmentId: id,
        parcel,
        parcels,
        isCode: false,
        carrierTrackingCode,
        what: `label ${of}`,
        source: 'url' in own ? 'url' : 'base64',
        content: own,
        saidFormat: text(label.format),
      })
    }
    if (code) {
      found.push({
        clientShipmentId: id,
        parcel,
        parcels,
        isCode: true,
        carrierTrackingCode,
        what: `label-free code ${of}`,
        source: 'label-free',
        content: code,
        saidFormat: text(label.labelFreeCode?.format),
      })
    }
  }
  return found
}

/** Joins sets, oldest first: the newest files with the newest codes, which may have been registered later. */
export function newestLabels(sets: readonly LabelSet[]): LabelSet | undefined {
  const newest = sets.at(-1)
  if (sets.length === 1) return newest
  const madeAt = sets.findLastIndex(hasFiles)
  const made = sets[madeAt]
  if (!made) return newest
  const shippingLabels = made.shippingLabels.map((label, i) => {
    const older = sets.slice(0, madeAt).map((set) => set.shippingLabels[i])
    const { carrierTrackingCode, carrierTrackingUrl } = newest?.shippingLabels[i] ?? {}
    const codes =
      made !== newest && text(carrierTrackingCode) ? { carrierTrackingCode, carrierTrackingUrl } : {}
    return { ...withFormer(label, older), ...codes }
  })
  return { ...made, shippingLabels }
}

/** Adds older documents with the same code or URL. Others may be of another parcel. */
function withFormer(label: SetLabel, older: readonly (SetLabel | undefined)[]): SetLabel {
  const same = older.filter((one) => one !== undefined && isSameDocument(one, label))
  const code = label.labelFreeCode
  const former = same.map((one) => text(one?.base64)).findLast(Boolean)
  const formerCode = same.map((one) => text(one?.labelFreeCode?.base64)).findLast(Boolean)
  return {
    ...label,
    ...(former === undefined ? {} : { [FORMER]: former }),
    ...(code && formerCode !== undefined ? { labelFreeCode: { ...code, [FORMER]: formerCode } } : {}),
  }
}

function isSameDocument(one: SetLabel, other: SetLabel): boolean {
  const keys = [
    (label: SetLabel) => text(label.carrierTrackingCode),
    (label: SetLabel) => text(label.url),
    (label: SetLabel) => text(label.labelFreeCode?.url),
  ]
  return keys.some((key) => key(one) !== undefined && key(one) === key(other))
}

export function hasFiles({ shippingLabels: labels }: LabelSet): boolean {
  return labels.length > 0 && labels.every((label) => contentOf(label) ?? contentOf(label?.labelFreeCode))
}

/** True if no document is behind a URL. */
export function isWhole({ shippingLabels: labels }: LabelSet): boolean {
  return labels.every((label) =>
    [label, label?.labelFreeCode].every((holder) => !('url' in (contentOf(holder) ?? {}))),
  )
}

function noLabel(of: string): AppError {
  const message = `The service sent no label ${of}: no base64, no URL and no label-free code.`
  return new AppError('contract', message, {
    hints: ['the same again in a minute: the carrier may not have made it yet'],
  })
}

/** Prefers base64, which needs no second request. */
function contentOf(
  holder: { base64?: unknown; url?: unknown; [FORMER]?: string } | null | undefined,
): LabelContent | undefined {
  const base64 = text(holder?.base64)
  if (base64 !== undefined) return { base64 }
  const url = text(holder?.url)
  return url === undefined ? undefined : { url, former: holder?.[FORMER] }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export interface OpenLabel {
  format: LabelFormat
  source: LabelRecord['source']
  /** Whole content, to be read once. */
  content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** Opens a label and finds its format. @throws AppError `contract` naming the label, at once or while it is read */
export async function openLabel(label: ServedLabel, options: FetchOptions): Promise<OpenLabel> {
  const { what, content } = label
  if (!('url' in content) || content.former === undefined) return openContent(label, options)
  try {
    return await openContent(label, options)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted') throw error
    await options.warn?.(`${error.message} The ${what} that was there before is taken`)
    const source = label.source === 'url' ? 'base64' : label.source
    return openContent({ ...label, source, content: { base64: content.former } }, options)
  }
}

async function openContent(label: ServedLabel, options: FetchOptions): Promise<OpenLabel> {
  const { content } = label
  const source = 'url' in content ? download(label, content.url, options) : decode(label, content.base64)
  const beginning: Uint8Array[] = []
  for (let bytes = 0; bytes < HEAD_BYTES; ) {
    const { done, value } = await source.next()
    if (done) break
    beginning.push(value)
    bytes += value.length
  }
  const head = Buffer.concat(beginning)
  const format = sniffFormat(head)
  if (format === undefined) {
    await source.return(undefined)
    const message = `The ${label.what} is not a PDF, ZPL or PNG but ${describeUnknown(head)}.`
    throw new AppError('contract', message, {
      hints: ['the same again later (nothing was saved), or ask the carrier for the label'],
    })
  }
  const { what, saidFormat } = label
  if (saidFormat !== undefined && saidFormat.toUpperCase() !== format) {
    await options.warn?.(
      `The ${what} is said to be ${saidFormat}, but is ${format}: it is taken for ${format}`,
    )
  }
  return { format, source: label.source, content: joined(beginning, source) }
}

export async function readLabel(
  label: ServedLabel,
  options: FetchOptions,
): Promise<{ format: LabelFormat; source: LabelRecord['source']; bytes: Uint8Array }> {
  const { format, source, content } = await openLabel(label, { maxBytes: MAX_BYTES_IN_MEMORY, ...options })
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return { format, source, bytes: Buffer.concat(chunks) }
}

function joined(
  beginning: readonly Uint8Array[],
  rest: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): OpenLabel['content'] {
  if (Symbol.asyncIterator in rest) {
    return (async function* () {
      yield* beginning
      yield* rest
    })()
  }
  return (function* () {
    yield* beginning
    yield* rest
  })()
}

function* decode({ what }: ServedLabel, base64: string): Generator<Uint8Array, void, undefined> {
  try {
    yield* decodeBase64(base64)
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error
    throw new AppError('contract', `The ${what} can't be decoded: ${error.message} of its base64.`, {
      cause: error,
      hints: ['ask for it again; if it stays like that, it was made like that'],
    })
  }
}

async function* download({ what }: ServedLabel, url: string, options: FetchOptions) {
  try {
    yield* fetched(url, options)
  } catch (error) {
    if (options.signal?.aborted) throw new AppError('interrupted', `Interrupted: the ${what} is not saved.`)
    if (!(error instanceof AppError)) {
      if (errorCode(error) === undefined) throw error
      throw new AppError('unavailable', `The ${what} can't be fetched (${errorCode(error)}).`, {
        cause: error,
      })
    }
    throw rewordError(error, `The ${what} can't be fetched: ${error.message}`)
  }
}

async function* fetched(url: string, options: FetchOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const { fetchUrl, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS, signal } = options
  // Other URLs could read files of this machine.
  if (!/^https?:\/\//i.test(url)) throw new AppError('contract', 'its URL is not an https:// address.')
  let bytes = 0
  for await (const chunk of fetchUrl(url, { maxBytes, timeoutMs, signal })) {
    bytes += chunk.length
    // `fetchUrl` should have stopped before.
    if (bytes > maxBytes) throw new AppError('contract', `it is larger than ${maxBytes / 2 ** 20} MiB.`)
    yield chunk
  }
}
