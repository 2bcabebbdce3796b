import { type Operands, Undrawable, type ZplCommand } from './commands.ts'
import { type Bitmap, readBitmap } from './graphic.ts'

/** Recalled formats may recall others, but not without end. */
const MOST_RECALLS = 10

/** Formats and graphics that a file stores in the printer. */
export class ZplMemory {
  readonly #formats = new Map<string, ZplCommand[]>()
  readonly #graphics = new Map<string, Bitmap>()
  readonly #inlineGraphics = new Map<string, Bitmap>()

  /** Returns the commands of a new format, to be filled. */
  newFormat(operands: Operands): ZplCommand[] {
    const commands: ZplCommand[] = []
    this.#formats.set(bareName(operands.at(0)), commands)
    return commands
  }

  /** @param recalls formats that the label recalled before */
  format(operands: Operands, recalls: number): readonly ZplCommand[] {
    const format = this.#formats.get(bareName(operands.at(0)))
    if (format === undefined) throw notHeld('^XF', operands)
    if (recalls >= MOST_RECALLS) throw new Undrawable('it holds ^XF of a format that recalls itself')
    return format
  }

  /** @param at place of the number of bytes, which the bytes of a row and the data follow */
  keepGraphic({ text }: Operands, at: number): void {
    const parts = text.split(',')
    const data = parts.slice(at + 2).join(',')
    this.#graphics.set(bareName(parts[0] ?? ''), readBitmap(data, Number(parts[at]), Number(parts[at + 1])))
  }

  graphic(operands: Operands): Bitmap {
    const bitmap = this.#graphics.get(bareName(operands.at(0)))
    if (bitmap === undefined) throw notHeld('a graphic', operands)
    return bitmap
  }

  /** Reads a graphic of `^GF`. The same graphic of many labels is read once. */
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

/** Names may be called without drive and extension. */
function bareName(name: string): string {
  return name
    .trim()
    .replace(/^\w:/, '')
    .replace(/\.\w*$/, '')
    .toUpperCase()
}

function notHeld(what: string, operands: Operands): Undrawable {
  return new Undrawable(`it recalls ${what} (${operands.at(0)}) that its file does not hold`)
}
