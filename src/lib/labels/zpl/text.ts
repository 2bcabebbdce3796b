import type { QuarterTurn } from '../paper/sheet-layout.ts'
import { Undrawable } from './commands.ts'
import { bitmaps } from './font.json'
import type { ZplTypeface } from './font.ts'
import type { FieldOrigin, ZplPainter } from './painter.ts'

/** Measures are in dots; 0 means not given. */
export interface FontChoice {
  name: string
  height: number
  width: number
  turn: QuarterTurn
}

export interface Block {
  width: number
  lines: number
  spacing: number
  align: string
  indent: number
}

/** Sizes of bitmap fonts in dots, which printers multiply by whole numbers. */
const BITMAPS: Readonly<Record<string, { height: number; width: number }>> = bitmaps
const MIN_DOTS = 10

interface Letters {
  typeface: ZplTypeface
  height: number
  scaleX: number
}

function lettersOf({ name, height, width }: FontChoice): Letters {
  const bitmap = BITMAPS[name]
  if (bitmap === undefined) {
    const high = Math.max(height || width, MIN_DOTS)
    return { typeface: 'scalable', height: high, scaleX: Math.max(width || high, MIN_DOTS) / high }
  }
  const times = (dots: number, one: number) => Math.max(Math.round(dots / one), 1)
  const { height: high, width: wide } = bitmap
  const down = times(height || (width / wide) * high, high) * high
  const across = times(width || (down / high) * wide, wide) * wide
  return { typeface: 'fixed', height: down, scaleX: (2 * across) / down }
}

const SHIFT_BY_ALIGN: Readonly<Record<string, number>> = { C: 0.5, R: 1 }

/** Returns the width in dots. @throws Undrawable for letters that the PDF's fonts lack */
export function drawText(
  painter: ZplPainter,
  { isFromBottom, isFromRight, ...position }: FieldOrigin,
  { data, font, block }: { data: string; font: FontChoice; block: Block | undefined },
): number {
  const letters = lettersOf(font)
  const { height, scaleX, typeface } = letters
  const face = painter.fonts[typeface]
  const text = font.name === 'B' ? data.toUpperCase() : data
  const missing = face.missingIn(text)
  if (missing !== undefined)
    throw new Undrawable(`it holds the letter "${missing}", for which there is no font`)
  const widthOf = (part: string) => face.widthOf(part) * height * scaleX
  const lines = block ? blockLines(text, block, widthOf) : [text]
  const { spacing = 0, align = '', indent: hanging = 0 }: Partial<Block> = block ?? {}
  const { lines: most = 1, width: across = widthOf(text) }: Partial<Block> = block ?? {}
  const pitch = height + spacing
  const back = (most - 1) * pitch
  const [right, down] = (isFromBottom ? fromBottom(back) : fromTop(height, across))[font.turn]
  position.x += right
  position.y += down
  position.turn = font.turn
  const fromRight = isFromRight ? across : 0
  for (const [index, line] of lines.entries()) {
    const indent = index > 0 ? hanging : 0
    const room = across - indent
    const width = Math.min(widthOf(line), room)
    const y = index * pitch
    const x = (room - width) * (SHIFT_BY_ALIGN[align] ?? 0) + indent - fromRight
    const isSpread = align === 'J' && index < lines.length - 1
    const narrowed = { ...letters, scaleX: (scaleX * width) / widthOf(line) || scaleX }
    const words = isSpread ? spread(line, room, widthOf) : [{ word: line, right: 0 }]
    for (const { word, right } of words) {
      painter.text(position, [x + right, y], word, isSpread ? letters : narrowed)
    }
  }
  return across
}

function spread(line: string, room: number, widthOf: (text: string) => number) {
  const words = line.split(/\s+/)
  const spare = room - words.reduce((sum, word) => sum + widthOf(word), 0)
  const gap = spare / Math.max(words.length - 1, 1)
  let end = -gap
  return words.map((word) => {
    const right = end + gap
    end = right + widthOf(word)
    return { word, right }
  })
}

/** Joins surplus lines to the last one, which is drawn narrower; printers would overprint it. */
function blockLines(text: string, block: Block, widthOf: (text: string) => number) {
  const { lines: most, width, indent } = block
  const lines: string[] = []
  const roomOf = (index: number) => width - (index > 0 ? indent : 0)
  for (const paragraph of text.replaceAll('\\&', '\n').replace(/\\(.)/g, '$1').split('\n')) {
    let line = ''
    for (let [, word = '', space = ''] of paragraph.matchAll(/(\S+|^)(\s*)/g)) {
      if (line.trim() !== '' && widthOf(line + word) > roomOf(lines.length)) {
        lines.push(line.trim())
        line = ''
      }
      for (let fits = fitting(word, roomOf(lines.length), widthOf); fits < word.length; ) {
        lines.push(word.slice(0, fits))
        word = word.slice(fits)
        fits = fitting(word, roomOf(lines.length), widthOf)
      }
      line += word + space
    }
    lines.push(line.trim())
  }
  while (lines.at(-1) === '') lines.pop()
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')]
}

function fitting(word: string, room: number, widthOf: (text: string) => number) {
  if (widthOf(word) <= room) return word.length
  let count = 1
  while (count < word.length && widthOf(word.slice(0, count + 1)) <= room) count++
  return count
}

function fromTop(height: number, across: number) {
  const [quarter, most] = [height / 4, 0.75 * height]
  return { 0: [0, most], 90: [quarter, 0], 180: [across, quarter], 270: [most, across] } as const
}

function fromBottom(back: number) {
  return { 0: [0, -back], 90: [back, 0], 180: [0, back], 270: [-back, 0] } as const
}
