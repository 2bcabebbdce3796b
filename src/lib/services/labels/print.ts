import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { pMapIterable } from 'p-map'
import type { LabelsApi } from '../../api/labels.ts'
import { LOOKUPS } from '../../api/lookups.ts'
import type { ReturnLookup } from '../../api/return-lookup.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import { writeLabel } from '../../files/write-new-file.ts'
import { describeUnknown, type LabelFormat, sniffFormat } from '../../labels/format.ts'
import { checkPrintable, type PrinterAddress, printRaw } from '../../labels/printer.ts'
import { type FetchOptions, newestLabels, readLabel, servedLabels } from '../../labels/served-labels.ts'
import type { PerPage, Sheet } from '../../labels/sheet-layout.ts'
import { type ComposedSheets, composeSheets } from '../../labels/sheets.ts'
import type { PrinterDpi } from '../../labels/zpl-raster.ts'
import { counted } from '../../wire/counted.ts'
import { shipmentLabels } from './shipment-labels.ts'

export interface LoadedLabel {
  /** How people call it: the shipment's id, or the file's name. */
  name: string
  clientShipmentId: string | undefined
  parcel: number
  format: LabelFormat
  bytes: Uint8Array
  carrierTrackingCode: string | null
  source: 'file' | 'base64' | 'url' | 'label-free'
}

export interface PrintedLabel {
  clientShipmentId: string | null
  parcel: number
  path: string | null
  format: LabelFormat
  bytes: number
  sha256: string
  carrierTrackingCode: string | null
  source: LoadedLabel['source']
}

const LOOKS_LIKE_FILE = /\.(?:pdf|zpl|png)$|[/\\]/i

/** Labels out of files and of shipments, in the order asked for; all of them, or nothing. */
export async function loadLabels(
  references: readonly string[],
  context: Pick<Context, 'io' | 'warn'>,
  connection: Pick<Connection, 'labels' | 'lookup' | 'urlFetcher'>,
): Promise<LoadedLabel[]> {
  const loaded: LoadedLabel[] = []
  const problems: { detail: ErrorDetail; error: AppError }[] = []
  const service = onDemand(context, connection)
  const results = pMapIterable(
    references,
    async (reference) => {
      try {
        return (await isFile(reference)) ? [await fromFile(reference)] : await fromService(reference, service)
      } catch (error) {
        if (!(error instanceof AppError) || error.kind === 'interrupted') throw error
        problems.push({ error, detail: { path: reference, message: error.message } })
        return []
      }
    },
    LOOKUPS,
  )
  for await (const labels of results) loaded.push(...labels)
  const [first] = problems
  if (!first) return loaded
  if (references.length === 1) throw first.error
  const kinds = new Set(problems.map(({ error }) => error.kind))
  const kind = kinds.size === 1 ? first.error.kind : 'partial'
  const message = `${problems.length} of ${counted(references.length, 'label')} can't be had; nothing was printed.`
  throw new AppError(kind, message, {
    details: problems.map(({ detail }) => detail),
    hints: [...new Set(problems.flatMap(({ error }) => error.hints))].slice(0, 3),
  })
}

interface Service {
  labels: LabelsApi
  lookup: ReturnLookup
  fetch: FetchOptions
}

/** Files alone need neither token nor network. */
function onDemand(
  context: Pick<Context, 'io' | 'warn'>,
  connection: Pick<Connection, 'labels' | 'lookup' | 'urlFetcher'>,
): () => Promise<Service> {
  let opened: Promise<Service> | undefined
  const open = async () => {
    const [labels, fetcher] = [await connection.labels(), await connection.urlFetcher()]
    const warn = (text: string) => context.warn(text)
    const lookup = await connection.lookup()
    return { labels, lookup, fetch: { fetchUrl: fetcher.fetch, signal: context.io.interrupt, warn } }
  }
  return () => {
    opened ??= open()
    return opened
  }
}

async function isFile(reference: string): Promise<boolean> {
  const found = await stat(reference).catch(() => undefined)
  if (found?.isFile()) return true
  if (!LOOKS_LIKE_FILE.test(reference)) return false
  const what = found ? 'is not a file' : 'does not exist'
  throw new AppError('usage', `The label ${reference} ${what}.`, {
    hints: ['give label files, or ids of shipments'],
  })
}

