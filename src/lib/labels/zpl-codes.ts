import type { BitMatrix } from '@zxing/library'
import { type Outline, rectangle } from './zpl-canvas.ts'

/** What the build takes of the library, too. */
export type MatrixEncoder = Pick<
  typeof import('@zxing/library'),
  | 'BarcodeFormat'
  | 'DataMatrixWriter'
  | 'EncodeHintType'
  | 'QRCodeDecoderErrorCorrectionLevel'
  | 'QRCodeEncoder'
>

/** Modules from the top left corner; what is black is to be filled by the even-odd rule. */
export interface Modules {
  width: number
  height: number
  outlines: Outline[]
}

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
    if (index % 2 === 0) modules.outlines.push(rectangle(left, 0, right, 1))
    modules.width = right
  }
  return modules
}

/** Without the start character that it may have. */
export function withoutStart(data: string): string {
  return data.replace(/^>[:;]/, '')
}

/** A constant that the library declares in a way that can't be imported. */
const FORCE_SQUARE = 1

/** A square, as printers make it where a label does not ask for a rectangle. @throws Error for what can't be encoded */
export function dataMatrixModules(zxing: MatrixEncoder, data: string): Modules {
  const hints = new Map([[zxing.EncodeHintType.DATA_MATRIX_SHAPE, FORCE_SQUARE]])
  return modulesOf(new zxing.DataMatrixWriter().encode(data, zxing.BarcodeFormat.DATA_MATRIX, 1, 1, hints))
}

/** @throws Error for what can't be encoded */
export function qrModules(zxing: MatrixEncoder, data: string, level: 'L' | 'M' | 'Q' | 'H'): Modules {
  const correction = zxing.QRCodeDecoderErrorCorrectionLevel[level]
  const matrix = zxing.QRCodeEncoder.encode(data, correction).getMatrix()
  return modulesOf({
    getWidth: () => matrix.getWidth(),
    getHeight: () => matrix.getHeight(),
    get: (x, y) => matrix.get(x, y) === 1,
  })
}

/** An outline for each run of black modules in a row. */
function modulesOf(matrix: Pick<BitMatrix, 'getWidth' | 'getHeight' | 'get'>): Modules {
  const [width, height] = [matrix.getWidth(), matrix.getHeight()]
  const outlines: Outline[] = []
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const left = x
      while (x < width && matrix.get(x, y)) x++
      if (x > left) outlines.push(rectangle(left, y, x, y + 1))
    }
  }
  return { width, height, outlines }
}
