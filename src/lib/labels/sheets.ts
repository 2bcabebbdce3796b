import type { PDFDocument, PDFEmbeddedPage, PDFPage, PDFRef } from '@cantoo/pdf-lib'
import { pMapIterable } from 'p-map'
import { AppError } from '../errors.ts'
import type { Sheet } from '../wire/print.ts'
import { drawAnnotations, drawFieldValues, FieldError } from './annotations.ts'
import { embedPixels, embedPng } from './embed-png.ts'
import type { LabelFormat } from './format.ts'
import { keepPacked } from './packed-contents.ts'
import { isPdfTooLarge } from './pdf-size.ts'
import { pngSize, type StoredPixels, storedPixels } from './png.ts'
import { checkedPixels } from './png-planes.ts'
import {
  centred,
  fitInto,
  fittedEdges,
  type PerPage,
  type QuarterTurn,
  SHEETS,
  type Size,
  slots,
} from './sheet-layout.ts'
import { openZplOutlines } from './zpl-outline.ts'
import { type DrawnZpl, type OutlineZpl, type PrinterDpi, rasterizeZpl, type ZplWays } from './zpl-raster.ts'
import { openZplThreads } from './zpl-threads.ts'

export interface SheetLabel {
  /** How errors call it: a shipment's id or a file's name. */
  name: string
  format: LabelFormat
  bytes: Uint8Array
}

export interface SheetOptions {
  sheet: Sheet
  perPage: PerPage
  /** First slot of the first sheet to be used, from 1: the others are gone already. */
  startAt?: number | undefined
  /** Of the printer that ZPL was made for; told from its size if not given. */
  dpi?: PrinterDpi | undefined
  /** Cuts each page down to its label, for paper that comes as single labels. */
  isTrimmed?: boolean | undefined
  /** Told again and again, of the labels that are known so far. */
  onDrawn?: ((done: number, total: number) => void) | undefined
}

export interface ComposedSheets {
  pdf: Uint8Array
  pages: number
  /** Pages of all labels: each is in the document once. */
  labels: number
  /** Those that were too large for their place. */
  scaled: ScaledLabel[]
  remarks: string[]
}

export interface ScaledLabel {
  name: string
  /** Its own. */
  size: Size
  percent: number
}

interface Placeable {
  name: string
  size: Size
  /** Counter-clockwise. */
  turn: QuarterTurn
  /** A reference is an image's. */
  content: PDFEmbeddedPage | PDFRef
}

type PdfLib = typeof import('@cantoo/pdf-lib')

/** Files drawn at once, and those that wait for an earlier one. */
const AHEAD = { concurrency: 2, backpressure: 64 }

/**
 * Puts labels on sheets in their order: at true size, turned where that fits better, smaller where nothing else helps.
 *
 * @throws AppError `contract` naming a label that can't be read; `usage` for a slot that the sheet doesn't have
 */
export async function composeSheets(
  labels: readonly SheetLabel[],
  { sheet, perPage, startAt = 1, isTrimmed, ...zpl }: SheetOptions,
): Promise<ComposedSheets> {
  if (!Number.isInteger(startAt) || startAt < 1 || startAt > perPage) {
    const range = perPage === 1 ? 'only slot 1' : `slots 1 to ${perPage}`
    throw new AppError('usage', `A sheet with ${perPage} a page has ${range}: it can't start at ${startAt}.`)
  }
  const lib = await import('@cantoo/pdf-lib')
  // Without the time: the same labels are the same file, which is left as it is.
  const target = await lib.PDFDocument.create({ updateMetadata: false })
  // Else viewers' print dialogs make it smaller, by the margins that the printer can't reach.
  target.catalog.getOrCreateViewerPreferences().setPrintScaling(lib.PrintScaling.None)
  const { placeables, remarks } = await readLabels(lib, target, labels, zpl)
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
  return { pdf: await target.save(), pages, labels: placed, scaled, remarks }
}

