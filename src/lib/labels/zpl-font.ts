import type { PDFFont } from '@cantoo/pdf-lib'

/** The scalable font 0, and the fonts A to H, whose letters are all of one width. */
export type ZplTypeface = 'scalable' | 'fixed'

/** Thousandths of the height that letters of font 0 are wide, accents or not: condensed as on printers. */
const WIDTHS: Readonly<Record<number, string>> = {
  250: " '\\|¦",
  274: '{}',
  278: '/:;Ifijlt‘’‚‹›',
  300: 'ª²³¹º',
  333: '!"(),.[]`r¡¨¯´·¸',
  389: 'z',
  400: '°',
  420: '•',
  444: 'Jcksvxy',
  500: '#$*+0123456789<=>?EFLTZ^_abdeghnopqu~¢£¤¥§«¬±µ»¿øßðþ×÷€–“”„',
  556: 'ABCKPSVXYÞ',
  611: 'DGHNOQRUØÐ',
  667: '&w',
  722: 'æœ',
  750: '¼½¾',
  778: 'MmÆ',
  800: '-',
  830: '©®',
  833: '%@WŒ',
  860: '™',
  1000: '—…',
}
const SCALABLE = new Map(
  Object.entries(WIDTHS).flatMap(([width, all]) => [...all].map((c) => [c, +width / 1000])),
)
const FIXED_WIDTH = 0.602
const CONDENSED = 0.84

interface Glyph {
  /** Its code in the PDF's font. */
  hex: string
  /** Multiples of the font's height. */
  width: number
  /** What the PDF's font gives it. */
  drawnWidth: number
}

/** The two typefaces of labels by standard fonts of PDF, each text as wide as on a printer. */
export class ZplFont {
  readonly #known = new Map<string, Glyph | undefined>()
  readonly #font: PDFFont
  readonly #isFixed: boolean
  /** By how much letters of the PDF's font are to be widened. */
  readonly stretch: number

  constructor(font: PDFFont, typeface: ZplTypeface) {
    this.#font = font
    this.#isFixed = typeface === 'fixed'
    this.stretch = this.#isFixed ? 1 : CONDENSED
  }

  /** Multiples of the font's height; undefined if it has not all letters. */
  widthOf(text: string): number | undefined {
    return this.#glyphs(text)?.reduce((sum, { width }) => sum + width, 0)
  }

  /** Operand of `TJ`: each letter in the middle of its place, and as wide as the letters of printers by and large. */
  shown(text: string): string {
    let parts = ''
    let gap = 0
    for (const { hex, width, drawnWidth } of this.#glyphs(text) ?? []) {
      const spare = 500 * (drawnWidth - width / this.stretch)
      parts += `${Math.round(gap + spare)}<${hex}>`
      gap = spare
    }
    return `[${parts}]`
  }

  #glyphs(text: string): Glyph[] | undefined {
    const glyphs: Glyph[] = []
    for (const character of text) {
      if (!this.#known.has(character)) this.#known.set(character, this.#glyph(character))
      const glyph = this.#known.get(character)
      if (glyph === undefined) return undefined
      glyphs.push(glyph)
    }
    return glyphs
  }

  #glyph(character: string): Glyph | undefined {
    const scalable = SCALABLE.get(character) ?? SCALABLE.get(character.normalize('NFD').charAt(0))
    if (scalable === undefined || !this.#font.getCharacterSet().includes(character.codePointAt(0) ?? 0))
      return undefined
    return {
      hex: this.#font.encodeText(character).asString(),
      width: this.#isFixed ? FIXED_WIDTH : scalable,
      drawnWidth: this.#font.widthOfTextAtSize(character, 1),
    }
  }
}
