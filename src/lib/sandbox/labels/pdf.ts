import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { code128Shape, dataMatrixShape } from './barcodes.ts'
import type { LabelContent } from './content.ts'
import { customsPages, customsRow } from './customs.ts'
import { PdfCanvas } from './pdf-canvas.ts'

const POINTS_PER_MM = 72 / 25.4
const WIDTH = 100
const HEIGHT = 150
const MARGIN = 5
const INNER = WIDTH - 2 * MARGIN

/** 100 × 150 mm, with further pages for customs; equal contents and times (ms) make equal files. */
export async function labelPdf(content: LabelContent, now: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create({ updateMetadata: false })
  pdf.setTitle(`${content.carrier} ${content.trackingCode}`)
  pdf.setCreator('rma sandbox')
  pdf.setCreationDate(new Date(now))
  pdf.setModificationDate(new Date(now))
  const fonts = {
    regular: await pdf.embedFont(StandardFonts.Helvetica),
    bold: await pdf.embedFont(StandardFonts.HelveticaBold),
  }
  const newPage = () => new PdfCanvas(pdf.addPage([WIDTH * POINTS_PER_MM, HEIGHT * POINTS_PER_MM]), fonts)
  drawParcel(newPage(), content)
  for (const page of customsPages(content)) drawCustoms(newPage(), content, page)
  return pdf.save()
}

function drawParcel(canvas: PdfCanvas, content: LabelContent): void {
  canvas.text(MARGIN, 12, content.carrier, { size: 20, bold: true, width: 56 })
  canvas.text(MARGIN + 58, 8.5, content.title, { size: 10, bold: true, width: 32, align: 'right' })
  canvas.text(MARGIN + 58, 12.5, content.service, { size: 9, width: 32, align: 'right' })
  canvas.line(MARGIN, 15.5, WIDTH - MARGIN, 15.5, 1.5)
  drawSender(canvas, content)
  canvas.line(MARGIN, 38, WIDTH - MARGIN, 38)
  drawReceiver(canvas, content)
  canvas.line(MARGIN, 81, WIDTH - MARGIN, 81)
  drawFacts(canvas, content)
  if (content.pudo !== undefined) {
    canvas.area(MARGIN, 103, INNER, 8)
    canvas.text(MARGIN + 2, 108.2, 'SERVICE POINT', { size: 8, bold: true, width: 26, colour: 'white' })
    canvas.text(MARGIN + 28, 108.3, content.pudo, { size: 11, bold: true, width: 60, colour: 'white' })
  }
  canvas.line(MARGIN, 113, WIDTH - MARGIN, 113, 1.5)
  drawCode(canvas, content.trackingCode, 116, 24)
}

function drawSender(canvas: PdfCanvas, { sender, trackingCode }: LabelContent): void {
  canvas.text(MARGIN, 19, 'FROM', { size: 6.5, bold: true, width: 20, colour: 'grey' })
  for (const [i, line] of sender.slice(0, 6).entries()) {
    canvas.text(MARGIN, 22 + i * 3, line, { size: 7.5, width: 68, bold: i === 0 })
  }
  canvas.barcode(WIDTH - MARGIN - 17, 18.5, 17, 17, dataMatrixShape(trackingCode))
}

function drawReceiver(canvas: PdfCanvas, { receiver }: LabelContent): void {
  const { name, lines, place, country, phone } = receiver
  canvas.text(MARGIN, 42, 'TO', { size: 6.5, bold: true, width: 20, colour: 'grey' })
  canvas.text(MARGIN, 48, name, { size: 15, bold: true, width: INNER })
  for (const [i, line] of lines.slice(0, 3).entries()) {
    canvas.text(MARGIN, 54 + i * 5, line, { size: 12, width: INNER })
  }
  const y = 56 + Math.min(3, lines.length) * 5
  canvas.text(MARGIN, y, place, { size: 17, bold: true, width: INNER })
  canvas.text(MARGIN, y + 6, country.toUpperCase(), { size: 11, bold: true, width: 55 })
  if (phone !== '') canvas.text(MARGIN + 55, y + 6, `Tel. ${phone}`, { size: 9, width: 35, align: 'right' })
}

