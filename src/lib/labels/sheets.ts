import type { PDFDocument, PDFEmbeddedPage, PDFPage, PDFRef } from '@cantoo/pdf-lib'
import { pMapIterable } from 'p-map'
import { AppError } from '../errors.ts'
import type { Sheet } from '../wire/print.ts'
import { drawAnnotations, drawFieldValues, FieldError } from './annotations.ts'
import type { LabelFormat } from './format.ts'
import { isPdfTooLarge, keepPacked } from './pdf-contents.ts'
import { checkedPixels, embedPixels, embedPng, pngSize, type StoredPixels } from './png.ts'
import {
  centred,
  fitInto,
  fittedEdges,
  type PerPage,
  type PrinterDpi,
  type QuarterTurn,
  SHEETS,
  type Size,
  slots,
} from './sheet-layout.ts'
import type { DrawnZpl, DrawZpl } from './zpl/draw-file.ts'

export interface SheetLabel {
  /** Shipment id or file name, for messages. */
  name: string
  format: LabelFormat
  bytes: Uint8Array
}

export interface SheetOptions {
  sheet: Sheet
  perPage: PerPage
  /** First slot of the first sheet to fill, from 1: earlier ones may be used up. */
  startAt?: number | undefined
  /** Density of the printer that ZPL was made for. If missing, the label's size tells. */
  dpi?: PrinterDpi | undefined
  /** Cuts each page down to its label, for paper that comes as single labels. */
  isTrimmed?: boolean | undefined
  /** Called after each label with the number of labels known so far. */
  onDrawn?: ((done: number, total: number) => void) | undefined
}

export interface ComposedSheets {
  pdf: Uint8Array
  pages: number
  /** Pages of all labels. */
  labels: number
  scaled: ScaledLabel[]
  remarks: string[]
  failed: FailedLabel[]
}

/** A label of ZPL that can't be drawn on a sheet. */
export interface FailedLabel {
  label: SheetLabel
  message: string
  /** True if no label of the same file was drawn. */
  isWhole: boolean
}

/** A label that was too large for its slot. */
export interface ScaledLabel {
  name: string
  /** True size in points. */
  size: Size
  percent: number
}

interface Placeable {
  name: string
  size: Size
  /** Counter-clockwise. */
  turn: QuarterTurn
  /** A reference is that of an image or a form. */
  content: PDFEmbeddedPage | PDFRef
}

type PdfLib = typeof import('@cantoo/pdf-lib')

const ZPL_PRINTER_HINT = 'send it to a ZPL printer as it is: --printer HOST'

/** Files read at once, and read files that wait for an earlier one. */
const AHEAD = { concurrency: 2, backpressure: 64 }

/**
 * Puts labels on sheets in their order: at true size, turned where that fits better, smaller where nothing else helps.
 *
 * @throws AppError `contract` naming a label that can't be read; `usage` for a slot that the sheet doesn't have, and if
 * no label can be drawn
 */
export async function composeSheets(
  labels: readonly SheetLabel[],
  { sheet, perPage, startAt = 1, isTrimmed, ...zpl }: SheetOptions,
): Promise<ComposedSheets> {
  checkStart(startAt, perPage)
  const lib = await import('@cantoo/pdf-lib')
  // A time stamp would make another file of the same labels.
  const target = await lib.PDFDocument.create({ updateMetadata: false })
  // Print dialogs would otherwise scale pages to the printer's margins.
  target.catalog.getOrCreateViewerPreferences().setPrintScaling(lib.PrintScaling.None)
  const { placeables, remarks, failed } = await readLabels(lib, target, labels, zpl)
  if (placeables.length === 0 && failed.length > 0) throw undrawnError(failed, true)
  const scaled: ComposedSheets['scaled'] = []
  const { width, height } = SHEETS[sheet]
  const free = slots(sheet, perPage).slice(startAt - 1)
  let page: PDFPage | undefined
  let placed = 0
  for (const one of placeables) {
    if (page === undefined || free.length === 0) page = target.addPage([width, height])
    if (free.length === 0) free.push(...slots(sheet, perPage))
    const slot = free.shift()
    if (slot === undefined) break
    const { scale, isRotated } = fitInto(one.size, slot)
    draw(lib, page, one, slot, scale, isRotated)
    if (isTrimmed) page.setMediaBox(...fittedEdges(one.size, slot, { scale, isRotated }))
    if (scale < 1) scaled.push({ name: one.name, size: one.size, percent: Math.floor(scale * 1000) / 10 })
    placed += 1
  }
  const pages = target.getPages().length
  if (placed !== placeables.length || pages !== Math.ceil((placed && startAt - 1 + placed) / perPage)) {
    throw new AppError('bug', `${placeables.length} labels came in and ${placed} are on ${pages} sheets.`)
  }
  return { pdf: await target.save(), pages, labels: placed, scaled, remarks, failed }
}