async function fromFile(path: string): Promise<LoadedLabel> {
  const bytes = await readFile(path)
  const format = sniffFormat(bytes)
  const name = basename(path)
  if (format === undefined) {
    throw new AppError('usage', `${path} is not a PDF, ZPL or PNG label but ${describeUnknown(bytes)}.`)
  }
  return {
    name,
    clientShipmentId: undefined,
    parcel: 1,
    format,
    bytes,
    carrierTrackingCode: null,
    source: 'file',
  }
}

async function fromService(text: string, service: () => Promise<Service>): Promise<LoadedLabel[]> {
  const { labels, lookup, fetch } = await service()
  const found = await shipmentLabels(text, labels, lookup)
  const served = found.flatMap(({ id, sets }) => {
    const newest = newestLabels(sets)
    return newest ? servedLabels(newest, id) : []
  })
  return Promise.all(
    served.map(async (label) => {
      const { clientShipmentId, parcel, parcels, carrierTrackingCode, source } = label
      const name = parcels > 1 ? `${clientShipmentId}, parcel ${parcel}` : clientShipmentId
      return {
        name,
        clientShipmentId,
        parcel,
        carrierTrackingCode,
        source,
        ...(await readLabel(label, fetch)),
      }
    }),
  )
}

export interface SheetFlags {
  sheet: Sheet
  perPage: PerPage
  startAt: number
  dpi: PrinterDpi | undefined
  out: string
  force: boolean
}

/** Puts labels on sheets in one PDF. @returns what JSON says beside the labels */
export async function printOnSheets(
  labels: readonly LoadedLabel[],
  flags: SheetFlags,
  context: Context,
): Promise<{ pages: number; labels: number }> {
  const { sheet, perPage, startAt, dpi, out, force } = flags
  const composed = await context.untilInterrupted(composeSheets(labels, { sheet, perPage, startAt, dpi }))
  for (const remark of composed.remarks) await context.warn(remark)
  if (composed.scaled.length > 0) await context.warn(scaledWarning(composed.scaled))
  if (out === '-') await context.streams.writeBytes(composed.pdf)
  else {
    const signal = context.io.interrupt
    await writeLabel({ what: 'sheet of labels', path: out, content: [composed.pdf], force, signal })
    await context.note(`${counted(composed.labels, 'label')} on ${counted(composed.pages, 'page')} in ${out}`)
  }
  return { pages: composed.pages, labels: composed.labels }
}

const MAX_NAMED = 3

/** All that were made smaller in one sentence: at two or four a page that is most of them. */
function scaledWarning(scaled: ComposedSheets['scaled']): string {
  const percents = scaled.map(({ percent }) => percent)
  const [least, most] = [Math.min(...percents), Math.max(...percents)]
  const size = least === most ? `${least} %` : `${least} to ${most} %`
  const names = [...new Set(scaled.map(({ name }) => name))]
  const more = names.length - MAX_NAMED
  const named = names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const what =
    scaled.length === 1
      ? 'A label is larger than its place'
      : `${scaled.length} labels are larger than their places`
  return `${what}: printed at ${size} (${named})`
}

export async function printOnPrinter(
  labels: readonly LoadedLabel[],
  printer: PrinterAddress,
  context: Context,
): Promise<{ printer: string; isConfirmed: boolean }> {
  for (const { name, format } of labels) checkPrintable(name, format)
  const { timeoutMs } = await context.settings()
  const data = Buffer.concat(labels.map(({ bytes }) => bytes))
  const printed = await printRaw(printer, data, { timeoutMs: timeoutMs.value, signal: context.io.interrupt })
  const name = `${printer.host}:${printer.port}`
  await context.note(`${counted(labels.length, 'label')} sent to ${name}`)
  return { printer: name, isConfirmed: printed.isConfirmed }
}

/** @param path the PDF that they are in; null on a printer */
export function printedLabels(labels: readonly LoadedLabel[], path: string | null): PrintedLabel[] {
  return labels.map(({ clientShipmentId = null, parcel, format, bytes, carrierTrackingCode, source }) => ({
    clientShipmentId,
    parcel,
    path,
    format,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    carrierTrackingCode,
    source,
  }))
}
