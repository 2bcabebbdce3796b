import { deflateSync } from 'node:zlib'
import type { PDFDict, PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import type { QuarterTurn, Size } from '../paper/sheet-layout.ts'
import type { ZplSymbol } from './codes.ts'
import { ZplFont, type ZplTypeface } from './font.ts'
import type { Bitmap } from './graphic.ts'
import type { DrawnShape, Outline } from './shapes.ts'

type PdfLib = typeof import('@cantoo/pdf-lib')

/** Point that a field is drawn and turned about. */
export interface FieldPlace {
  /** Dots from the top left corner of the label. */
  x: number
  y: number
  /** Clockwise. */
  turn: QuarterTurn
  /** True if the field turns black to white, and white to black. */
  isReverse: boolean
}

/** Place of a field as `^FO` gives it, or `^FT` if it is from the bottom. */
export interface FieldOrigin extends FieldPlace {
  isFromBottom: boolean
  isFromRight: boolean
}

/** Fonts and graphics that all labels of one PDF share. */
export class ZplResources {
  readonly #images: PDFDict
  readonly #reference: PDFRef
  readonly #names = new Map<Bitmap, string>()

  private constructor(
    readonly lib: PdfLib,
    readonly target: PDFDocument,
    readonly fonts: Readonly<Record<ZplTypeface, ZplFont>>,
  ) {
    const { context } = target
    this.#images = context.obj({})
    const { scalable, fixed } = fonts
    const Font = context.obj({ ...scalable.resources, ...fixed.resources })
    // Difference is the operation that turns black into white.
    const ExtGState = { R: { BM: 'Difference' } }
    this.#reference = context.register(context.obj({ Font, XObject: this.#images, ExtGState }))
  }

  static async of(lib: PdfLib, target: PDFDocument): Promise<ZplResources> {
    const [scalable, fixed] = [
      await ZplFont.of(lib, target, 'scalable'),
      await ZplFont.of(lib, target, 'fixed'),
    ]
    return new ZplResources(lib, target, { scalable, fixed })
  }

  /** Adds a bitmap once, however many labels show it. */
  nameOf(bitmap: Bitmap): string {
    const known = this.#names.get(bitmap)
    if (known !== undefined) return known
    const { width, height, rows } = bitmap
    const name = `G${this.#names.size}`
    const size = { Width: width, Height: height, BitsPerComponent: 1 }
    const image = { Type: 'XObject', Subtype: 'Image', ...size, ImageMask: true, Decode: [1, 0] }
    this.#images.set(this.lib.PDFName.of(name), this.#add(image, rows))
    this.#names.set(bitmap, name)
    return name
  }

  /** Returns an object that is placed as images are: in a square of 1 by 1. */
  form(content: string, { width, height }: Size): PDFRef {
    const dict = {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, width, height],
      Matrix: [1 / width, 0, 0, 1 / height, 0, 0],
      Resources: this.#reference,
    }
    return this.#add(dict, Buffer.from(content, 'latin1'))
  }

  #add(dict: Parameters<PDFDocument['context']['obj']>[0] & object, data: Buffer): PDFRef {
    const { context } = this.target
    const stream = context.obj({ ...dict, Filter: 'FlateDecode' })
    return context.register(this.lib.PDFRawStream.of(stream as PDFDict, deflateSync(data, { level: 3 })))
  }
}

const DIRECTIONS = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const

/** Collects PDF operators of one label, in dots, from the top down. */
export class ZplPainter {
  readonly #operators: string[] = []
  readonly #resources: ZplResources
  #hasReverse = false

  constructor(resources: ZplResources) {
    this.#resources = resources
  }

  get fonts(): ZplResources['fonts'] {
    return this.#resources.fonts
  }

  /** Fills areas by the even-odd rule. */
  fill(place: FieldPlace, outlines: readonly Outline[], isWhite = false): void {
    const path = outlines.map((outline) => `${outline.map(numbers).join(' l ').replace(' l', ' m')} l h`)
    this.#at(place, `${isWhite ? '1 g ' : ''}${path.join(' ')} f*`)
  }

