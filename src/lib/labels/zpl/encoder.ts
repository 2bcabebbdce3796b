import { type DrawingContext, render } from 'bwip-js/node'
import { messageOf } from '../../errors.ts'
import tables from './code128.json'
import { Undrawable } from './commands.ts'

export function encode<T>(bcid: string, options: object, drawing: DrawingContext<T>): T {
  try {
    return render({ bcid, text: '', scale: 1, ...options }, drawing)
  } catch (cause) {
    const reason = messageOf(cause).replace(/^bwipp\.[^:]*: /, '')
    throw new Undrawable(`it holds a code (${bcid}) that can't be made: ${reason}`, { cause })
  }
}

export const NO_DRAWING = {
  scale: (): [number, number] => [1, 1],
  measure: () => ({ width: 0, ascent: 0, descent: 0 }),
  init: () => {},
  line: () => {},
  polygon: () => {},
  hexagon: () => {},
  ellipse: () => {},
  fill: () => {},
  text: () => {},
}

export function barsOf(bcid: string, options: object): number[] {
  const widths: number[] = []
  let end = 0
  return encode<number[]>(
    bcid,
    { height: 5, ...options },
    {
      ...NO_DRAWING,
      line(...[x, , , , width]) {
        // `x` is the bar's middle, rounded up.
        const left = Math.floor(x - width / 2)
        if (widths.length > 0) widths.push(left - end)
        widths.push(width)
        end = left + width
      },
      end: () => widths,
    },
  )
}

interface Modules {
  width: number
  height: number
  outlines: (readonly [x: number, y: number])[][]
}

export function matrix(bcid: string, options: object): Modules {
  const modules: Modules = { width: 0, height: 0, outlines: [] }
  return encode<Modules>(bcid, options, {
    ...NO_DRAWING,
    init(width, height) {
      Object.assign(modules, { width, height })
    },
    polygon: (points) => void modules.outlines.push(points),
    end: () => modules,
  })
}

/** Code 128: values of escapes (`>` and a sign), subset of a leading escape, start value of a subset, values that switch it. */
const {
  invoked: INVOKED,
  subsets: SUBSETS,
  starts: STARTS,
  changes: CHANGES,
} = tables as {
  invoked: Readonly<Record<string, number>>
  subsets: Readonly<Record<string, 'A' | 'B' | 'C'>>
  starts: Readonly<Record<'A' | 'B' | 'C', number>>
  changes: Readonly<Record<string, Readonly<Record<number, 'A' | 'B' | 'C'>>>>
}

/**
 * Reads mode N of `^BC`: subset B, unless `>` and a sign choose another. A pair of digits is one value in subsets A
 * and C.
 * @returns values from the start character on, without check and stop
 */
export function code128(data: string) {
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

function valueInB(character: string) {
  const value = character.charCodeAt(0) - 32
  if (value >= 0 && value <= 95) return value
  throw new Undrawable(`it holds a Code 128 of "${character}", which subset B does not have`)
}
