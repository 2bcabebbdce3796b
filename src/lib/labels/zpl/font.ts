import {
  type PDFArray,
  type PDFDict,
  type PDFDocument,
  type PDFFont,
  PDFName,
  type PDFRef,
  StandardFonts,
} from '@cantoo/pdf-lib'
import font from './font.json'

/** `scalable` is the printers' font 0, `fixed` their bitmap fonts. */
export type ZplTypeface = 'scalable' | 'fixed'

/** Glyph widths of font 0 as shares of its height. */
const SCALABLE = new Map(
  Object.entries(font.widths).flatMap(([width, all]) => [...all].map((c) => [c, +width / 1000])),
)
const FIXED_WIDTH = 0.602
/** Width of font 0 as a share of Helvetica Bold's. */
const CONDENSED = 0.84

/** Glyph name suffixes, for letters outside WinAnsi. */
const ACCENTS: Readonly<Record<string, string>> = font.accents
const GLYPH_NAMES: Readonly<Record<string, string>> = font.glyphNames

interface Glyph {
  resource: string
  hex: string
  /** Multiples of the font's height. */
  width: number
  /** The glyph's width in the PDF's font. */
  drawnWidth: number
}

/** A standard PDF font, stretched to the widths of printers, so that no font is embedded or shipped. */
export class ZplFont {
  readonly #known = new Map<string, Glyph | undefined>()
  readonly #name: string
  readonly #differences: PDFArray
  readonly stretch: number
  /** Fixed-width letters are taller on printers. */
  readonly rise: number
  readonly resources: Readonly<Record<string, PDFRef | PDFDict>>

  private constructor(
    private readonly font: PDFFont,
    private readonly isFixed: boolean,
  ) {
    this.#name = isFixed ? 'F' : 'S'
    this.#differences = font.doc.context.obj([1])
    this.stretch = isFixed ? 1 : CONDENSED
    this.rise = isFixed ? 1.3 : 1
    const Encoding = { Type: 'Encoding', Differences: this.#differences }
    const dict = { Type: 'Font', Subtype: 'Type1', BaseFont: font.name, Encoding }
    this.resources = { [this.#name]: font.ref, [`${this.#name}X`]: font.doc.context.obj(dict) }
  }

  static async of(target: PDFDocument, typeface: ZplTypeface): Promise<ZplFont> {
    const isFixed = typeface === 'fixed'
    const { HelveticaBold, CourierBold } = StandardFonts
    return new ZplFont(await target.embedFont(isFixed ? CourierBold : HelveticaBold), isFixed)
  }

  missingIn(text: string): string | undefined {
    return [...text].find((character) => this.#glyph(character) === undefined)
  }

  widthOf(text: string): number {
    let sum = 0
    for (const character of text) sum += this.#glyph(character)?.width ?? 0
    return sum
  }

  shown(text: string): string {
    let operators = ''
    let resource = ''
    let gap = 0
    for (const character of text) {
      const glyph = this.#glyph(character)
      if (glyph === undefined) continue
      if (glyph.resource !== resource) {
        operators += `${resource && '] TJ '}/${glyph.resource} 1 Tf [`
        resource = glyph.resource
      }
      const spare = 500 * (glyph.drawnWidth - glyph.width / this.stretch)
      operators += `${Math.round(gap + spare)}<${glyph.hex}>`
      gap = spare
    }
    return operators && `${operators}] TJ`
  }

  #glyph(character: string) {
    if (!this.#known.has(character)) this.#known.set(character, this.#findGlyph(character))
    return this.#known.get(character)
  }

  #findGlyph(character: string): Glyph | undefined {
    const [base = '', accent = '', ...more] = character.normalize('NFD')
    const scalable = SCALABLE.get(character) ?? SCALABLE.get(base)
    if (scalable === undefined) return undefined
    const width = this.isFixed ? FIXED_WIDTH : scalable
    if (this.font.getCharacterSet().includes(character.codePointAt(0) ?? 0)) {
      const hex = this.font.encodeText(character).asString()
      return { resource: this.#name, hex, width, drawnWidth: this.font.widthOfTextAtSize(character, 1) }
    }
    const like = { ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ı: 'i' }[character] ?? base
    const part = ACCENTS[accent]
    const name = GLYPH_NAMES[character] ?? (part && more.length === 0 ? base + part : undefined)
    const code = this.#differences.size()
    if (name === undefined || code > 255) return undefined
    this.#differences.push(PDFName.of(name))
    const hex = code.toString(16).padStart(2, '0')
    return { resource: `${this.#name}X`, hex, width, drawnWidth: this.font.widthOfTextAtSize(like, 1) }
  }
}