function checkStart(startAt: number, perPage: PerPage): void {
  if (!Number.isInteger(startAt) || startAt < 1 || startAt > perPage) {
    const range = perPage === 1 ? 'only slot 1' : `slots 1 to ${perPage}`
    throw new AppError('usage', `A sheet with ${perPage} a page has ${range}: it can't start at ${startAt}.`)
  }
}

const MAX_DETAILS = 100

/** Names all labels that can't be drawn. Its kind is `partial` if others were printed. */
export function undrawnError(failed: readonly FailedLabel[], isAll: boolean): AppError {
  const hints = [ZPL_PRINTER_HINT, 'or ask the carrier for PDF: rma labels create … --format PDF']
  const [first] = failed
  if (first && isAll && failed.length === 1) return new AppError('usage', first.message, { hints })
  const what = failed.length === 1 ? 'A label' : `${failed.length} labels`
  const rest = isAll ? 'nothing was printed' : 'the others were printed'
  return new AppError(isAll ? 'usage' : 'partial', `${what} can't be drawn on a sheet; ${rest}.`, {
    details: failed.slice(0, MAX_DETAILS).map(({ label, message }) => ({ path: label.name, message })),
    hints,
  })
}

async function readLabels(
  lib: PdfLib,
  target: PDFDocument,
  labels: readonly SheetLabel[],
  { dpi, onDrawn }: Pick<SheetOptions, 'dpi' | 'onDrawn'>,
): Promise<Pick<ComposedSheets, 'remarks' | 'failed'> & { placeables: Placeable[] }> {
  const placeables: Placeable[] = []
  const remarks: string[] = []
  // A label that is printed several times fails once.
  const failed = new Map<string, FailedLabel>()
  let [done, total] = [0, labels.length]
  const add = () => {
    done += 1
    total = Math.max(total, done)
    onDrawn?.(done, total)
  }
  let drawing: Promise<DrawZpl> | undefined
  const prepare = async (label: SheetLabel) => {
    if (label.format === 'PNG') return { label, pixels: await checkedPixels(bufferOf(label)) }
    if (label.format === 'PDF') return { label }
    // Codes need a large library, which other labels do without.
    drawing ??= import('./zpl/draw-file.ts').then(({ openZplDrawing }) => openZplDrawing(lib, target))
    const draw = await drawing
    const expect = (count: number) => (total += count - 1)
    return { label, drawn: await draw(label.name, label.bytes, { dpi, expect, onDrawn: add }) }
  }
  for await (const { label, drawn, pixels } of pMapIterable(labels, prepare, AHEAD)) {
    if (drawn) {
      const { name } = label
      placeables.push(
        ...drawn.forms.map(({ form, size }) => ({ name, size, turn: 0 as const, content: form })),
      )
      for (const failure of failuresOf(label, drawn)) failed.set(failure.message, failure)
      remarks.push(...drawn.remarks)
      continue
    }
    if (label.format === 'PDF') placeables.push(...(await pdfPages(lib, target, label)))
    else placeables.push(await imagePage(lib, target, label, pixels))
    add()
  }
  return { placeables, remarks, failed: [...failed.values()] }
}

function failuresOf(label: SheetLabel, { problems, forms, count }: DrawnZpl): FailedLabel[] {
  return problems.map(({ place, problem }) => {
    const which = count === 1 ? '' : ` (${place} of ${count})`
    const message = `The label ${label.name}${which} can't be drawn on a sheet: ${problem}.`
    return { label, message, isWhole: forms.length === 0 }
  })
}

