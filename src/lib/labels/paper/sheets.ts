import { degrees, drawImage, PDFDocument, type PDFPage, PDFRef, PrintScaling } from '@cantoo/pdf-lib'
import type { openZplDrawing } from '../zpl/draw-file.ts'
import { pdfPages } from './pdf-label.ts'
import { checkedPixels, embedPixels, embedPng, pngSize } from './png-label.ts'
import {
  type Box,
  bufferOf,
  centred,
  type FailedLabel,
  fitInto,
  fittedEdges,
  type Placeable,
  type Positions,
  type PrintLayout,
  quarterTurn,
  SHEETS,
  type SheetLabel,
  type Size,
  slots,
  turnedSize,
  undrawnError,
  unreadable,
} from './sheet-layout.ts'

export interface SheetOptions extends Pick<PrintLayout, 'sheet' | 'perPage'> {
  /** First slot to fill, from 1: earlier ones may be used up. */
  startAt?: number
  dpi?: PrintLayout['dpi']
  /** Cuts each page down to its label. */
  isTrimmed?: boolean
  onDrawn?: (done: number, total: number) => void
}

export interface ScaledLabel {
  name: string
  size: Size
  percent: number
}

/** Puts labels on sheets at true size, turned where that fits better, smaller where nothing else helps. */
export async function composeSheets(
  labels: readonly SheetLabel[],
  { sheet, perPage, startAt = 1, isTrimmed, ...zpl }: SheetOptions,
) {
  // A time stamp would make each file of equal labels differ.
  const target = await PDFDocument.create({ updateMetadata: false })
  // Print dialogs would otherwise scale pages to the printer's margins.
  target.catalog.getOrCreateViewerPreferences().setPrintScaling(PrintScaling.None)
  const { placeables, remarks, failed } = await readLabels(target, labels, zpl)
  if (placeables.length === 0 && failed.length > 0) throw undrawnError(failed, true)
  const scaled: ScaledLabel[] = []
  const positions: Positions = new Map()
  const { width, height } = SHEETS[sheet]
  let free: Box[] = []
  for (const [index, one] of placeables.entries()) {
    if (free.length === 0) {
      target.addPage([width, height])
      free = slots(sheet, perPage).slice(index === 0 ? startAt - 1 : 0)
    }
    const slot = free.shift() as Box
    const page = target.getPage(target.getPageCount() - 1)
    const { label, size } = one
    const position = perPage - free.length
    if (!positions.has(label)) positions.set(label, { sheet: target.getPageCount(), position })
    const fit = fitInto(size, slot)
    draw(page, one, { ...fit, slot })
    if (isTrimmed) page.setMediaBox(...fittedEdges(size, slot, fit))
    if (fit.scale < 1) scaled.push({ name: label.name, size, percent: Math.floor(fit.scale * 1000) / 10 })
  }
  const pages = target.getPageCount()
  return { pdf: await target.save(), pages, labels: placeables.length, positions, scaled, remarks, failed }
}

async function readLabels(
  target: PDFDocument,
  labels: readonly SheetLabel[],
  { dpi, onDrawn }: Pick<SheetOptions, 'dpi' | 'onDrawn'>,
) {
  const placeables: Placeable[] = []
  const remarks: string[] = []
  const failed = new Map<SheetLabel, FailedLabel[]>()
  let [done, total] = [0, labels.length]
  const add = () => {
    done += 1
    total = Math.max(total, done)
    onDrawn?.(done, total)
  }
  let drawing: ReturnType<typeof openZplDrawing> | undefined
  for (const label of labels) {
    if (label.format === 'PDF') placeables.push(...(await pdfPages(target, label)))
    else if (label.format === 'PNG') placeables.push(await imagePage(target, label))
    else {
      // The barcode library is large and needed only here.
      drawing ??= (await import('../zpl/draw-file.ts')).openZplDrawing(target)
      const draw = await drawing
      const drawn = await draw(label, { dpi, expect: (count) => (total += count - 1), onDrawn: add })
      placeables.push(
        ...drawn.forms.map(({ form, size }) => ({ label, size, turn: 0 as const, content: form })),
      )
      // Copies of a label fail alike.
      const problems = [...new Set(drawn.problems)]
      failed.set(
        label,
        problems.map((message) => ({ label, message })),
      )
      remarks.push(...drawn.remarks)
      continue
    }
    add()
  }
  return { placeables, remarks, failed: [...failed.values()].flat() }
}

async function imagePage(target: PDFDocument, label: SheetLabel): Promise<Placeable> {
  const file = bufferOf(label)
  const size = pngSize(file)
  if (size === undefined) throw unreadable(label, 'its header is broken, or it is too large')
  const pixels = await checkedPixels(file)
  try {
    const content = pixels ? embedPixels(target, pixels) : await embedPng(target, file)
    return { label, size, turn: 0, content }
  } catch (cause) {
    throw unreadable(label, 'it is broken', cause)
  }
}

function draw(
  page: PDFPage,
  { content, size, turn }: Placeable,
  { slot, scale, isRotated }: ReturnType<typeof fitInto> & { slot: Box },
) {
  const own = turnedSize(size, turn)
  const [width, height] = [own.width * scale, own.height * scale]
  const whole = quarterTurn(turn + (isRotated ? 90 : 0))
  const place = { ...centred({ width, height }, whole, slot), width, height, rotate: degrees(whole) }
  if (content instanceof PDFRef) {
    const untilted = { xSkew: degrees(0), ySkew: degrees(0) }
    page.pushOperators(...drawImage(page.node.newXObject('Image', content), { ...place, ...untilted }))
  } else page.drawPage(content, place)
}