  /** Draws a text whose base line begins at `at`, from `place`. */
  text(
    place: FieldPlace,
    at: readonly [x: number, y: number],
    text: string,
    font: { typeface: ZplTypeface; height: number; scaleX: number },
  ): void {
    const letters = this.fonts[font.typeface]
    const [across, down] = [font.height * font.scaleX * letters.stretch, -font.height * letters.rise]
    this.#at(place, `BT ${numbers([across, 0, 0, down, ...at])} Tm ${letters.shown(text)} ET`)
  }

  graphic(place: FieldPlace, bitmap: Bitmap, [across, down]: readonly [across: number, down: number]): void {
    const [width, height] = [bitmap.width * across, bitmap.height * down]
    const matrix = numbers([width, 0, 0, -height, 0, height])
    this.#at(place, `${matrix} cm /${this.#resources.nameOf(bitmap)} Do`)
  }

  /** Returns undefined if nothing was drawn. */
  finish(size: Size, { isInverted = false, isMirrored = false, right = 0, down = 0 }): PDFRef | undefined {
    if (this.#operators.length === 0) return undefined
    // Difference needs a white ground, as no ground at all would stay empty.
    const ground = this.#hasReverse ? [`1 g ${numbers([0, 0, size.width, size.height])} re f 0 g`] : []
    const mirror = isMirrored !== isInverted ? [-1, size.width] : [1, 0]
    const flip = isInverted ? [1, 0] : [-1, size.height]
    const matrix = [mirror[0] ?? 1, 0, 0, flip[0] ?? 1, mirror[1] ?? 0, flip[1] ?? 0]
    const shift = right !== 0 || down !== 0 ? [`${numbers([1, 0, 0, 1, right, down])} cm`] : []
    const content = [`${numbers(matrix)} cm`, ...ground, ...shift, ...this.#operators].join('\n')
    return this.#resources.form(content, size)
  }

  #at({ x, y, turn, isReverse }: FieldPlace, operators: string): void {
    const [cos, sin] = DIRECTIONS[turn]
    this.#hasReverse ||= isReverse
    const reverse = isReverse ? '/R gs 1 g ' : ''
    this.#operators.push(`q ${numbers([cos, sin, -sin, cos, x, y])} cm ${reverse}${operators} Q`)
  }
}

/** Fills an area of `^GB` and others. */
export function drawArea(
  painter: ZplPainter,
  origin: FieldOrigin,
  { outlines, isWhite, ...size }: DrawnShape,
): void {
  painter.fill(turned(origin, size).place, outlines, isWhite)
}

/** @param times dots of the label for a dot of the graphic, across and down */
export function drawGraphic(
  painter: ZplPainter,
  origin: FieldOrigin,
  bitmap: Bitmap,
  times: readonly [across: number, down: number] = [1, 1],
): void {
  const size = { width: bitmap.width * times[0], height: bitmap.height * times[1] }
  painter.graphic(turned(origin, size).place, bitmap, times)
}

export function drawCode(painter: ZplPainter, origin: FieldOrigin, symbol: ZplSymbol): void {
  const {
    place,
    at: [left, top],
  } = turned(origin, symbol)
  const { outlines, texts = [], drop } = symbol
  if (drop) place.y += origin.isFromBottom ? drop.fromBottom : drop.fromTop
  painter.fill(
    place,
    outlines.map((outline): Outline => outline.map(([x, y]) => [x + left, y + top])),
  )
  for (const { text, middle, baseLine, height } of texts) {
    const width = painter.fonts.fixed.widthOf(text) * height
    const from = [left + middle - width / 2, top + baseLine] as const
    painter.text(place, from, text, { typeface: 'fixed', height, scaleX: 1 })
  }
}

/** Returns the point that a field is turned about, and the way from there to its corner. */
function turned(
  { isFromBottom, isFromRight, ...origin }: FieldOrigin,
  size: { width: number; height: number },
) {
  const { width, height } = size
  const place: FieldPlace = { ...origin }
  const { turn } = place
  if (isFromRight) place.x -= turn % 180 === 0 ? width : height
  if (isFromBottom) {
    if (turn === 0) place.y -= height
    if (turn === 180) place.x -= width
    if (turn === 270) [place.x, place.y] = [place.x - height, place.y - width]
  }
  const at = { 0: [0, 0], 90: [0, -height], 180: [-width, -height], 270: [-width, 0] } as const
  return { place, at: at[turn] }
}

function numbers(all: readonly number[]): string {
  return all.map((number) => String(Math.round(number * 1000) / 1000 || 0)).join(' ')
}
