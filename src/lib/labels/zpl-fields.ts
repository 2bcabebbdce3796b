import { rectangle } from './zpl-canvas.ts'
import { type Code, drawCode } from './zpl-code-field.ts'
import type { FieldOrigin, FieldTools } from './zpl-field-tools.ts'
import { NotSimple, Operands } from './zpl-operands.ts'
import type { ZplFontChoice } from './zpl-text.ts'
import { type Block, drawText } from './zpl-text-field.ts'

interface Field {
  origin: Omit<FieldOrigin, 'isReverse'> | undefined
  isReverse: boolean
  font: ZplFontChoice | undefined
  /** Of `^FH`. */
  escape: string | undefined
  data: string
  as: Code | Block | undefined
}

const START: Readonly<Field> = {
  origin: undefined,
  isReverse: false,
  font: undefined,
  escape: undefined,
  data: '',
  as: undefined,
}
/** They are about the printer and its paper, or a comment. `^PQ` and `^LL` are seen to elsewhere. */
const IGNORED = new Set('FX LL LS LT MD ML MM MN MT PQ PR XB'.split(' '))

/**
 * One label as the renderer reads it (zebrash 1.38), of the commands that most labels are made of, where that is what
 * printers do.
 *
 * @throws NotSimple for anything else
 */
export class ZplFields {
  readonly #tools: FieldTools
  readonly #width: number
  #home = { x: 0, y: 0 }
  #font: ZplFontChoice = { name: 'A', height: 9, width: 0, turn: 0 }
  #bars = { dots: 2, height: 10 }
  #isReverse = false
  #isUtf8 = false
  #field: Field = { ...START }

  constructor(tools: FieldTools, width: number) {
    this.#tools = tools
    this.#width = width
  }

