import type { DrawingContext, RenderOptions } from 'bwip-js/node'
import { Undrawable } from './commands.ts'

export type Encoder = <T>(options: RenderOptions, drawing: DrawingContext<T>) => T

export function encode<T>(encoder: Encoder, bcid: string, options: object, drawing: DrawingContext<T>): T {
  try {
    return encoder({ bcid, text: '', scale: 1, ...options }, drawing)
  } catch (cause) {
    const reason = String(cause instanceof Error ? cause.message : cause).replace(/^bwipp\.[^:]*: /, '')
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

/** Returns widths of bars and spaces in turns, in modules, a bar first and last. */
export function barsOf(encoder: Encoder, bcid: string, options: object): number[] {
  const widths: number[] = []
  let end = 0
  return encode<number[]>(
    encoder,
    bcid,
    { height: 5, ...options },
    {
      ...NO_DRAWING,
      line(x, _top, _x1, _bottom, width) {
        // The encoder gives the middle of a bar, rounded up.
        const left = Math.floor(x - width / 2)
        if (widths.length > 0) widths.push(left - end)
        widths.push(width)
        end = left + width
      },
      end: () => widths,
    },
  )
}

export interface Modules {
  width: number
  height: number
  outlines: (readonly [x: number, y: number])[][]
}

export function matrix(encoder: Encoder, bcid: string, options: object): Modules {
  const modules: Modules = { width: 0, height: 0, outlines: [] }
  return encode<Modules>(encoder, bcid, options, {
    ...NO_DRAWING,
    init(width, height) {
      Object.assign(modules, { width, height })
    },
    polygon: (points) => void modules.outlines.push(points),
    end: () => modules,
  })
}
