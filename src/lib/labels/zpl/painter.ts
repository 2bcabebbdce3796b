import { deflateSync } from 'node:zlib'
import { type PDFDict, type PDFDocument, PDFName, PDFRawStream, type PDFRef } from '@cantoo/pdf-lib'
import type { QuarterTurn, Size } from '../paper/sheet-layout.ts'
import type { ZplSymbol } from './codes.ts'
import { ZplFont, type ZplTypeface } from './font.ts'
import { type Bitmap, inkEnd } from './graphic.ts'
import type { DrawnShape, Outline } from './shapes.ts'

type Pair = readonly [across: number, down: number]

interface Position {
  x: number
  y: number
  /** Clockwise. */
  turn: QuarterTurn
  isReverse: boolean
}

/** Set by `^FO`, or by `^FT` if it is from the bottom. */
export interface FieldOrigin extends Position {
  isFromBottom: boolean
  isFromRight: boolean
}

export class ZplResources {
  readonly #images: PDFDict
  readonly #reference: PDFRef
  readonly #known = new Map<Bitmap, { name: string; ink: Pair }>()

  private constructor(
    private readonly target: PDFDocument,
    readonly fonts: Readonly<Record<ZplTypeface, ZplFont>>,
  ) {
    const { context } = target
    this.#images = context.obj({})
    const Font = context.obj({ ...fonts.scalable.resources, ...fonts.fixed.resources })
    const ExtGState = { R: { BM: 'Difference' } }
    this.#reference = context.register(context.obj({ Font, XObject: this.#images, ExtGState }))
  }

  static async of(target: PDFDocument): Promise<ZplResources> {
    const scalable = await ZplFont.of(target, 'scalable')
    const fixed = await ZplFont.of(target, 'fixed')
    return new ZplResources(target, { scalable, fixed })
  }

  graphic(bitmap: Bitmap): { name: string; ink: Pair } {
    const known = this.#known.get(bitmap)
    if (known) return known
    const { width: Width, height: Height, rows } = bitmap
    const graphic = { name: `G${this.#known.size}`, ink: inkEnd(bitmap) }
    const mask = { Width, Height, BitsPerComponent: 1, ImageMask: true, Decode: [1, 0] }
    const image = { Type: 'XObject', Subtype: 'Image', ...mask }
    this.#images.set(PDFName.of(graphic.name), this.#add(image, rows))
    this.#known.set(bitmap, graphic)
    return graphic
  }

  /** Scales the form to 1 by 1, the size at which PDF draws images. */
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

  #add(dict: Parameters<PDFDocument['context']['obj']>[0] & object, data: Buffer) {
    const { context } = this.target
    const stream = context.obj({ ...dict, Filter: 'FlateDecode' })
    return context.register(PDFRawStream.of(stream as PDFDict, deflateSync(data, { level: 3 })))
  }
}

export const DIRECTIONS = { 0: [1, 0], 90: [0, 1], 180: [-1, 0], 270: [0, -1] } as const

export class ZplPainter {
  readonly #operators: string[] = []
  #hasReverse = false
  /** Right and lower ends of the ink, in dots. */
  readonly ends = { right: 0, bottom: 0 }
  readonly fonts: ZplResources['fonts']

  constructor(private readonly resources: ZplResources) {
    this.fonts = resources.fonts
  }

