import type { QuarterTurn } from './sheet-layout.ts'
import type { FieldPlace, Outline, ZplPainter } from './zpl-canvas.ts'
import {
  type BarcodeEncoder,
  code128Modules,
  dataMatrixModules,
  type Modules,
  qrModules,
  withoutStart,
} from './zpl-codes.ts'
import type { ZplFont, ZplTypeface } from './zpl-font.ts'
import { lettersOf, lineBreaks, type ZplFontChoice } from './zpl-text.ts'

/** What stands in a label that only the renderer draws. */
export class NotSimple extends Error {}

export interface FieldTools {
  fonts: Readonly<Record<ZplTypeface, ZplFont>>
  bwip: BarcodeEncoder
}

/** A bar code that the field's data are to become. */
type Code = { dots: number; turn: QuarterTurn } & (
  | { kind: 'code128'; height: number; line: 'below' | 'above' | undefined }
  | { kind: 'data-matrix'; escape: string }
  | { kind: 'qr'; shift: number }
)

interface Block {
  width: number
  lines: number
  spacing: number
  align: string
}

interface Field {
  x: number
  y: number
  /** Its place is that of its base line, or lower edge (`^FT`). */
  isFromBottom: boolean
  isFromRight: boolean
  isReverse: boolean
  font: ZplFontChoice | undefined
  /** Of `^FH`. */
  escape: string | undefined
  data: string
  as: Code | Block | undefined
}

const START: Readonly<Field> = {
  x: 0,
  y: 0,
  isFromBottom: false,
  isFromRight: false,
  isReverse: false,
  font: undefined,
  escape: undefined,
  data: '',
  as: undefined,
}
const TURNS: Readonly<Record<string, QuarterTurn>> = { N: 0, R: 90, I: 180, B: 270 }
/** They are about the printer, or as the renderer does without them. `^PQ` and `^LL` are seen to elsewhere. */
const IGNORED = new Set([
  'FX',
  'LL',
  'LS',
  'LT',
  'MD',
  'ML',
  'MM',
  'MN',
  'MT',
  'PM',
  'PQ',
  'PR',
  'XA',
  'XB',
  'XZ',
])

/**
 * One label as the renderer reads it (zebrash 1.38), of the commands that most labels are made of.
 *
 * @throws NotSimple for anything else
 */
export class ZplFields {
  readonly #canvas: ZplPainter
  readonly #tools: FieldTools
  readonly #width: number
  #home = { x: 0, y: 0 }
  #font: ZplFontChoice = { name: 'A', height: 0, width: 0, turn: 0 }
  #bars = { dots: 2, height: 10 }
  #isReverse = false
  #isUtf8 = false
  #field: Field = { ...START }

  constructor(canvas: ZplPainter, tools: FieldTools, width: number) {
    this.#canvas = canvas
    this.#tools = tools
    this.#width = width
  }

