import type { QuarterTurn, Size } from '../paper/sheet-layout.ts'
import { type Operands, Undrawable, type ZplCommand } from './commands.ts'
import { type Bitmap, readBitmap } from './graphic.ts'

type ZplSettings = ReturnType<typeof defaultSettings>

/** @param size the sides that the label states */
export function defaultSettings(size: Partial<Size>) {
  return {
    font: { name: 'A', height: 9, width: 0 },
    bars: { dots: 2, ratio: 3, height: 10 },
    home: { x: 0, y: 0 },
    /** Value of `^CI`. */
    characterSet: 0,
    turn: 0 as QuarterTurn,
    isFromRight: false,
    isReverse: false,
    size,
    isInverted: false,
    isMirrored: false,
    right: 0,
    down: 0,
  }
}

export const SETTING_COMMANDS: Readonly<
  Record<string, (operands: Operands, settings: Readonly<ZplSettings>) => Partial<ZplSettings>>
> = {
  '^BY': (operands, { bars }) => ({
    bars: {
      dots: operands.number(0, bars.dots, 1, 100),
      ratio: Math.min(Math.max(Number(operands.at(1)) || bars.ratio, 2), 3),
      height: operands.number(2, bars.height),
    },
  }),
  '^CF': (operands, { font }) => {
    const name = operands.at(0).charAt(0).toUpperCase() || font.name
    return { font: { name, height: operands.number(1, 0), width: operands.number(2, 0) } }
  },
  '^CI': (operands) => {
    if (operands.at(1) !== '') throw new Undrawable('it holds ^CI with characters that are replaced')
    return { characterSet: operands.number(0, 0) }
  },
  '^FW': (operands, { turn, isFromRight }) => ({
    turn: operands.turn(operands.at(0), turn),
    isFromRight: operands.number(1, isFromRight ? 1 : 0) === 1,
  }),
  '^LH': (operands) => ({ home: { x: operands.number(0, 0), y: operands.number(1, 0) } }),
  '^LL': (operands, { size }) => ({ size: { ...size, height: operands.number(0, 0) || size.height } }),
  '^LR': (operands) => ({ isReverse: operands.isYes(0, false) }),
  '^LS': (operands) => ({ right: -operands.number(0, 0) }),
  '^LT': (operands) => ({ down: operands.number(0, 0) }),
  '^MU': (operands) => {
    if (!/^D?$/i.test(operands.at(0))) throw new Undrawable('it holds ^MU with a unit other than dots')
    return {}
  },
  '^PM': (operands) => ({ isMirrored: operands.isYes(0, false) }),
  '^PO': (operands) => ({ isInverted: operands.at(0).toUpperCase() === 'I' }),
  '^PW': (operands, { size }) => ({ size: { ...size, width: operands.number(0, 0) || size.width } }),
}

/** Stops formats that recall each other endlessly. */
const MAX_RECALLS = 10

export class ZplMemory {
  readonly #formats = new Map<string, ZplCommand[]>()
  readonly #graphics = new Map<string, Bitmap>()
  readonly #inlineGraphics = new Map<string, Bitmap>()

  newFormat(operands: Operands): ZplCommand[] {
    const commands: ZplCommand[] = []
    this.#formats.set(bareName(operands.at(0)), commands)
    return commands
  }

  /** @param recalls number of formats that the label recalled before */
  format(operands: Operands, recalls: number): readonly ZplCommand[] {
    const format = this.#formats.get(bareName(operands.at(0)))
    if (format === undefined) throw notHeld('^XF', operands)
    if (recalls >= MAX_RECALLS) throw new Undrawable(`it recalls more than ${MAX_RECALLS} formats (^XF)`)
    return format
  }

  /** @param at operand index of the byte count; bytes per row and data follow */
  keepGraphic({ text }: Operands, at: number) {
    const parts = text.split(',')
    const data = parts.slice(at + 2).join(',')
    this.#graphics.set(bareName(parts[0] ?? ''), readBitmap(data, Number(parts[at]), Number(parts[at + 1])))
  }

  graphic(operands: Operands): Bitmap {
    const bitmap = this.#graphics.get(bareName(operands.at(0)))
    if (bitmap === undefined) throw notHeld('a graphic', operands)
    return bitmap
  }

  inlineGraphic({ text }: Operands): Bitmap {
    const known = this.#inlineGraphics.get(text)
    if (known) return known
    const [, kind = '', total, bytesPerRow, data = ''] =
      /^\s*([A-C])?,\d*,(\d*),(\d*),(.*)$/is.exec(text) ?? []
    if (/c/i.test(kind)) throw new Undrawable('it holds ^GF in a packing that only printers know')
    const bitmap = readBitmap(data, Number(total), Number(bytesPerRow), /b/i.test(kind))
    this.#inlineGraphics.set(text, bitmap)
    return bitmap
  }
}

/** Drops drive and extension, which are optional. */
function bareName(name: string) {
  return name
    .trim()
    .replace(/^\w:/, '')
    .replace(/\.\w*$/, '')
    .toUpperCase()
}

function notHeld(what: string, operands: Operands) {
  return new Undrawable(`it recalls ${what} (${operands.at(0)}) that its file does not hold`)
}
