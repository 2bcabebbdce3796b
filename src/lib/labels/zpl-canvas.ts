import { deflateSync } from 'node:zlib'
import type { PDFDict, PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import type { QuarterTurn } from './sheet-layout.ts'
import { ZplFont, type ZplTypeface } from './zpl-font.ts'
import { graphicBitmap } from './zpl-graphic.ts'

type PdfLib = typeof import('@cantoo/pdf-lib')

/** Letters of equal width are drawn higher than the PDF's font has them, as those of printers are. */
const FIXED_HEIGHT = 1.3
const NAMES: Readonly<Record<ZplTypeface, string>> = { scalable: 'S', fixed: 'F' }

/** What all labels of one PDF share: fonts, graphics, and the operation that turns black into white. */
export class ZplResources {
  readonly fonts: Readonly<Record<ZplTypeface, ZplFont>>
  readonly #lib: PdfLib
  readonly #target: PDFDocument
  readonly #images: PDFDict
  readonly #reference: PDFRef
  readonly #graphics = new Map<string, Graphic | undefined>()

  private constructor(
    lib: PdfLib,
    target: PDFDocument,
    fonts: ZplResources['fonts'],
    dicts: { images: PDFDict; reference: PDFRef },
  ) {
    this.#lib = lib
    this.#target = target
    this.fonts = fonts
    this.#images = dicts.images
    this.#reference = dicts.reference
  }

  static async of(lib: PdfLib, target: PDFDocument): Promise<ZplResources> {
    const scalable = await target.embedFont(lib.StandardFonts.HelveticaBold)
    const fixed = await target.embedFont(lib.StandardFonts.CourierBold)
    const { context } = target
    const images = context.obj({})
    const reference = context.register(
      context.obj({
        Font: { [NAMES.scalable]: scalable.ref, [NAMES.fixed]: fixed.ref },
        XObject: images,
        ExtGState: { R: { BM: 'Difference' } },
      }),
    )
    const fonts = { scalable: new ZplFont(scalable, 'scalable'), fixed: new ZplFont(fixed, 'fixed') }
    return new ZplResources(lib, target, fonts, { images, reference })
  }

  /** That of `^GF`; on many labels it is there once. Undefined if it is packed in a way that is not known here. */
  graphic(operands: string): Graphic | undefined {
    if (!this.#graphics.has(operands)) this.#graphics.set(operands, this.#addGraphic(operands))
    return this.#graphics.get(operands)
  }

  #addGraphic(operands: string): Graphic | undefined {
    const bitmap = graphicBitmap(operands)
    if (bitmap === undefined) return undefined
    const { width, height, rows } = bitmap
    const name = `G${this.#graphics.size}`
    const dict = {
      Type: 'XObject',
      Subtype: 'Image',
      Width: width,
      Height: height,
      ImageMask: true,
      BitsPerComponent: 1,
      Decode: [1, 0],
    }
    this.#images.set(this.#lib.PDFName.of(name), this.#add(dict, rows))
    return { name, width, height }
  }

  /** As an object that is placed as images are: in a square of 1 by 1. */
  form(content: string, { width, height }: { width: number; height: number }): PDFRef {
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
    const { context } = this.#target
    const stream = context.obj({ ...dict, Filter: 'FlateDecode' })
    return context.register(this.#lib.PDFRawStream.of(stream as PDFDict, deflateSync(data, { level: 3 })))
  }
}

/** Corners, in dots from a place. */
export type Outline = readonly (readonly [x: number, y: number])[]

export function rectangle(left: number, top: number, right: number, bottom: number): Outline {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

const DIRECTIONS = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const

interface Graphic {
  name: string
  /** Dots. */
  width: number
  height: number
}

export interface FieldPlace {
  /** Dots from the top left corner of the label. */
  x: number
  y: number
  /** Clockwise, about that point. */
  turn: QuarterTurn
  /** Turns what is below from black to white, and from white to black. */
  isReverse: boolean
}

/** Operators of one label, in dots, from the top down. */
export class ZplPainter {
  readonly #operators: string[] = []
  readonly #resources: ZplResources
  #hasReverse = false

  constructor(resources: ZplResources) {
    this.#resources = resources
  }

  /** Areas in one colour, by the even-odd rule. */
  fill(place: FieldPlace, outlines: readonly Outline[], isWhite = false): void {
    const path = outlines.map(
      (outline) =>
        `${outline
          .map((point) => numbers(point))
          .join(' l ')
          .replace(' l', ' m')} l h`,
    )
    this.#at(place, `${isWhite ? '1 g ' : ''}${path.join(' ')} f*`)
  }

  /** Its base line begins at `at`, from `place`. */
  text(
    place: FieldPlace,
    at: readonly [x: number, y: number],
    text: string,
    font: { typeface: ZplTypeface; height: number; scaleX: number },
  ): void {
    const letters = this.#resources.fonts[font.typeface]
    const height = font.typeface === 'fixed' ? font.height * FIXED_HEIGHT : font.height
    const matrix = numbers([font.height * font.scaleX * letters.stretch, 0, 0, -height, ...at])
    this.#at(place, `BT /${NAMES[font.typeface]} 1 Tf ${matrix} Tm ${letters.shown(text)} TJ ET`)
  }

  /** @returns whether it could be */
  graphic(place: FieldPlace, operands: string): boolean {
    const found = this.#resources.graphic(operands)
    if (found === undefined) return false
    const { name, width, height } = found
    this.#at(place, `${numbers([width, 0, 0, -height, 0, height])} cm /${name} Do`)
    return true
  }

  /** @returns undefined if nothing was drawn */
  finish(size: { width: number; height: number }): PDFRef | undefined {
    if (this.#operators.length === 0) return undefined
    // What is turned to white needs a white ground, and not none.
    const ground = this.#hasReverse ? [`1 g ${numbers([0, 0, size.width, size.height])} re f 0 g`] : []
    const content = [`1 0 0 -1 0 ${size.height} cm`, ...ground, ...this.#operators].join('\n')
    return this.#resources.form(content, size)
  }

  #at({ x, y, turn, isReverse }: FieldPlace, operators: string): void {
    const [cos, sin] = DIRECTIONS[turn]
    this.#hasReverse ||= isReverse
    const reverse = isReverse ? '/R gs 1 g ' : ''
    this.#operators.push(`q ${numbers([cos, sin, -sin, cos, x, y])} cm ${reverse}${operators} Q`)
  }
}

function numbers(all: readonly number[]): string {
  return all.map((number) => String(Math.round(number * 1000) / 1000 || 0)).join(' ')
}
