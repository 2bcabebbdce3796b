import { Undrawable } from './commands.ts'

/** Values of Code 128 that stand behind `>` in a field's data, besides start characters. */
const INVOKED: Readonly<Record<string, number>> = {
  '<': 62,
  '0': 30,
  '=': 94,
  '1': 95,
  '2': 96,
  '3': 97,
  '4': 98,
  '5': 99,
  '6': 100,
  '7': 101,
  '8': 102,
}
const SUBSETS: Readonly<Record<string, 'A' | 'B' | 'C'>> = { '9': 'A', ':': 'B', ';': 'C' }
const STARTS = { A: 103, B: 104, C: 105 } as const
/** Values that change to another subset, by the subset that they stand in. */
const CHANGES: Readonly<Record<string, Record<number, 'A' | 'B' | 'C'>>> = {
  A: { 99: 'C', 100: 'B' },
  B: { 99: 'C', 101: 'A' },
  C: { 100: 'B', 101: 'A' },
}

export interface Code128 {
  /** Values from the start character on, without check and stop. */
  values: number[]
  text: string
}

/**
 * Reads data of `^BC` in mode N: subset B, unless `>` and a sign choose another. A pair of digits is one value in
 * subsets A and C, where printers skip single characters.
 */
export function code128(data: string): Code128 {
  const start = /^>[9:;]/.test(data) ? SUBSETS[data.charAt(1)] : undefined
  let subset = start ?? 'B'
  const values: number[] = [STARTS[subset]]
  let text = ''
  for (const [token, invoked] of data.slice(start ? 2 : 0).matchAll(/>(.)|\d\d|./gs)) {
    const value = invoked === undefined ? undefined : INVOKED[invoked]
    if (value !== undefined) {
      values.push(value)
      if (value === 30) text += '>'
      subset = CHANGES[subset]?.[value] ?? subset
      continue
    }
    if (subset === 'B') {
      values.push(...Array.from(token, valueInB))
      text += token
    } else if (/^\d\d$/.test(token)) {
      values.push(Number(token))
      text += subset === 'C' ? token : ''
    }
  }
  return { values, text }
}

function valueInB(character: string): number {
  const value = character.charCodeAt(0) - 32
  if (value >= 0 && value <= 95) return value
  throw new Undrawable(`it holds a Code 128 of "${character}", which subset B does not have`)
}
