import type { DrawingContext, RenderOptions } from 'bwip-js/node'

export type BarcodeEncoder = typeof import('bwip-js/node')

/** Modules from the top left corner; what is black is to be filled by the even-odd rule. */
export interface Modules {
  width: number
  height: number
  outlines: (readonly (readonly [x: number, y: number])[])[]
}

const options = (text: string): RenderOptions => ({ bcid: '', text, scale: 1 })

/** Widths of bars and spaces in turns, by a character's value (ISO/IEC 15417, table 1). */
const PATTERNS = [
  '212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132',
  '122231 113222 123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212',
  '322112 322211 212123 212321 232121 111323 131123 131321 112313 132113 132311 211313 231113 231311',
  '112133 112331 132131 113123 113321 133121 313121 211331 231131 213113 213311 213131 311123 311321',
  '331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421 141122 141221 112214',
  '112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212',
  '124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113',
  '411311 113141 114131 311141 411131 211412 211214 211232 2331112',
].flatMap((line) => line.split(' '))
const [START_B, START_C, STOP] = [104, 105, 106]

/** Code 128, a module high: all in subset B, or in C what `>;` begins. */
export function code128Modules(data: string): Modules {
  const text = withoutStart(data)
  const isC = data.startsWith('>;')
  const values = isC ? (text.match(/../g) ?? []).map(Number) : [...text].map((c) => c.charCodeAt(0) - 32)
  const start = isC ? START_C : START_B
  const check = values.reduce((sum, value, index) => sum + value * (index + 1), start) % 103
  const modules: Modules = { width: 0, height: 1, outlines: [] }
  const widths = [start, ...values, check, STOP].map((value) => PATTERNS[value]).join('')
  for (const [index, digit] of [...widths].entries()) {
    const [left, right] = [modules.width, modules.width + Number(digit)]
    if (index % 2 === 0)
      modules.outlines.push([
        [left, 0],
        [right, 0],
        [right, 1],
        [left, 1],
      ])
    modules.width = right
  }
  return modules
}

/** Without the start character that it may have. */
export function withoutStart(data: string): string {
  return data.replace(/^>[:;]/, '')
}

/** @throws Error for what can't be encoded */
export function dataMatrixModules({ datamatrix }: BarcodeEncoder, data: string): Modules {
  return datamatrix(options(data), outlining())
}

/** @throws Error for what can't be encoded */
export function qrModules({ qrcode }: BarcodeEncoder, data: string, eclevel: string): Modules {
  const correction = { eclevel }
  return qrcode({ ...options(data), ...correction }, outlining())
}

function outlining(): DrawingContext<Modules> {
  const modules: Modules = { width: 0, height: 0, outlines: [] }
  return {
    scale: () => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width, height) => void Object.assign(modules, { width, height }),
    line: () => {},
    polygon: (points) => void modules.outlines.push(points),
    hexagon: () => {},
    ellipse: () => {},
    fill: () => {},
    text: () => {},
    end: () => modules,
  }
}