  draw(label: string): void {
    for (const text of label.replace(/[\n\r\t]/g, '').split(/(?=[\^~])/)) {
      if (text.trim() === '') continue
      const [, name = '', operands = ''] = /^\^(A(?!@)|[A-Z]{2})(.*)$/s.exec(text) ?? []
      if (IGNORED.has(name)) continue
      const command = this.#commands[name]
      if (command === undefined) throw new NotSimple(name)
      command(new Operands(operands), operands)
    }
    if (this.#field.data !== '' || this.#field.as) throw new NotSimple('a field without an end')
  }

  readonly #commands: Readonly<Record<string, (operands: Operands, text: string) => void>> = {
    A: (operands) => {
      const name = operands.text(0).charAt(0).toUpperCase()
      const [height, width] = [operands.number(1, 0), operands.number(2, 0)]
      this.#field.font = { name, height, width, turn: turnOf(operands.text(0).slice(1)) }
    },
    BC: (operands) => this.#code128(operands),
    BQ: (operands) => {
      const dots = operands.number(2, 1)
      this.#field.as = { kind: 'qr', turn: 0, dots, shift: this.#bars.height }
    },
    BX: (operands) => this.#dataMatrix(operands),
    BY: (operands) => {
      this.#bars = {
        dots: operands.number(0, this.#bars.dots),
        height: operands.number(2, this.#bars.height),
      }
    },
    CF: (operands) => {
      const [height, width] = [operands.number(1, 0), operands.number(2, 0)]
      this.#font = { name: operands.text(0).charAt(0).toUpperCase(), height, width, turn: 0 }
    },
    CI: (operands) => {
      this.#isUtf8 = operands.oneOf(0, ['0', '28']) === '28'
    },
    FB: (operands) => {
      const [width, lines, spacing] = [operands.number(0, 0), operands.number(1, 1), operands.number(2, 0)]
      this.#field.as = { width, lines, spacing, align: operands.oneOf(3, ['L', 'C', 'R']) || 'L' }
    },
    FD: (_, text) => {
      this.#field.data = this.#decoded(text)
    },
    FH: (_, text) => {
      this.#field.escape = text.charAt(0) || '_'
    },
    FO: (operands) => this.#position(operands, 0),
    FR: () => {
      this.#field.isReverse = true
    },
    FS: () => this.#endField(),
    // Without numbers it would go on where the text before has ended.
    FT: (operands) => this.#position(operands),
    FW: (operands) => void operands.oneOf(0, ['N']),
    GB: (operands) => this.#box(operands),
    GF: (_, text) => {
      if (!this.#canvas.graphic(this.#place(), text)) throw new NotSimple('^GF')
    },
    LH: (operands) => {
      this.#home = { x: operands.number(0, 0), y: operands.number(1, 0) }
    },
    LR: (_, text) => {
      this.#isReverse = text === 'Y'
    },
    PO: (operands) => void operands.oneOf(0, ['N']),
    PW: (operands) => void operands.oneOf(0, [String(this.#width)]),
  }

  #position(operands: Operands, missing?: number): void {
    const x = operands.number(0, missing) + this.#home.x
    const y = operands.number(1, missing) + this.#home.y
    const isFromRight = operands.number(2, 0) === 1
    Object.assign(this.#field, { x, y, isFromRight, isFromBottom: missing === undefined })
  }

  #decoded(text: string): string {
    const { escape: sign } = this.#field
    if (sign === undefined || !text.includes(sign)) return text
    const bytes = Buffer.from(text, 'utf8').toString('latin1')
    const code = sign.charCodeAt(0).toString(16).padStart(2, '0')
    const decoded = bytes.replace(new RegExp(`\\x${code}([\\da-f]{2})`, 'gi'), (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    return Buffer.from(decoded, 'latin1').toString('utf8')
  }

  #code128(operands: Operands): void {
    operands.oneOf(5, ['N'])
    const above = operands.text(3) === 'Y' ? 'above' : 'below'
    this.#field.as = {
      kind: 'code128',
      turn: turnOf(operands.text(0)),
      dots: this.#bars.dots,
      height: operands.number(1, this.#bars.height),
      line: operands.oneOf(2, ['Y', 'N']) === 'N' ? undefined : above,
    }
  }

  #dataMatrix(operands: Operands): void {
    // Of a size that is not left to the encoder, the renderer knows more.
    for (const at of [3, 4, 7]) operands.oneOf(at, ['0'])
    const dots = operands.number(1, this.#bars.height)
    const sign = operands.text(6) || '~'
    this.#field.as = { kind: 'data-matrix', turn: turnOf(operands.text(0)), dots, escape: sign }
  }

  #box(operands: Operands): void {
    const thickness = operands.number(2, 1) || 1
    const width = Math.max(operands.number(0, 1), thickness)
    const height = Math.max(operands.number(1, 1), thickness)
    if (operands.number(4, 0) > 0) throw new NotSimple('round corners')
    const isHollow = width > 2 * thickness && height > 2 * thickness
    const inner = rectangle(thickness, thickness, width - thickness, height - thickness)
    const outlines = [rectangle(0, 0, width, height), ...(isHollow ? [inner] : [])]
    this.#canvas.fill(this.#place(), outlines, operands.text(3) === 'W')
  }

  #place(): FieldPlace {
    const { x, y, isReverse } = this.#field
    return { x, y, turn: 0, isReverse: isReverse || this.#isReverse }
  }

  #endField(): void {
    const { as, data } = this.#field
    if (as === undefined || 'width' in as) {
      if (data !== '') this.#text(data, as)
    } else this.#modules(as, data)
    this.#field = { ...START }
  }

  #text(data: string, block: Block | undefined): void {
    const { font = this.#font, isFromBottom, isFromRight } = this.#field
    const letters = lettersOf(font)
    let text = data.replaceAll('\\&', '\n')
    if (letters === undefined || (!this.#isUtf8 && /[^\n\x20-\x5b\x5d-\x7e]/.test(text)))
      throw new NotSimple(text)
    if (font.name === 'B') text = text.toUpperCase()
    const { height, scaleX, typeface } = letters
    const widthOf = (part: string) => {
      const width = this.#tools.fonts[typeface].widthOf(part)
      if (width === undefined) throw new NotSimple(part)
      return width * height
    }
    const room = block && block.width / scaleX
    const lines = block && room !== undefined ? lineBreaks(text, room, widthOf) : [text]
    const pitch = height + (block?.spacing ?? 0)
    const across = block?.width ?? widthOf(text) * scaleX
    const back = (Math.max(block?.lines ?? 1, 1) - 1) * pitch
    const place = this.#place()
    const [right, down] = (isFromBottom ? fromBottom(back) : fromTop(height, across))[font.turn]
    place.x += right
    place.y += down
    place.turn = font.turn
    for (const [index, line] of lines.entries()) {
      const taken = room ?? widthOf(line)
      const share = SHARES[block?.align ?? 'L'] ?? 0
      const x = ((taken - widthOf(line)) * share - (isFromRight ? taken : 0)) * scaleX
      this.#canvas.text(place, [x, index * pitch], line, letters)
    }
  }

  #modules(code: Code, data: string): void {
    const { bwip } = this.#tools
    if (code.kind === 'code128') {
      if (!/^(?:(?:>:)?[ -=?-~]{2,}|>;(?:\d\d)+)$/.test(data)) throw new NotSimple(data)
      this.#bars128(code, data, code128Modules(data))
    } else if (code.kind === 'data-matrix') {
      if (!/^[ -~]+$/.test(data) || data.includes(code.escape)) throw new NotSimple(data)
      this.#matrix(code, dataMatrixModules(bwip, data))
    } else {
      const [, level = '', content] = /^([HQML])(?:A,|M,[AN])([ -~]+)$/.exec(data) ?? []
      if (content === undefined) throw new NotSimple(data)
      this.#matrix(code, qrModules(bwip, content, level))
    }
  }

  #bars128(code: Code & { kind: 'code128' }, data: string, modules: Modules): void {
    const dots = Math.max(code.dots, 1)
    const [width, height] = [modules.width * dots, Math.max(code.height, 1)]
    const { place, at } = this.#codePlace(code.turn, width, height)
    const [left, top] = at
    this.#canvas.fill(place, shapes(modules, at, [dots, height]))
    if (code.line === undefined) return
    const letters = { typeface: 'fixed', height: 10 * dots, scaleX: 1 } as const
    const text = withoutStart(data)
    const wide = (this.#tools.fonts.fixed.widthOf(text) ?? 0) * letters.height
    const down = code.line === 'above' ? -letters.height / 2 : height + letters.height
    this.#canvas.text(place, [left + (width - wide) / 2, top + down], text, letters)
  }

  #matrix(code: Code & { kind: 'data-matrix' | 'qr' }, modules: Modules): void {
    const dots = Math.max(code.dots, 1)
    const { place, at } = this.#codePlace(code.turn, modules.width * dots, modules.height * dots)
    // As the renderer has it, which is as printers do.
    if (code.kind === 'qr') place.y += this.#field.isFromBottom ? -7 * dots : code.shift
    this.#canvas.fill(place, shapes(modules, at, [dots, dots]))
  }

  /** Where a code is turned about, and its corner from there. */
  #codePlace(turn: QuarterTurn, width: number, height: number) {
    const place = { ...this.#place(), turn }
    if (this.#field.isFromBottom) {
      if (turn === 0) place.y = Math.max(place.y - height, 0)
      if (turn === 180) place.x -= width
      if (turn === 270) [place.x, place.y] = [Math.max(place.x - height, 0), place.y - width]
    }
    const at = { 0: [0, 0], 90: [0, -height], 180: [-width, -height], 270: [-width, 0] } as const
    return { place, at: at[turn] }
  }
}

const SHARES: Readonly<Record<string, number>> = { L: 0, C: 0.5, R: 1 }

function rectangle(left: number, top: number, right: number, bottom: number): Outline {
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]
}

type Pair = readonly [number, number]

/** Outlines in dots: shifted, and as large as modules are. */
function shapes({ outlines }: Modules, [left, top]: Pair, [across, down]: Pair): Outline[] {
  return outlines.map((outline) => outline.map(([x, y]) => [left + x * across, top + y * down]))
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

/** What stands behind a command's name, between commas. */
class Operands {
  readonly #all: string[]

  constructor(text: string) {
    this.#all = text.split(',').map((one) => one.trim())
  }

  text(at: number): string {
    return this.#all[at] ?? ''
  }

  /** @throws NotSimple if it is no whole number, or is missing and has no default */
  number(at: number, missing?: number): number {
    const text = this.text(at)
    if (text === '' && missing !== undefined) return missing
    if (!/^\d{1,5}$/.test(text)) throw new NotSimple(text)
    return Number(text)
  }

  /** @throws NotSimple for a text that is none of them, nor missing */
  oneOf(at: number, known: readonly string[]): string {
    const text = this.text(at)
    if (text !== '' && !known.includes(text)) throw new NotSimple(text)
    return text
  }
}

function turnOf(letter: string): QuarterTurn {
  const turn = letter === '' ? 0 : TURNS[letter]
  if (turn === undefined) throw new NotSimple(letter)
  return turn
}