  #fill(position: Position, outlines: readonly Outline[], isWhite = false) {
    const path = outlines.map((outline) => `${outline.map(numbers).join(' l ').replace(' l', ' m')} l h`)
    this.#at(position, isWhite ? [] : outlines.flat(), `${isWhite ? '1 g ' : ''}${path.join(' ')} f*`)
  }

  text(
    position: Position,
    at: Pair,
    text: string,
    font: { typeface: ZplTypeface; height: number; scaleX: number },
  ) {
    const letters = this.fonts[font.typeface]
    const [across, down] = [font.height * font.scaleX * letters.stretch, -font.height * letters.rise]
    const [left, baseLine] = at
    const right = left + letters.widthOf(text.trimEnd()) * font.height * font.scaleX
    const ink: Pair[] = [
      [left, baseLine - font.height / 2],
      [right, baseLine],
    ]
    this.#at(position, ink, `BT ${numbers([across, 0, 0, down, ...at])} Tm ${letters.shown(text)} ET`)
  }

  shape(origin: FieldOrigin, { outlines, isWhite, ...size }: DrawnShape) {
    this.#fill(turned(origin, size).position, outlines, isWhite)
  }

  graphic(origin: FieldOrigin, bitmap: Bitmap, [across, down]: Pair) {
    const [width, height] = [bitmap.width * across, bitmap.height * down]
    const matrix = numbers([width, 0, 0, -height, 0, height])
    const { position } = turned(origin, { width, height })
    const { name, ink } = this.resources.graphic(bitmap)
    this.#at(position, [[ink[0] * across, ink[1] * down]], `${matrix} cm /${name} Do`)
  }

  code(origin: FieldOrigin, { outlines, texts = [], drop, ...size }: ZplSymbol) {
    const { position, at } = turned(origin, size)
    const [left, top] = at
    if (drop) position.y += origin.isFromBottom ? drop.fromBottom : drop.fromTop
    const moved = outlines.map((outline) => outline.map(([x, y]) => [x + left, y + top] as const))
    this.#fill(position, moved)
    for (const { text, middle, baseLine, height } of texts) {
      const width = this.fonts.fixed.widthOf(text) * height
      const from = [left + middle - width / 2, top + baseLine] as const
      this.text(position, from, text, { typeface: 'fixed', height, scaleX: 1 })
    }
  }

  finish(
    size: Size,
    {
      isInverted,
      isMirrored,
      right,
      down,
    }: Record<'isInverted' | 'isMirrored', boolean> & Record<'right' | 'down', number>,
  ): PDFRef | undefined {
    if (this.#operators.length === 0) return undefined
    // The blend mode Difference needs a white background.
    const ground = this.#hasReverse ? [`1 g ${numbers([0, 0, size.width, size.height])} re f 0 g`] : []
    const [across, x] = isMirrored !== isInverted ? [-1, size.width] : [1, 0]
    const [up, y] = isInverted ? [1, 0] : [-1, size.height]
    const transform = [`${numbers([across, 0, 0, up, x, y])} cm`, ...ground]
    const shift = `${numbers([1, 0, 0, 1, right, down])} cm`
    return this.resources.form([...transform, shift, ...this.#operators].join('\n'), size)
  }

  #at({ x, y, turn, isReverse }: Position, ink: readonly Pair[], operators: string) {
    const [cos, sin] = DIRECTIONS[turn]
    for (const [across, down] of ink) {
      this.ends.right = Math.max(this.ends.right, x + across * cos - down * sin)
      this.ends.bottom = Math.max(this.ends.bottom, y + across * sin + down * cos)
    }
    this.#hasReverse ||= isReverse
    const reverse = isReverse ? '/R gs 1 g ' : ''
    this.#operators.push(`q ${numbers([cos, sin, -sin, cos, x, y])} cm ${reverse}${operators} Q`)
  }
}

function turned({ isFromBottom, isFromRight, ...position }: FieldOrigin, { width, height }: Size) {
  const { turn } = position
  if (isFromRight) position.x -= turn % 180 === 0 ? width : height
  if (isFromBottom) {
    if (turn === 0) position.y -= height
    if (turn === 180) position.x -= width
    if (turn === 270) [position.x, position.y] = [position.x - height, position.y - width]
  }
  const at = { 0: [0, 0], 90: [0, -height], 180: [-width, -height], 270: [-width, 0] } as const
  return { position, at: at[turn] }
}

function numbers(all: readonly number[]) {
  return all.map((number) => String(Math.round(number * 1000) / 1000 || 0)).join(' ')
}
