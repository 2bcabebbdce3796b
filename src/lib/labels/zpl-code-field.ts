import type { QuarterTurn } from './sheet-layout.ts'
import type { Outline } from './zpl-canvas.ts'
import {
  code128Modules,
  dataMatrixModules,
  type MatrixEncoder,
  type Modules,
  qrModules,
  withoutStart,
} from './zpl-codes.ts'
import type { FieldOrigin, FieldTools } from './zpl-field-tools.ts'
import { NotSimple } from './zpl-operands.ts'

/** A bar code that a field's data are to become. */
export type Code = { dots: number; turn: QuarterTurn } & (
  | { kind: 'code128'; height: number; line: 'below' | 'above' | undefined }
  | { kind: 'data-matrix'; signs: string }
  | { kind: 'qr'; shift: number }
)

/** @throws NotSimple for data that say more than what is to be encoded, and for a place that printers differ in */
export function drawCode(tools: FieldTools, origin: FieldOrigin, code: Code, data: string): void {
  const isOfPrinters = code.dots >= 1 && (code.kind !== 'code128' || (code.dots <= 10 && code.height >= 1))
  if (!isOfPrinters || origin.isFromRight) throw new NotSimple(code.kind)
  if (code.kind === 'code128') drawBars(tools, origin, code, data)
  else drawMatrix(tools, origin, code, data)
}

function drawBars(
  { canvas, fonts }: FieldTools,
  origin: FieldOrigin,
  { dots, height, line, turn }: Code & { kind: 'code128' },
  data: string,
): void {
  // Of the invocation codes only the subset that all is in.
  if (!/^(?:(?:>:)?[ -=?-~]{2,}|>;(?:\d\d)+)$/.test(data)) throw new NotSimple(data)
  const modules = code128Modules(data)
  const width = modules.width * dots
  const { place, at } = turned(origin, turn, width, height)
  const [left, top] = at
  canvas.fill(place, shapes(modules, at, [dots, height]))
  if (line === undefined) return
  const letters = { typeface: 'fixed', height: 10 * dots, scaleX: 1 } as const
  const text = withoutStart(data)
  const wide = (fonts.fixed.widthOf(text) ?? 0) * letters.height
  const down = line === 'above' ? -letters.height / 2 : height + letters.height
  canvas.text(place, [left + (width - wide) / 2, top + down], text, letters)
}

function drawMatrix(
  { canvas, zxing }: FieldTools,
  origin: FieldOrigin,
  code: Code & { kind: 'data-matrix' | 'qr' },
  data: string,
): void {
  const modules = code.kind === 'qr' ? qrOf(zxing, data) : dataMatrixOf(zxing, data, code.signs)
  const { dots, turn } = code
  const { place, at } = turned(origin, turn, modules.width * dots, modules.height * dots)
  // As printers do, by the height of `^BY`; of a lower edge too little is known.
  if (code.kind === 'qr') place.y += code.shift
  if (code.kind === 'qr' && origin.isFromBottom) throw new NotSimple('^FT')
  canvas.fill(place, shapes(modules, at, [dots, dots]))
}

function qrOf(zxing: MatrixEncoder, data: string): Modules {
  const [, level, content = ''] = /^([HQML])A,([ -~]+)$/.exec(data) ?? []
  if (!(level === 'H' || level === 'Q' || level === 'M' || level === 'L')) throw new NotSimple(data)
  return encoded(() => qrModules(zxing, content, level))
}

function dataMatrixOf(zxing: MatrixEncoder, data: string, signs: string): Modules {
  if (!/^[ -~]+$/.test(data) || [...signs].some((sign) => data.includes(sign))) throw new NotSimple(data)
  return encoded(() => dataMatrixModules(zxing, data))
}

/** The encoder has no error of its own for what is too long. */
function encoded(encode: () => Modules): Modules {
  try {
    return encode()
  } catch (cause) {
    throw new NotSimple('it is too long', { cause })
  }
}

type Pair = readonly [number, number]

/** Outlines in dots: shifted, and as large as modules are. */
function shapes({ outlines }: Modules, [left, top]: Pair, [across, down]: Pair): Outline[] {
  return outlines.map((outline) => outline.map(([x, y]) => [left + x * across, top + y * down]))
}

/** Where a code is turned about, and its corner from there. */
function turned(origin: FieldOrigin, turn: QuarterTurn, width: number, height: number) {
  const place = { ...origin, turn }
  if (origin.isFromBottom) {
    if (turn === 0) place.y = Math.max(place.y - height, 0)
    if (turn === 180) place.x -= width
    if (turn === 270) [place.x, place.y] = [Math.max(place.x - height, 0), place.y - width]
  }
  const at = { 0: [0, 0], 90: [0, -height], 180: [-width, -height], 270: [-width, 0] } as const
  return { place, at: at[turn] }
}
