import { AppError } from '../errors.ts'
import type { PrinterLanguage } from '../wire/print.ts'
import { drawPages } from './pdf-raster.ts'
import { type PrintLayout, placeName, roomierPerPage } from './sheet-layout.ts'
import { composeSheets, type FailedLabel, type ScaledLabel, type SheetLabel } from './sheets.ts'
import { zplGraphic } from './zpl/graphic.ts'

/** All labels of one print, as sent or written. */
export interface PrintDocument {
  language: PrinterLanguage
  data: Buffer
  /** Pages of all labels. */
  labels: number
  /** Sheets, or labels of a roll. */
  pages: number
  remarks: string[]
  /** Labels that are not in it. */
  failed: FailedLabel[]
}

/** @throws AppError naming the label that can't be printed */
export function makePrintDocument(
  language: PrinterLanguage,
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn?: (done: number, total: number) => void,
): Promise<PrintDocument> {
  return language === 'pdf' ? pdfDocument(labels, layout, onDrawn) : zplDocument(labels, layout, onDrawn)
}

async function pdfDocument(
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn?: (done: number, total: number) => void,
): Promise<PrintDocument> {
  const sheets = await composeSheets(labels, { ...layout, onDrawn })
  const { pdf, pages, labels: count, scaled, remarks, failed } = sheets
  if (scaled.length > 0) remarks.push(scaledRemark(scaled, count, layout))
  const data = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  return { language: 'pdf', data, labels: count, pages, remarks, failed }
}

/** Keeps ZPL as it is, and turns each page of other labels into a graphic. */
async function zplDocument(
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn?: (done: number, total: number) => void,
): Promise<PrintDocument> {
  const parts: Uint8Array[] = []
  const scaled: ScaledLabel[] = []
  const known = new Map<Uint8Array, Uint8Array[]>()
  for (const [index, label] of labels.entries()) {
    onDrawn?.(index, labels.length)
    const { bytes, format } = label
    if (!known.has(bytes)) {
      const graphics = format === 'ZPL' ? undefined : await zplGraphics(label, layout)
      known.set(bytes, graphics?.parts ?? [bytes])
      scaled.push(...(graphics?.scaled ?? []))
    }
    parts.push(...(known.get(bytes) ?? []))
  }
  const remarks = scaled.length > 0 ? [scaledRemark(scaled, parts.length, layout)] : []
  const data = Buffer.concat(parts)
  return { language: 'zpl', data, labels: parts.length, pages: parts.length, remarks, failed: [] }
}

async function zplGraphics(label: SheetLabel, { sheet, dpi = 203 }: PrintLayout) {
  const { pdf, scaled } = await composeSheets([label], { sheet, perPage: 1, isTrimmed: true })
  const parts: Buffer[] = []
  try {
    for await (const page of drawPages(pdf, dpi)) parts.push(Buffer.from(zplGraphic(page), 'latin1'))
  } catch (cause) {
    throw new AppError('contract', `The label ${label.name} can't be drawn for a label printer.`, {
      hints: ['put it on paper: rma labels print … --out labels.pdf'],
      cause,
    })
  }
  return { parts, scaled }
}

const MAX_NAMED = 3

function scaledRemark(scaled: readonly ScaledLabel[], total: number, layout: PrintLayout): string {
  const { sheet, perPage } = layout
  const percents = scaled.map(({ percent }) => percent)
  const [least, most] = [Math.min(...percents), Math.max(...percents)]
  const size = least === most ? `${least} %` : `${least} to ${most} %`
  const names = [...new Set(scaled.map(({ name }) => name))]
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const isAll = scaled.length === total && least === most
  const who = isAll ? '' : ` (${names.slice(0, MAX_NAMED).join(', ')}${more})`
  const what = scaled.length === 1 ? 'A label is' : `${scaled.length} labels are`
  const roomier = roomierPerPage(
    scaled.map((one) => one.size),
    sheet,
    perPage,
  )
  const remedy = roomier ? `; --per-page ${roomier} keeps true size` : ''
  return `${what} larger than ${placeName(sheet, perPage)}: printed at ${size}${who}${remedy}`
}
