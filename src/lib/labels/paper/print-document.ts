import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { AppError } from '../../errors.ts'
import { readShipped } from '../../files/shipped.ts'
import type { PrinterLanguage } from '../../wire/enumerations.ts'
import { type Bitmap, zplGraphic } from '../zpl/graphic.ts'
import {
  type Places,
  POINTS_PER_DOT,
  POINTS_PER_MM,
  type PrinterDpi,
  type PrintLayout,
  placeName,
  roomierPerPage,
  type SheetLabel,
} from './sheet-layout.ts'
import { composeSheets, type FailedLabel, type ScaledLabel, type SheetOptions } from './sheets.ts'

export interface PrintDocument {
  language: PrinterLanguage
  data: Buffer
  /** Pages of all labels. */
  labels: number
  /** Sheets, or labels of a roll. */
  pages: number
  places: Places
  remarks: string[]
  failed: FailedLabel[]
}

export async function makePrintDocument(
  language: PrinterLanguage,
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn?: SheetOptions['onDrawn'],
): Promise<PrintDocument> {
  if (language === 'zpl') return zplDocument(labels, layout, onDrawn)
  const { pdf, scaled, remarks, ...sheets } = await composeSheets(labels, { ...layout, onDrawn })
  if (scaled.length > 0) remarks.push(scaledRemark(scaled, sheets.labels, layout))
  return { ...sheets, language, data: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), remarks }
}

/** Keeps ZPL as it is, and turns each page of other labels into a graphic. */
async function zplDocument(
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn: SheetOptions['onDrawn'],
): Promise<PrintDocument> {
  const parts: Uint8Array[] = []
  const scaled: ScaledLabel[] = []
  const known = new Map<Uint8Array, Uint8Array[]>()
  const places: Places = new Map()
  for (const [index, label] of labels.entries()) {
    onDrawn?.(index, labels.length)
    const { bytes, format } = label
    const drawn = known.get(bytes) ?? (format === 'ZPL' ? [bytes] : await zplGraphics(label, layout, scaled))
    known.set(bytes, drawn)
    if (!places.has(label)) places.set(label, { sheet: parts.length + 1, position: 1 })
    parts.push(...drawn)
  }
  const count = parts.length
  const remarks = scaled.length > 0 ? [scaledRemark(scaled, count, layout)] : []
  return {
    language: 'zpl',
    data: Buffer.concat(parts),
    labels: count,
    pages: count,
    places,
    remarks,
    failed: [],
  }
}

async function zplGraphics(
  label: SheetLabel,
  { sheet, dpi = 203 }: PrintLayout,
  scaled: ScaledLabel[],
): Promise<Buffer[]> {
  const composed = await composeSheets([label], { sheet, perPage: 1, isTrimmed: true })
  scaled.push(...composed.scaled)
  const parts: Buffer[] = []
  try {
    for await (const page of drawPages(composed.pdf, dpi)) parts.push(Buffer.from(zplGraphic(page), 'latin1'))
    return parts
  } catch (cause) {
    throw new AppError('contract', `The label ${label.name} can't be drawn for a label printer.`, {
      hints: ['put it on paper: rma labels print … --out labels.pdf'],
      cause,
    })
  }
}

const MAX_NAMED = 3

function scaledRemark(
  scaled: readonly ScaledLabel[],
  total: number,
  { sheet, perPage }: PrintLayout,
): string {
  const percents = scaled.map(({ percent }) => percent)
  const [least, most] = [Math.min(...percents), Math.max(...percents)]
  const size = least === most ? `${least} %` : `${least} to ${most} %`
  const names = [...new Set(scaled.map(({ name }) => name))]
  const more = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''
  const isAll = scaled.length === total && least === most
  const who = isAll ? '' : ` (${names.slice(0, MAX_NAMED).join(', ')}${more})`
  const what = scaled.length === 1 ? 'A label is' : `${scaled.length} labels are`
  const sizes = scaled.map((one) => one.size)
  const roomier = roomierPerPage(sizes, sheet, perPage)
  const remedy = roomier ? `; --per-page ${roomier} keeps true size` : ''
  return `${what} larger than ${placeName(sheet, perPage)}: printed at ${size}${who}${remedy}`
}

/** Grey from which a dot is white: dots half covered by ink are printed. */
const DARKEST_WHITE = 128

let library: Promise<PDFiumLibrary> | undefined

async function* drawPages(pdf: Uint8Array, dpi: PrinterDpi): AsyncGenerator<Bitmap> {
  library ??= openLibrary()
  const document = await (await library).loadDocument(pdf)
  try {
    for (const page of document.pages()) {
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const width = Math.round(originalWidth / POINTS_PER_DOT[dpi])
      const height = Math.round(originalHeight / POINTS_PER_DOT[dpi])
      const { data } = await page.render({ render: 'bitmap', colorSpace: 'Gray', width, height })
      yield { width, height, rows: packed(data, width, height) }
    }
  } finally {
    document.destroy()
  }
}

async function openLibrary(): Promise<PDFiumLibrary> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const wasm =
    readShipped('pdfium.wasm') ??
    (await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')))
  return PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer })
}

function packed(grey: Uint8Array, width: number, height: number): Buffer {
  const bytesPerRow = Math.ceil(width / 8)
  const rows = Buffer.alloc(bytesPerRow * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((grey[y * width + x] ?? 255) >= DARKEST_WHITE) continue
      const at = y * bytesPerRow + (x >> 3)
      rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return rows
}

export async function testLabel(title: string): Promise<Uint8Array> {
  const [{ PDFDocument, StandardFonts, rgb }, { toBuffer }] = await Promise.all([
    import('@cantoo/pdf-lib'),
    import('bwip-js/node'),
  ])
  const mm = (count: number) => count * POINTS_PER_MM
  const document = await PDFDocument.create()
  const page = document.addPage([mm(100), mm(150)])
  const font = await document.embedFont(StandardFonts.Helvetica)
  const [color, left] = [rgb(0, 0, 0), mm(10)]
  const write = (text: string, y: number, size = 11) =>
    page.drawText(text, { x: left, y: mm(y), size, font, maxWidth: mm(80) })
  const line = (from: readonly [number, number], to: readonly [number, number]) => {
    const [start, end] = [from, to].map(([x, y]) => ({ x: left + mm(x), y: mm(y) }))
    if (start && end) page.drawLine({ start, end, thickness: mm(0.25), color })
  }
  const frame = { x: mm(3), y: mm(3), width: mm(94), height: mm(144) }
  page.drawRectangle({ ...frame, borderWidth: mm(0.5), borderColor: color })
  write('rma test label', 130, 24)
  write(title.slice(0, 120), 120)
  for (let x = 0; x <= 80; x += 10) line([x, 90], [x, 95])
  line([0, 90], [80, 90])
  write('80 mm', 84)
  const code = await toBuffer({ bcid: 'code128', text: 'RMA-TEST', scale: 4, height: 12 })
  page.drawImage(await document.embedPng(code), { x: left, y: mm(40), width: mm(60), height: mm(25) })
  write('RMA-TEST', 34)
  return document.save()
}