/** The first on a line of its own, the others in two columns. */
function drawFacts(canvas: PdfCanvas, { facts }: LabelContent): void {
  for (const [i, [name, value]] of facts.entries()) {
    const isRight = i > 0 && i % 2 === 0
    const x = MARGIN + (isRight ? 48 : 0)
    const y = 86 + Math.ceil(i / 2) * 5
    const width = isRight ? 27 : 31
    canvas.text(x, y, name, { size: 7, width: 15, colour: 'grey' })
    canvas.text(x + 15, y, value, { size: 9, bold: true, width: i === 0 ? INNER - 15 : width })
  }
}

function drawCode(canvas: PdfCanvas, code: string, y: number, height: number): void {
  const shape = code128Shape(code)
  const width = Math.min(0.5, (INNER - 8) / shape.width) * shape.width
  canvas.barcode((WIDTH - width) / 2, y, width, height, shape)
  canvas.text(MARGIN, y + height + 6, grouped(code), { size: 14, bold: true, width: INNER, align: 'centre' })
}

/** `RR 123 456 785 ES`. */
function grouped(code: string): string {
  return code.replace(/^([A-Z]{2})(\d{3})(\d{3})(\d{3})([A-Z]{2})$/, '$1 $2 $3 $4 $5')
}

const COLUMNS = [
  [5, 33, 'left'],
  [39, 7, 'right'],
  [47, 13, 'right'],
  [61, 16, 'right'],
  [78.5, 10, 'left'],
  [89, 6, 'left'],
] as const

function drawCustoms(
  canvas: PdfCanvas,
  content: LabelContent,
  page: ReturnType<typeof customsPages>[number],
): void {
  const { customs, rows, note, isLast } = page
  canvas.text(MARGIN, 11, 'CUSTOMS DECLARATION', { size: 14, bold: true, width: 66 })
  canvas.text(MARGIN + 66, 11, 'CN 23', { size: 14, bold: true, width: 24, align: 'right' })
  canvas.text(MARGIN, 15, `Déclaration en douane · ${note}`, { size: 7, width: INNER, colour: 'grey' })
  canvas.line(MARGIN, 17, WIDTH - MARGIN, 17, 1.5)
  const { receiver, sender } = content
  const to = [receiver.name, ...receiver.lines, receiver.place, receiver.country]
  for (const [x, head, lines] of [
    [MARGIN, 'FROM', sender],
    [52, 'TO', to],
  ] as const) {
    canvas.text(x, 20.5, head, { size: 6, bold: true, width: 20, colour: 'grey' })
    for (const [i, line] of lines.slice(0, 6).entries()) {
      canvas.text(x, 23.5 + i * 2.8, line, { size: 6.5, width: 43, bold: i === 0 })
    }
  }
  canvas.line(MARGIN, 40, WIDTH - MARGIN, 40)
  drawTable(canvas, rows)
  canvas.line(MARGIN, 104, WIDTH - MARGIN, 104)
  if (isLast) {
    canvas.text(MARGIN, 108.5, `Total weight  ${customs.totalWeightKg.toFixed(3)} kg`, {
      size: 8.5,
      bold: true,
      width: 40,
    })
    canvas.text(MARGIN + 40, 108.5, `Total value  ${customs.totalValue}`, {
      size: 8.5,
      bold: true,
      width: 50,
      align: 'right',
    })
  }
  canvas.text(MARGIN, 113.5, page.category, { size: 7.5, width: INNER })
  canvas.text(MARGIN, 117.5, page.statement, { size: 6.5, width: INNER, colour: 'grey' })
  canvas.line(MARGIN, 120, WIDTH - MARGIN, 120, 1.5)
  drawCode(canvas, content.trackingCode, 123, 17)
}

function drawTable(canvas: PdfCanvas, rows: readonly (readonly string[])[]): void {
  const heads = customsRow()
  for (const [c, [x, width, align]] of COLUMNS.entries()) {
    canvas.text(x, 43.5, heads[c] ?? '', { size: 6, bold: true, width, align, colour: 'grey' })
    for (const [r, row] of rows.entries()) {
      canvas.text(x, 48 + r * 4.5, row[c] ?? '', { size: 7.5, width, align })
    }
  }
  canvas.line(MARGIN, 44.8, WIDTH - MARGIN, 44.8, 0.4)
}
