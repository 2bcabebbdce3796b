import type { QuarterTurn } from './sheet-layout.ts'
import type { FieldOrigin, FieldTools } from './zpl-field-tools.ts'
import { NotSimple } from './zpl-operands.ts'
import { lettersOf, lineBreaks, type ZplFontChoice } from './zpl-text.ts'

/** Of `^FB`, in dots. */
export interface Block {
  width: number
  lines: number
  spacing: number
  align: string
}

const SHARES: Readonly<Record<string, number>> = { L: 0, C: 0.5, R: 1 }

/** @throws NotSimple for letters that the PDF's fonts lack, and for a text that does not fit into its block */
export function drawText(
  { canvas, fonts }: FieldTools,
  { isFromBottom, isFromRight, ...place }: FieldOrigin,
  { data, font, block }: { data: string; font: ZplFontChoice; block: Block | undefined },
): void {
  const letters = lettersOf(font)
  const isKnown = block ? !isFromRight : !data.includes('\\&') && !(isFromRight && font.turn !== 0)
  if (letters === undefined || !isKnown) throw new NotSimple(data)
  const { height, scaleX, typeface } = letters
  const widthOf = (part: string) => {
    const width = fonts[typeface].widthOf(part)
    if (width === undefined) throw new NotSimple(part)
    return width * height
  }
  const text = font.name === 'B' ? data.toUpperCase() : data
  const lines = block ? blockLines(text, block, block.width / scaleX, widthOf) : [text]
  const pitch = height + (block?.spacing ?? 0)
  const across = block?.width ?? widthOf(text) * scaleX
  const back = (Math.max(block?.lines ?? 1, 1) - 1) * pitch
  const [right, down] = (isFromBottom ? fromBottom(back) : fromTop(height, across))[font.turn]
  place.x += right
  place.y += down
  place.turn = font.turn
  const share = SHARES[block?.align ?? 'L'] ?? 0
  for (const [index, line] of lines.entries()) {
    const width = widthOf(line) * scaleX
    const x = (across - width) * share - (isFromRight ? width : 0)
    canvas.text(place, [x, index * pitch], line, letters)
  }
}

/**
 * Of a text with more lines than its block, printers put the rest over the last; they break words that are wider, and
 * leave lines empty.
 *
 * @param room in the unit of `widthOf`
 */
function blockLines(
  data: string,
  { lines: most }: Block,
  room: number,
  widthOf: (text: string) => number,
): string[] {
  const text = data.replaceAll('\\&', '\n')
  const lines = lineBreaks(text, room, widthOf)
  const isKnown = !/[\n\\]/.test(data.replaceAll('\\&', '')) && !/^\n|\n\s*\n/.test(text)
  if (!isKnown || lines.length > most || lines.some((line) => widthOf(line) > room)) throw new NotSimple(data)
  return lines
}

type Shifts = Record<QuarterTurn, readonly [right: number, down: number]>

/** From a field's corner to where its base line begins. */
function fromTop(height: number, across: number): Shifts {
  const [quarter, most] = [height / 4, 0.75 * height]
  return { 0: [0, most], 90: [quarter, 0], 180: [across, quarter], 270: [most, across] }
}

/** From the last base line to the first. */
function fromBottom(back: number): Shifts {
  return { 0: [0, -back], 90: [back, 0], 180: [0, back], 270: [-back, 0] }
}