async function imagePage(
  lib: PdfLib,
  target: PDFDocument,
  label: SheetLabel,
  pixels: StoredPixels | undefined,
): Promise<Placeable> {
  const file = bufferOf(label)
  const size = pngSize(file)
  if (size === undefined) throw unreadable(label, 'its header is broken, or it is too large')
  try {
    const content = pixels ? embedPixels(lib, target, pixels) : await embedPng(target, file)
    return { name: label.name, size, turn: 0, content }
  } catch (cause) {
    throw unreadable(label, 'it is broken', cause)
  }
}

function bufferOf({ bytes }: SheetLabel): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

async function pdfPages(lib: PdfLib, target: PDFDocument, label: SheetLabel): Promise<Placeable[]> {
  // The library takes encrypted objects for invalid ones, so that strict reading is for other files only.
  const bytes = bufferOf(label)
  const isEncrypted = bytes.includes('/Encrypt')
  if (await isPdfTooLarge(bytes)) {
    const message = `The label ${label.name} is a PDF of more than 200 MB unpacked: no label is.`
    throw new AppError('usage', message, { hints: ['leave it out, and ask the carrier for the label again'] })
  }
  try {
    const source = await lib.PDFDocument.load(label.bytes, {
      updateMetadata: false,
      // An empty password opens files that are only protected against changes, as some carriers send.
      ...(isEncrypted ? { password: '' } : { throwOnInvalidObject: true }),
    })
    const pages = source.getPages()
    if (pages.length === 0) throw new Error('it has no page')
    // Viewers and printers show the crop box.
    const boxes = pages.map((page) => page.getCropBox())
    drawFieldValues(lib, source)
    for (const page of pages) {
      await keepPacked(lib, page)
      // The library can't embed a page without content.
      page.pushOperators()
      drawAnnotations(lib, page)
    }
    const contents = await target.embedPages(
      pages,
      boxes.map(({ x, y, width, height }) => ({ left: x, bottom: y, right: x + width, top: y + height })),
    )
    // Broken pages fail here, where the label is known, not when all is saved.
    for (const content of contents) await content.embed()
    return contents.map((content, index) => {
      // Pages give their turn clockwise.
      const turn = quarterTurn(-(pages[index]?.getRotation().angle ?? 0))
      // Sizes of pages with a unit of their own are multiples of it.
      const unit = pages[index]?.node.lookupMaybe(lib.PDFName.of('UserUnit'), lib.PDFNumber)?.asNumber() || 1
      const [width, height] = [content.width * unit, content.height * unit]
      const size = turn % 180 === 0 ? { width, height } : { width: height, height: width }
      return { name: label.name, size, turn, content }
    })
  } catch (cause) {
    if (cause instanceof FieldError) throw unreadable(label, cause.message, cause)
    const needsPassword = cause instanceof Error && /password|encrypted/i.test(cause.message)
    throw unreadable(label, needsPassword ? 'it needs a password' : 'it is broken or cut off', cause)
  }
}

function draw(
  lib: PdfLib,
  page: PDFPage,
  { content, size, turn }: Placeable,
  slot: Parameters<typeof centred>[2],
  scale: number,
  isRotated: boolean,
): void {
  const lies = turn % 180 !== 0
  const width = (lies ? size.height : size.width) * scale
  const height = (lies ? size.width : size.height) * scale
  const whole = quarterTurn(turn + (isRotated ? 90 : 0))
  const place = { ...centred({ width, height }, whole, slot), width, height, rotate: lib.degrees(whole) }
  if (content instanceof lib.PDFRef) {
    const untilted = { xSkew: lib.degrees(0), ySkew: lib.degrees(0) }
    page.pushOperators(...lib.drawImage(page.node.newXObject('Image', content), { ...place, ...untilted }))
  } else page.drawPage(content, place)
}

function quarterTurn(angle: number): QuarterTurn {
  const turns: readonly QuarterTurn[] = [0, 90, 180, 270]
  return turns[((Math.round(angle / 90) % 4) + 4) % 4] ?? 0
}

function unreadable(label: SheetLabel, problem: string, cause?: unknown): AppError {
  const message = `The label ${label.name} can't be put on a sheet: as a ${label.format}, ${problem}.`
  return new AppError('contract', message, {
    hints: ['download it again with --force, or leave it out'],
    cause,
  })
}