async function readLabels(
  lib: PdfLib,
  target: PDFDocument,
  labels: readonly SheetLabel[],
  { dpi, onDrawn }: Pick<SheetOptions, 'dpi' | 'onDrawn'>,
): Promise<{ placeables: Placeable[]; remarks: string[] }> {
  const placeables: Placeable[] = []
  const remarks: string[] = []
  const { draw, close } = openZplThreads()
  let [done, total] = [0, labels.length]
  const add = (count: number) => {
    done += count
    total = Math.max(total, done)
    onDrawn?.(done, total)
  }
  let outlines: Promise<OutlineZpl> | undefined
  const prepare = async (label: SheetLabel) => {
    if (label.format === 'PNG') return { label, pixels: await checkedPixels(bufferOf(label)) }
    if (label.format === 'PDF') return { label }
    outlines ??= openZplOutlines(lib, target)
    const outline = await outlines
    const ways: ZplWays = {
      expect: (count) => (total += count - 1),
      async draw(zpl, canvas) {
        const images = await draw(zpl, canvas)
        add(images.length)
        return images
      },
      outline(zpl, dots) {
        const outlined = outline(zpl, dots)
        if (outlined) add(1)
        return outlined
      },
    }
    return { label, drawn: await rasterizeZpl(label.name, label.bytes, ways, dpi) }
  }
  try {
    for await (const { label, drawn, pixels } of pMapIterable(labels, prepare, AHEAD)) {
      remarks.push(...(drawn?.remarks ?? []))
      const read =
        label.format === 'PDF'
          ? pdfPages(lib, target, label)
          : imagePages(lib, target, label, { drawn, pixels })
      placeables.push(...(await read))
      if (drawn === undefined) add(1)
    }
  } finally {
    await close()
  }
  return { placeables, remarks }
}

async function imagePages(
  lib: PdfLib,
  target: PDFDocument,
  label: SheetLabel,
  { drawn, pixels }: { drawn?: DrawnZpl | undefined; pixels?: StoredPixels | undefined },
): Promise<Placeable[]> {
  const { name } = label
  const file = bufferOf(label)
  const placeables: Placeable[] = []
  const embedded = (image: Buffer) => {
    const known = drawn ? storedPixels(image) : pixels
    return known ? embedPixels(lib, target, known) : embedPng(target, image)
  }
  // One after the other: each is unpacked while it is embedded, and there may be thousands.
  for (const { content: image, size } of drawn?.images ?? [{ content: file, size: pngSize(file) }]) {
    if (size === undefined) throw unreadable(label, 'its header is broken, or it is too large')
    try {
      const content = image instanceof lib.PDFRef ? image : await embedded(image)
      placeables.push({ name, size, turn: 0, content })
    } catch (cause) {
      throw unreadable(label, 'it is broken', cause)
    }
  }
  return placeables
}

function bufferOf({ bytes }: SheetLabel): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

async function pdfPages(lib: PdfLib, target: PDFDocument, label: SheetLabel): Promise<Placeable[]> {
  // The library takes encrypted objects for invalid ones before it decrypts them. The name itself is never encrypted.
  const bytes = bufferOf(label)
  const isEncrypted = bytes.includes('/Encrypt')
  if (await isPdfTooLarge(bytes)) {
    const message = `The label ${label.name} is a PDF of more than 200 MB unpacked: no label is.`
    throw new AppError('usage', message, { hints: ['leave it out, and ask the carrier for the label again'] })
  }
  try {
    const source = await lib.PDFDocument.load(label.bytes, {
      updateMetadata: false,
      // Without a password: opens those that anybody may read but not change, as some carriers send.
      ...(isEncrypted ? { password: '' } : { throwOnInvalidObject: true }),
    })
    const pages = source.getPages()
    if (pages.length === 0) throw new Error('it has no page')
    // What viewers show and printers print; it is the media box where a page has none.
    const boxes = pages.map((page) => page.getCropBox())
    drawFieldValues(lib, source)
    for (const page of pages) {
      await keepPacked(lib, page)
      // An empty page could not be embedded, and is a page all the same.
      page.pushOperators()
      drawAnnotations(lib, page)
    }
    const contents = await target.embedPages(
      pages,
      boxes.map(({ x, y, width, height }) => ({ left: x, bottom: y, right: x + width, top: y + height })),
    )
    // Else what is broken inside a page would show when all is saved, and it would not be known whose it is.
    for (const content of contents) await content.embed()
    return contents.map((content, index) => {
      // A page says how it is turned clockwise.
      const turn = quarterTurn(-(pages[index]?.getRotation().angle ?? 0))
      // Pages of other units than points are rare, and twice as large or half as large as they seem.
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
