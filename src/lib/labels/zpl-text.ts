import type { QuarterTurn } from './sheet-layout.ts'
import type { ZplTypeface } from './zpl-font.ts'

/** A font as a label asks for it: dots, a width of 0 where it does not say. */
export interface ZplFontChoice {
  /** `0`, or `A` to `H`. */
  name: string
  height: number
  width: number
  turn: QuarterTurn
}

/** Dots of the fonts that printers have as bitmaps, and enlarge in whole steps. */
const BITMAPS: Readonly<Record<string, readonly [height: number, width: number]>> = {
  A: [9, 5],
  B: [11, 7],
  C: [18, 10],
  D: [18, 10],
  E: [28, 15],
  F: [26, 13],
  G: [60, 40],
  H: [21, 13],
}
const SMALLEST = 10

export interface ZplLetters {
  typeface: ZplTypeface
  height: number
  /** Their width as a multiple of what their height alone makes of it. */
  scaleX: number
}

/** Undefined for a font that is not built into printers. */
export function lettersOf({ name, height, width }: ZplFontChoice): ZplLetters | undefined {
  if (name === '0' && height > 0) {
    const [high, wide] = [Math.max(height, SMALLEST), Math.max(width || height, SMALLEST)]
    return { typeface: 'scalable', height: high, scaleX: wide / high }
  }
  const bitmap = BITMAPS[name]
  if (bitmap === undefined || height === 0) return undefined
  const times = (dots: number, one: number) => Math.max(Math.round(dots / one), 1)
  const [high, wide] = bitmap
  const down = times(height, high) * high
  const across = times(width || (height / high) * wide, wide) * wide
  return { typeface: 'fixed', height: down, scaleX: (2 * across) / down }
}

/** Lines of a text that are no wider than `width`; a single word may be. */
export function lineBreaks(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split('\n')) {
    let line = ''
    for (const [, word = '', space = ''] of paragraph.matchAll(/(\S+|^)(\s*)/g)) {
      if (widthOf(line + word) > width) {
        lines.push(line || word)
        if (line === '') continue
        line = ''
      }
      line += word + space
    }
    if (line !== '') lines.push(line)
  }
  return lines.map((line) => line.trim())
}
