import {
  beginText,
  type Color,
  endText,
  type PDFDocument,
  PDFHexString,
  PDFName,
  type PDFPage,
  type PDFRef,
  popGraphicsState,
  pushGraphicsState,
  setFillingColor,
  setFontAndSize,
  setTextMatrix,
  showText,
} from '@cantoo/pdf-lib'
import { type Contour, EM, type Outlines, type Point } from './outlines.ts'

/** Characters of a simple font. */
const FONT_SIZE = 256

/**
 * Text drawn in outlines, each of them once in the file. As Type 3 fonts, which need no font format to be written, and
 * with their Unicode values, so that it can be searched and copied like any text.
 */
export class PdfOutlines {
  readonly #pdf: PDFDocument
  readonly #outlines: Outlines
  readonly #positions = new Map<string, number>()
  readonly #fonts: PDFRef[] = []

  constructor(pdf: PDFDocument, outlines: Outlines) {
    this.#pdf = pdf
    this.#outlines = outlines
  }

  widthOfTextAtSize(text: string, size: number): number {
    return this.#outlines.width(text) * size
  }

  /** One line from a point of its baseline, in points. */
  draw(page: PDFPage, text: string, style: { x: number; y: number; size: number; color: Color }): void {
    const { x, y, size, color } = style
    page.pushOperators(
      pushGraphicsState(),
      beginText(),
      setFillingColor(color),
      setTextMatrix(1, 0, 0, 1, x, y),
    )
    let last: string | undefined
    for (const character of [...text].map((each) => this.#outlines.shown(each))) {
      const position = this.#positionOf(character)
      const no = Math.floor(position / FONT_SIZE)
      const name = `Outlines${no}`
      const font = this.#fonts[no]
      if (name !== last && font !== undefined) {
        page.node.setFontDictionary(PDFName.of(name), font)
        page.pushOperators(setFontAndSize(name, size))
      }
      last = name
      page.pushOperators(showText(PDFHexString.of(hex(position % FONT_SIZE, 2))))
    }
    page.pushOperators(endText(), popGraphicsState())
  }

  /** Among all characters drawn so far, in the order of their first use. */
  #positionOf(character: string): number {
    const position = this.#positions.get(character) ?? this.#positions.size
    if (position % FONT_SIZE === 0 && position === this.#positions.size) {
      this.#fonts.push(this.#pdf.context.nextRef())
    }
    this.#positions.set(character, position)
    return position
  }

  /** Writes the fonts, once everything is drawn. */
  embed(): void {
    const characters = [...this.#positions.keys()]
    for (const [no, ref] of this.#fonts.entries()) {
      this.#embedFont(ref, characters.slice(no * FONT_SIZE, (no + 1) * FONT_SIZE))
    }
  }

  #embedFont(ref: PDFRef, characters: readonly string[]): void {
    const { context } = this.#pdf
    const stream = (text: string) => context.register(context.flateStream(text))
    const names = characters.map((_, code) => `g${code}`)
    const advances = characters.map((character) => this.#outlines.advance(character))
    const glyphs = characters.map((character, code) =>
      stream(glyphProgram(advances[code] ?? 0, this.#outlines.glyph(character).contours)),
    )
    context.assign(
      ref,
      context.obj({
        Type: 'Font',
        Subtype: 'Type3',
        FontBBox: [0, 0, 0, 0],
        FontMatrix: [1 / EM, 0, 0, 1 / EM, 0, 0],
        Resources: {},
        FirstChar: 0,
        LastChar: characters.length - 1,
        Widths: advances,
        Encoding: { Type: 'Encoding', Differences: [0, ...names] },
        CharProcs: Object.fromEntries(names.map((name, code) => [name, glyphs[code] ?? null])),
        ToUnicode: stream(unicodeMap(characters)),
      }),
    )
  }
}

/** Without a colour of its own; the bounding box says how far it reaches. */
function glyphProgram(advance: number, contours: readonly Contour[]): string {
  const points = contours.flatMap(({ start, segments }) => [start, ...segments.map(({ to }) => to)])
  const controls = contours.flatMap(({ segments }) =>
    segments.flatMap(({ by }) => (by === undefined ? [] : [by])),
  )
  const [xs, ys] = [0, 1].map((axis) => [...points, ...controls].map((point) => point[axis] ?? 0))
  const box = [xs, ys].map((values = []) => [Math.min(0, ...values), Math.max(0, ...values)])
  const path = contours.flatMap(({ start, segments }) => {
    let from = start
    return [
      `${numbers(start)} m`,
      ...segments.map(({ by, to }) => {
        const operator =
          by === undefined
            ? `${numbers(to)} l`
            : `${numbers(towards(from, by))} ${numbers(towards(to, by))} ${numbers(to)} c`
        from = to
        return operator
      }),
      'h',
    ]
  })
  const [[left, right] = [], [bottom, top] = []] = box
  return [`${advance} 0 ${left} ${bottom} ${right} ${top} d1`, ...path, 'f'].join('\n')
}

/** PDF knows cubic curves only: their control points are two thirds of the way to the quadratic one. */
function towards(from: Point, by: Point): Point {
  return [from[0] + ((by[0] - from[0]) * 2) / 3, from[1] + ((by[1] - from[1]) * 2) / 3]
}

function numbers([x, y]: Point): string {
  return `${rounded(x)} ${rounded(y)}`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function unicodeMap(characters: readonly string[]): string {
  const rows = characters.map((character, code) => `<${hex(code, 2)}> <${utf16(character)}>`)
  const blocks = Array.from({ length: Math.ceil(rows.length / 100) }, (_, i) =>
    rows.slice(i * 100, i * 100 + 100),
  )
  return [
    '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap',
    '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def',
    '1 begincodespacerange\n<00> <FF>\nendcodespacerange',
    ...blocks.map((block) => `${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`),
    'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend',
  ].join('\n')
}

function utf16(text: string): string {
  return Array.from({ length: text.length }, (_, i) => hex(text.charCodeAt(i), 4)).join('')
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}
