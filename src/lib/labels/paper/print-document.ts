import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { causedBy } from '../../errors.ts'
import { readShipped } from '../../files/shipped.ts'
import { firstOf } from '../../wire/counted.ts'
import type { PrinterLanguage } from '../../wire/enumerations.ts'
import { isCutOff } from '../zpl/commands.ts'
import { type Bitmap, zplGraphic } from '../zpl/graphic.ts'
import {
  bufferOf,
  type FailedLabel,
  POINTS_PER_DOT,
  POINTS_PER_MM,
  type Positions,
  type PrinterDpi,
  type PrintLayout,
  roomierPerPage,
  type SheetLabel,
  slotName,
  unreadable,
} from './sheet-layout.ts'
import type { ScaledLabel, SheetOptions } from './sheets.ts'

export interface PrintDocument {
  language: PrinterLanguage
  data: Buffer
  /** Pages of all labels. */
  labels: number
  /** Sheets, or labels of a roll. */
  pages: number
  positions: Positions
  remarks: string[]
  failed: FailedLabel[]
}

export async function makePrintDocument(
  language: PrinterLanguage,
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn?: SheetOptions['onDrawn'],
): Promise<PrintDocument> {
  for (const label of new Set(labels)) {
    const isCut = label.format === 'ZPL' && isCutOff(bufferOf(label).toString('latin1'))
    if (isCut) throw unreadable(label, 'it is cut off (^XZ is missing)')
  }
  if (language === 'zpl') return zplDocument(labels, layout, onDrawn)
  const { composeSheets } = await import('./sheets.ts')
  const { pdf, scaled, remarks, ...sheets } = await composeSheets(labels, { ...layout, onDrawn })
  if (scaled.length > 0) remarks.push(scaledRemark(scaled, sheets.labels, layout))
  return { ...sheets, language, data: Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), remarks }
}

async function zplDocument(
  labels: readonly SheetLabel[],
  layout: PrintLayout,
  onDrawn: SheetOptions['onDrawn'],
): Promise<PrintDocument> {
  const parts: Uint8Array[] = []
  const scaled: ScaledLabel[] = []
  const known = new Map<Uint8Array, Uint8Array[]>()
  const positions: Positions = new Map()
  for (const [index, label] of labels.entries()) {
    onDrawn?.(index, labels.length)
    const { bytes, format } = label
    const drawn = known.get(bytes) ?? (format === 'ZPL' ? [bytes] : await zplGraphics(label, layout, scaled))
    known.set(bytes, drawn)
    if (!positions.has(label)) positions.set(label, { sheet: parts.length + 1, position: 1 })
    parts.push(...drawn)
  }
  const count = parts.length
  const remarks = scaled.length > 0 ? [scaledRemark(scaled, count, layout)] : []
  return {
    language: 'zpl',
    data: Buffer.concat(parts),
    labels: count,
    pages: count,
    positions,
    remarks,
    failed: [],
  }
}

async function zplGraphics(label: SheetLabel, { sheet, dpi = 203 }: PrintLayout, scaled: ScaledLabel[]) {
  const { composeSheets } = await import('./sheets.ts')
  const composed = await composeSheets([label], { sheet, perPage: 1, isTrimmed: true })
  scaled.push(...composed.scaled)
  const parts: Buffer[] = []
  try {
    for await (const page of drawPages(composed.pdf, dpi)) parts.push(Buffer.from(zplGraphic(page), 'latin1'))
    return parts
  } catch (cause) {
    throw causedBy(
      cause,
      'contract',
      `The label ${label.name} can't be drawn for a label printer.`,
      'put it on paper: rma labels print … --out labels.pdf',
    )
  }
}

const MAX_NAMED = 3

function scaledRemark(scaled: readonly ScaledLabel[], total: number, { sheet, perPage }: PrintLayout) {
  const percents = scaled.map(({ percent }) => percent)
  const [least, most] = [Math.min(...percents), Math.max(...percents)]
  const size = least === most ? `${least} %` : `${least} to ${most} %`
  const names = [...new Set(scaled.map(({ name }) => name))]
  const isAll = scaled.length === total && least === most
  const who = isAll ? '' : ` (${firstOf(names, MAX_NAMED)})`
  const what = scaled.length === 1 ? 'A label is' : `${scaled.length} labels are`
  const sizes = scaled.map((one) => one.size)
  const roomier = roomierPerPage(sizes, sheet, perPage)
  const remedy = roomier ? `; --per-page ${roomier} keeps true size` : ''
  return `${what} larger than ${slotName(sheet, perPage)}: printed at ${size}${who}${remedy}`
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

async function openLibrary() {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const wasm =
    readShipped('pdfium.wasm') ??
    (await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')))
  return PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer })
}

function packed(grey: Uint8Array, width: number, height: number) {
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

export function testLabel(title: string, dpi: PrinterDpi = 203): Buffer {
  const dots = (mm: number) => Math.round((mm * POINTS_PER_MM) / POINTS_PER_DOT[dpi])
  const at = (x: number, y: number) => `^FO${dots(x)},${dots(y)}`
  const box = (width: number, height: number) => `^GB${dots(width)},${dots(height)},${dots(0.25)}^FS`
  const write = (text: string, y: number, size: number) =>
    `${at(10, y)}^A0N,${dots(size)}^FB${dots(80)},3^FD${text}^FS`
  const marks = Array.from({ length: 9 }, (_unused, mark) => at(10 + 10 * mark, 55) + box(0, 5))
  const fields = [
    at(3, 3) + box(94, 144),
    write('rma test label', 14, 8),
    write(title.replace(/[\^~]/g, ' ').slice(0, 120), 28, 4),
    ...marks,
    at(10, 60) + box(80, 0),
    write('80 mm', 63, 4),
    `${at(10, 85)}^BY${dots(0.5)}^BCN,${dots(25)}^FDRMA-TEST^FS`,
  ]
  return Buffer.from(`^XA^PW${dots(100)}^LL${dots(150)}^CI28${fields.join('')}^XZ`)
}
