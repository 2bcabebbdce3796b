import {
  closePath,
  fill,
  fillEvenOdd,
  grayscale,
  lineTo,
  moveTo,
  PDFDocument,
  type PDFFont,
  type PDFOperator,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  StandardFonts,
  setFillingGrayscaleColor,
} from '@cantoo/pdf-lib'
import { qrcode, type RenderOptions, render } from 'bwip-js/node'
import type { LabelContent } from './content.ts'
import { ABOVE_BASELINE, outlinesOf, partsOf } from './glyphs.ts'
import { drawLabel, fitText, HEIGHT, INNER, type LabelCanvas, type TextStyle, WIDTH } from './layout.ts'

const POINTS_PER_MM = 72 / 25.4
const GREYS = { grey: 0.35, white: 1, black: 0 }
const MAX_MODULE_MM = 0.5
const QUIET_ZONE_MM = 4

/** Equal contents and times (ms) make equal files. */
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
  drawLabel(content, () => new PdfCanvas(pdf.addPage([WIDTH * POINTS_PER_MM, HEIGHT * POINTS_PER_MM]), fonts))
  return pdf.save()
}

class PdfCanvas implements LabelCanvas {
  constructor(
    private readonly page: PDFPage,
    private readonly fonts: Readonly<Record<'regular' | 'bold', PDFFont>>,
  ) {}

  text(x: number, y: number, text: string, style: TextStyle) {
    const { width, bold, align = 'left', colour = 'black' } = style
    const font = bold ? this.fonts.bold : this.fonts.regular
    const widthOf = (text: string) =>
      partsOf(text).reduce((sum, { text: part, isDrawn }) => {
        return sum + (isDrawn ? [...part].length : font.widthOfTextAtSize(part, 1)) / POINTS_PER_MM
      }, 0)
    const { shown, size } = fitText(text, style, widthOf)
    const free = width - widthOf(shown) * size
    const indent = { left: 0, centre: free / 2, right: free }[align]
    let left = x + indent
    for (const part of partsOf(shown)) {
      if (part.isDrawn) this.#characters(left, y, part.text, { size, grey: GREYS[colour] })
      else this.page.drawText(part.text, { ...toPoint(left, y), size, color: grayscale(GREYS[colour]), font })
      left += widthOf(part.text) * size
    }
  }

  #characters(x: number, y: number, text: string, { size, grey }: { size: number; grey: number }) {
    const em = size / POINTS_PER_MM
    const outlines = [...text].flatMap((character, index) =>
      outlinesOf(character).map((points) =>
        points.map(([px, py]) => toPoint(x + (index + px) * em, y + (py - ABOVE_BASELINE) * em)),
      ),
    )
    this.#fill(outlines, fill(), grey)
  }

  black(x: number, y: number, width: number, height: number) {
    const [w, h] = [width * POINTS_PER_MM, height * POINTS_PER_MM]
    this.page.drawRectangle({ ...toPoint(x, y + height), width: w, height: h, color: grayscale(GREYS.black) })
  }

  code128(y: number, height: number, text: string) {
    const shape = barcodeShape({ bcid: 'code128', text, height: 10 })
    const width = Math.min(MAX_MODULE_MM, (INNER - 2 * QUIET_ZONE_MM) / shape.width) * shape.width
    this.#barcode((WIDTH - width) / 2, y, [width, height], shape)
  }

  dataMatrix(x: number, y: number, width: number, text: string) {
    this.#barcode(x, y, [width, width], barcodeShape({ bcid: 'datamatrix', text }))
  }

  /** One path, so that no hairlines appear between the bars. */
  #barcode(x: number, y: number, [width, height]: readonly [number, number], shape: BarcodeShape) {
    const outlines = shape.outlines.map((outline) =>
      outline.map(([px, py]) => toPoint(x + (px / shape.width) * width, y + (py / shape.height) * height)),
    )
    this.#fill(outlines, fillEvenOdd(), 0)
  }

  #fill(outlines: ReturnType<typeof toPoint>[][], operator: PDFOperator, grey: number) {
    const paths = outlines.flatMap((outline) => [
      ...outline.map((point, i) => (i === 0 ? moveTo : lineTo)(point.x, point.y)),
      closePath(),
    ])
    const colour = setFillingGrayscaleColor(grey)
    this.page.pushOperators(pushGraphicsState(), colour, ...paths, operator, popGraphicsState())
  }
}

/** Converts mm from the top left corner to points from the bottom left. */
function toPoint(x: number, y: number) {
  return { x: x * POINTS_PER_MM, y: (HEIGHT - y) * POINTS_PER_MM }
}

type BarcodeShape = ReturnType<typeof barcodeShape>

export function qrPng(text: string): Promise<Buffer> {
  return qrcode({
    bcid: 'qrcode',
    text,
    scale: 8,
    padding: 4,
    backgroundcolor: 'ffffff',
    includetext: true,
    alttext: text,
    textxalign: 'center',
    textyoffset: -4,
    textsize: 6,
  })
}

/** Returns outlines in modules from the top left corner, to fill by the even-odd rule. */
function barcodeShape(options: RenderOptions) {
  const shape = { width: 0, height: 0, outlines: [] as (readonly [x: number, y: number])[][] }
  return render(
    { scale: 1, ...options },
    {
      scale: () => [1, 1],
      measure: () => ({ width: 0, ascent: 0, descent: 0 }),
      init: (width, height) => void Object.assign(shape, { width, height }),
      line: (...[x, top, , bottom, width]) => {
        // The encoder rounds the middle of an odd number of pixels up.
        const left = Math.floor(x - width / 2)
        const right = left + width
        shape.outlines.push([
          [left, top],
          [right, top],
          [right, bottom],
          [left, bottom],
        ])
      },
      polygon: (points) => void shape.outlines.push(points),
      hexagon: () => {},
      ellipse: () => {},
      fill: () => {},
      text: () => {},
      end: () => shape,
    },
  )
}
