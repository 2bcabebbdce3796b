import type { QuarterTurn, Size } from '../paper/sheet-layout.ts'
import type { Bars } from './codes.ts'
import { type Operands, Undrawable } from './commands.ts'
import type { FontChoice } from './text.ts'

/** ZplSettings that stay from label to label until a command changes them. */
export interface ZplSettings {
  font: Omit<FontChoice, 'turn'>
  bars: Bars
  home: { x: number; y: number }
  /** Value of `^CI`. */
  characterSet: number
  turn: QuarterTurn
  isFromRight: boolean
  isReverse: boolean
  size: Size
  isInverted: boolean
  isMirrored: boolean
  right: number
  down: number
}

export function defaultSettings(size: Size): ZplSettings {
  return {
    font: { name: 'A', height: 9, width: 0 },
    bars: { dots: 2, ratio: 3, height: 10 },
    home: { x: 0, y: 0 },
    characterSet: 0,
    turn: 0,
    isFromRight: false,
    isReverse: false,
    size,
    isInverted: false,
    isMirrored: false,
    right: 0,
    down: 0,
  }
}

/** Commands that return changed settings. */
export const SETTING_COMMANDS: Readonly<
  Record<string, (operands: Operands, settings: Readonly<ZplSettings>) => Partial<ZplSettings>>
> = {
  '^BY': (operands, { bars }) => ({
    bars: {
      dots: Math.min(Math.max(operands.number(0, bars.dots), 1), 100),
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
