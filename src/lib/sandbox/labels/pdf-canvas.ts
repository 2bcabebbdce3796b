import {
  closePath,
  fillEvenOdd,
  lineTo,
  moveTo,
  type PDFFont,
  type PDFPage,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  setFillingGrayscaleColor,
} from '@cantoo/pdf-lib'
import type { BarcodeShape } from './barcodes.ts'
import { shortened } from './content.ts'

const POINTS_PER_MM = 72 / 25.4
const BLACK = rgb(0, 0, 0)
const WHITE = rgb(1, 1, 1)
const GREY = rgb(0.35, 0.35, 0.35)

export interface Fonts {
  regular: PDFFont
  bold: PDFFont
}

export interface TextStyle {
  /** Points; down to 70 % of it where the text does not fit. */
  size: number
  /** Mm. */
  width: number
  bold?: boolean
  colour?: 'grey' | 'white'
  align?: 'left' | 'centre' | 'right'
}

export class PdfCanvas {
  readonly #page: PDFPage
  readonly #fonts: Fonts
  readonly #height: number

  constructor(page: PDFPage, fonts: Fonts) {
    this.#page = page
    this.#fonts = fonts
    this.#height = page.getHeight()
  }

  text(x: number, y: number, text: string, style: TextStyle): void {
    const font = style.bold ? this.#fonts.bold : this.#fonts.regular
    const room = style.width * POINTS_PER_MM
    const wanted = font.widthOfTextAtSize(text, style.size)
    const size = Math.max(style.size * 0.7, Math.min(style.size, (style.size * room) / wanted))
    let shown = text
    while (shown.length > 1 && font.widthOfTextAtSize(shown, size) > room + 0.01) {
      shown = shortened(shown)
    }
    const free = room - font.widthOfTextAtSize(shown, size)
    const indent = { left: 0, centre: free / 2, right: free }[style.align ?? 'left']
    this.#page.drawText(shown, {
      x: x * POINTS_PER_MM + indent,
      y: this.#height - y * POINTS_PER_MM,
      size,
      color: { grey: GREY, white: WHITE, black: BLACK }[style.colour ?? 'black'],
      font,
    })
  }

  line(x0: number, y0: number, x1: number, y1: number, thickness = 0.8): void {
    this.#page.drawLine({
      start: { x: x0 * POINTS_PER_MM, y: this.#height - y0 * POINTS_PER_MM },
      end: { x: x1 * POINTS_PER_MM, y: this.#height - y1 * POINTS_PER_MM },
      thickness,
      color: BLACK,
    })
  }

  area(x: number, y: number, width: number, height: number): void {
    this.#page.drawRectangle({
      x: x * POINTS_PER_MM,
      y: this.#height - (y + height) * POINTS_PER_MM,
      width: width * POINTS_PER_MM,
      height: height * POINTS_PER_MM,
      color: BLACK,
    })
  }

  /** Size in mm. One path, so that no hairlines appear between the bars. */
  barcode(x: number, y: number, width: number, height: number, shape: BarcodeShape): void {
    const operators = shape.outlines.flatMap((outline) => [
      ...outline.map(([px, py], i) => {
        const left = (x + (px / shape.width) * width) * POINTS_PER_MM
        const up = this.#height - (y + (py / shape.height) * height) * POINTS_PER_MM
        return i === 0 ? moveTo(left, up) : lineTo(left, up)
      }),
      closePath(),
    ])
    this.#page.pushOperators(
      pushGraphicsState(),
      setFillingGrayscaleColor(0),
      ...operators,
      fillEvenOdd(),
      popGraphicsState(),
    )
  }
}