  draw(label: string): void {
    const texts = label
      .replace(/[\n\r\t]/g, '')
      .trim()
      .split(/(?=[\^~])/)
    if (texts.shift()?.trim() !== '^XA' || texts.pop() !== '^XZ') throw new NotSimple('no label')
    for (const text of texts) {
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
      const [height, width] = [operands.number(1), operands.number(2, 0)]
      this.#field.font = { name, height, width, turn: operands.turn(operands.text(0).slice(1)) }
    },
    BC: (operands) => {
      // Neither the other modes nor another check digit.
      for (const at of [4, 5]) operands.oneOf(at, ['N'])
      const above = operands.oneOf(3, ['Y', 'N']) === 'Y' ? 'above' : 'below'
      const height = operands.number(1, this.#bars.height)
      const line = operands.oneOf(2, ['Y', 'N']) === 'N' ? undefined : above
      this.#become({ kind: 'code128', turn: operands.turn(), dots: this.#bars.dots, height, line })
    },
    BQ: (operands) => {
      operands.oneOf(0, ['N'])
      operands.oneOf(1, ['2'])
      this.#become({ kind: 'qr', turn: 0, dots: operands.number(2), shift: this.#bars.height })
    },
    BX: (operands) => {
      // Other qualities are codes of another kind; other sizes and shapes are left to the renderer.
      if (operands.text(2) !== '200') throw new NotSimple('^BX')
      for (const at of [3, 4, 7]) operands.oneOf(at, ['0'])
      const signs = operands.text(6) || '~_'
      this.#become({ kind: 'data-matrix', turn: operands.turn(), dots: operands.number(1), signs })
    },
    BY: (operands) => {
      if (this.#field.as) throw new NotSimple('^BY within a field')
      this.#bars = {
        dots: operands.number(0, this.#bars.dots),
        height: operands.number(2, this.#bars.height),
      }
    },
    CF: (operands) => {
      const [height, width] = [operands.number(1), operands.number(2, 0)]
      this.#font = { name: operands.text(0).charAt(0).toUpperCase(), height, width, turn: 0 }
    },
    CI: (operands) => {
      // What follows would change single characters.
      operands.oneOf(1, [])
      this.#isUtf8 = operands.oneOf(0, ['0', '28']) === '28'
    },
    FB: (operands) => {
      const [width, lines, spacing] = [operands.number(0), operands.number(1, 1), operands.number(2, 0)]
      operands.oneOf(4, ['0'])
      this.#become({ width, lines, spacing, align: operands.oneOf(3, ['L', 'C', 'R']) || 'L' })
    },
    FD: (_, text) => {
      if (this.#field.data !== '') throw new NotSimple('two texts in a field')
      this.#field.data = decoded(text, this.#field.escape)
    },
    FH: (_, text) => {
      if (this.#field.data !== '') throw new NotSimple('^FH behind a text')
      this.#field.escape = text.charAt(0) || '_'
    },
    FO: (operands) => this.#position(operands, 0),
    FR: () => {
      this.#field.isReverse = true
    },
    FS: () => this.#endField(),
    // Without numbers it would go on where the text before has ended.
    FT: (operands) => this.#position(operands),
    FW: (operands) => {
      operands.oneOf(0, ['N'])
      operands.oneOf(1, ['0'])
    },
    GB: (operands) => this.#box(operands),
    GF: (_, text) => {
      if (!this.#tools.canvas.graphic(this.#corner(), text)) throw new NotSimple('^GF')
    },
    LH: (operands) => {
      this.#home = { x: operands.number(0), y: operands.number(1) }
    },
    LR: (operands) => {
      this.#isReverse = operands.oneOf(0, ['Y', 'N']) === 'Y'
    },
    PM: (operands) => void operands.oneOf(0, ['N']),
    PO: (operands) => void operands.oneOf(0, ['N']),
    PW: (operands) => void operands.oneOf(0, [String(this.#width)]),
  }

  #position(operands: Operands, missing?: number): void {
    if (this.#field.data !== '') throw new NotSimple('a field without an end')
    const x = operands.number(0, missing) + this.#home.x
    const y = operands.number(1, missing) + this.#home.y
    const isFromRight = operands.oneOf(2, ['0', '1']) === '1'
    this.#field.origin = { x, y, turn: 0, isFromRight, isFromBottom: missing === undefined }
  }

  #become(what: Code | Block): void {
    if (this.#field.as) throw new NotSimple('two kinds of a field')
    this.#field.as = what
  }

  #origin(): FieldOrigin {
    const { origin, isReverse } = this.#field
    if (origin === undefined) throw new NotSimple('a field without a place')
    return { ...origin, isReverse: isReverse || this.#isReverse }
  }

  /** Of what only the renderer places by another corner. */
  #corner(): FieldOrigin {
    const origin = this.#origin()
    if (origin.isFromBottom || origin.isFromRight) throw new NotSimple('an area by another corner')
    return origin
  }

  #box(operands: Operands): void {
    const thickness = operands.number(2, 1) || 1
    const width = Math.max(operands.number(0, 1), thickness)
    const height = Math.max(operands.number(1, 1), thickness)
    operands.oneOf(4, ['0'])
    const isWhite = operands.oneOf(3, ['B', 'W']) === 'W'
    const corner = this.#corner()
    if (isWhite && corner.isReverse) throw new NotSimple('white that is turned')
    const isHollow = width > 2 * thickness && height > 2 * thickness
    const inner = rectangle(thickness, thickness, width - thickness, height - thickness)
    const outlines = [rectangle(0, 0, width, height), ...(isHollow ? [inner] : [])]
    this.#tools.canvas.fill(corner, outlines, isWhite)
  }

  #endField(): void {
    const { as, data, font } = this.#field
    if (as && 'kind' in as) {
      // On printers it is that of the line.
      if (font) throw new NotSimple('a font for a code')
      drawCode(this.#tools, this.#origin(), as, data)
    } else if (data !== '') {
      if (!this.#isUtf8 && /[^\x20-\x5b\x5d-\x7e]/.test(data.replaceAll('\\&', ''))) throw new NotSimple(data)
      drawText(this.#tools, this.#origin(), { data, font: font ?? this.#font, block: as })
    }
    this.#field = { ...START }
  }
}

/** A text with what `^FH` has in hexadecimal digits behind a sign. */
function decoded(text: string, sign: string | undefined): string {
  if (sign === undefined || !text.includes(sign)) return text
  if (!/^[!-~]$/.test(sign)) throw new NotSimple('^FH')
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const code = sign.charCodeAt(0).toString(16)
  const all = bytes.replace(new RegExp(`\\x${code}([\\da-f]{2})`, 'gi'), (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(all, 'latin1').toString('utf8')
}
