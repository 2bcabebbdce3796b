import type { QuarterTurn } from './sheet-layout.ts'

/** What stands in a label that only the renderer draws. */
export class NotSimple extends Error {}

const TURNS: Readonly<Record<string, QuarterTurn>> = { '': 0, N: 0, R: 90, I: 180, B: 270 }

/** What stands behind a command's name, between commas. */
export class Operands {
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

  /** @throws NotSimple for an orientation that is none */
  turn(letter = this.text(0)): QuarterTurn {
    const turn = TURNS[letter]
    if (turn === undefined) throw new NotSimple(letter)
    return turn
  }
}
