import { hex, type Operands, Undrawable } from './commands.ts'
import { barsOf, code128, encode, matrix, NO_DRAWING } from './encoder.ts'
import { ellipseOutline, type Outline, rectangle } from './shapes.ts'

/** Bar code defaults of `^BY`. */
interface Bars {
  dots: number
  ratio: number
  height: number
}

/** A text centred on `middle`, in dots from the code's top left corner. */
interface CodeText {
  text: string
  middle: number
  baseLine: number
  height: number
}

/** Outlines are in dots from the top left corner, filled by the even-odd rule. */
export interface ZplSymbol {
  width: number
  height: number
  outlines: Outline[]
  texts?: CodeText[]
  /** Dots that printers move the code down. */
  drop?: { fromTop: number; fromBottom: number }
}

export type Encode = (data: string) => ZplSymbol

/** `dotsPerMm` matters to codes of a fixed size. */
export const CODES: Readonly<Record<string, (operands: Operands, bars: Bars, dotsPerMm: number) => Encode>> =
  {
    '^B2': (operands, bars) => (data) => {
      const digits = data.replace(/\D/g, '')
      const checked = operands.isYes(4, false) ? digits + checkDigit(digits) : digits
      const text = checked.length % 2 === 1 ? `0${checked}` : checked
      const modules = barsOf('interleaved2of5', { text })
      return linear(wideBars(modules, bars), operands, { bars, text })
    },
    '^B3': (operands, bars) => (data) => {
      const text = data.replace(/^\*|\*$/g, '')
      const modules = barsOf('code39', { text, includecheck: operands.isYes(1, false) })
      return linear(wideBars(modules, bars), operands, { bars, text: `*${text}*`, operand: 2 })
    },
    '^B7': (operands, bars) => (data) => {
      const [columns, rows] = [operands.number(3, 0), operands.number(4, 0)]
      const isShort = operands.isYes(5, false)
      const name = isShort ? 'pdf417compact' : 'pdf417'
      const eclevel = operands.number(2, 0, 0, 8)
      const size = { ...(columns > 0 && { columns }), ...(rows > 0 && { rows }) }
      const modules = matrix(name, { text: data, eclevel, rowmult: 1, ...size })
      const rowHeight = operands.number(1, 0) || Math.max(Math.round(bars.height / modules.height), 1)
      return scaled(modules, bars.dots, rowHeight)
    },
    '^B8': retail('ean8', 7),
    '^BE': retail('ean13', 12),
    '^BC': (operands, bars) => (data) => {
      const mode = operands.at(5).toUpperCase() || 'N'
      const { options, text } = code128Input(data, mode)
      if (mode === 'N' && operands.isYes(4, false))
        throw new Undrawable('it holds ^BC with a check digit of its own')
      const modules = barsOf('code128', options)
      const widths = modules.map((width) => width * bars.dots)
      return linear(widths, operands, { bars, text, isAbove: mode === 'U' })
    },
    '^BD': (operands, _bars, dotsPerMm) => (data) => maxiCode(operands, data, dotsPerMm),
    '^BQ': (operands, bars) => (data) => {
      const [, level = 'M', content] = /^([HQML])?A?,(.*)$/s.exec(data) ?? manualQr(data)
      const [model, times] = [operands.number(1, 2), operands.number(2, 2, 1)]
      if (model !== 2 || content === undefined)
        throw new Undrawable('it holds ^BQ with data that are not for model 2')
      const mask = operands.number(4, 7, 0, 7) + 1
      const symbol = scaled(matrix('qrcode', { text: content, eclevel: level, mask }), times, times)
      // Printers move a QR code down by the height of ^BY, or up if placed by its lower edge.
      return { ...symbol, drop: { fromTop: bars.height, fromBottom: -7 * times } }
    },
    '^BX': (operands, bars) => (data) => {
      if (operands.at(2) !== '200') throw new Undrawable('it holds ^BX with a quality other than 200')
      const dots = operands.number(1, bars.height, 1)
      const format = operands.at(7) === '2' ? 'rectangle' : 'square'
      const text = dataMatrixText(data, operands.at(6) || '~')
      const [columns, rows] = [operands.number(3, 0), operands.number(4, 0)]
      const size = columns > 0 && rows > 0 ? { columns, rows } : {}
      return scaled(matrix('datamatrix', { text, parsefnc: true, format, ...size }), dots, dots)
    },
  }

function scaled(
  { width, height, outlines }: ReturnType<typeof matrix>,
  across: number,
  down: number,
): ZplSymbol {
  const corners = outlines.map((outline) => outline.map(([x, y]) => [x * across, y * down] as const))
  return { width: width * across, height: height * down, outlines: corners }
}

function wideBars(modules: readonly number[], { dots, ratio }: Bars) {
  return modules.map((width) => (width > 1 ? Math.round(ratio * dots) : dots))
}

interface LinearOptions {
  bars: Bars
  text: string
  operand?: number
  isAbove?: boolean
}

function linear(
  widths: readonly number[],
  operands: Operands,
  { bars, text, operand = 1, isAbove = false }: LinearOptions,
): ZplSymbol {
  const height = operands.number(operand, bars.height, 1)
  const outlines: Outline[] = []
  let width = 0
  for (const [index, dots] of widths.entries()) {
    if (index % 2 === 0) outlines.push(rectangle(width, 0, width + dots, height))
    width += dots
  }
  if (!operands.isYes(operand + 1, true)) return { width, height, outlines }
  const letters = 10 * bars.dots
  const baseLine = operands.isYes(operand + 2, isAbove) ? -letters / 2 : height + letters
  return { width, height, outlines, texts: [{ text, middle: width / 2, baseLine, height: letters }] }
}

function retail(bcid: string, digits: number) {
  const half = digits === 7 ? 4 : 6
  return (operands: Operands, bars: Bars) =>
    (data: string): ZplSymbol => {
      if (!/^\d+$/.test(data)) throw new Undrawable(`it holds an EAN code of "${data}", which are not digits`)
      const code = data.slice(0, digits).padStart(digits, '0')
      const text = code + checkDigit(code)
      const { dots } = bars
      const widths = barsOf(bcid, { text }).map((width) => width * dots)
      const symbol = linear(widths, operands, { bars, text })
      const { width, height } = symbol
      const guard = Math.min(5 * dots, 20)
      const isGuard = (x: number) =>
        x < 3 * dots || x > width - 4 * dots || Math.abs(x - width / 2) < 2 * dots
      const outlines = symbol.outlines.map((outline) =>
        isGuard(outline[0]?.[0] ?? 0) ? outline.map(([x, y]) => [x, y && height + guard] as const) : outline,
      )
      if (symbol.texts === undefined || operands.isYes(3, false)) return { ...symbol, outlines }
      const first = text.length - 2 * half
      const texts = [...text].map((digit, index) => {
        const nth = index - first
        const at = nth < 0 ? -7 : (nth < half ? 3 : 8) + 7 * nth + 3.5
        return { text: digit, middle: at * dots, baseLine: height + 10 * dots, height: 10 * dots }
      })
      return { ...symbol, outlines, texts }
    }
}

function checkDigit(digits: string) {
  const sum = [...digits]
    .reverse()
    .reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return String((10 - (sum % 10)) % 10)
}

const FNC1 = '^FNC1'
/** The encoder reads `^` as the start of a function character. */
const plain = (text: string) => text.replaceAll('^', '^^')

function code128Input(data: string, mode: string): { options: object; text: string } {
  if (mode === 'A') return { options: { text: plain(data), parsefnc: true }, text: data }
  if (mode === 'D') {
    const parts = data.replace(/[()\s]/g, '').split('>8')
    const content = (parts[0] === '' ? parts : ['', ...parts]).map(plain).join(FNC1)
    return { options: { text: content, parsefnc: true }, text: data.replaceAll('>8', '') }
  }
  if (mode === 'U') {
    const digits = data.replace(/\D/g, '').slice(0, 19).padStart(19, '0')
    const text = digits + checkDigit(digits)
    return { options: { text: FNC1 + text, parsefnc: true }, text }
  }
  const { values, text } = code128(data)
  return {
    options: { text: values.map((value) => `^${String(value).padStart(3, '0')}`).join(''), raw: true },
    text,
  }
}

/** Reads `^BQ` in manual mode: level, `M,`, and the kind of characters. */
function manualQr(data: string): [string, string?, string?] {
  const [, level, kind, rest = ''] = /^([HQML])?M,([NAB])(.*)$/s.exec(data) ?? []
  if (kind === undefined) return [data]
  return [data, level, kind === 'B' ? rest.slice(4, 4 + Number(rest.slice(0, 4))) : rest]
}

/** Resolves escapes of `^BX`: FNC1, characters by number, and the sign itself. */
function dataMatrixText(data: string, sign: string) {
  return plain(data).replace(
    new RegExp(`${hex(sign)}(1|d\\d{3}|${hex(sign)})?`, 'g'),
    (all, sequence?: string) => {
      if (sequence === '1') return FNC1
      if (sequence === undefined)
        throw new Undrawable(
          `it holds ^BX with a control sequence other than ${sign}1, ${sign}d and ${sign}${sign}`,
        )
      return sequence.startsWith('d') ? plain(String.fromCharCode(Number(sequence.slice(1)))) : all.charAt(0)
    },
  )
}

const [GROUP, HEADER] = ['\x1d', '[)>\x1e01\x1d']
/** Scale at which the encoder's hexagons measure exactly 104 across and 90 down. */
const MAXI_SCALE = 30
const MM_PER_UNIT = { across: 0.88 / 104, down: 0.762 / 90 }

/** Data of modes 2 and 3 begin with service, country and postal code, which the symbol reverses. */
function maxiCode(operands: Operands, data: string, dotsPerMm: number) {
  const mode = operands.number(0, 2)
  let text = data
  if (mode === 2 || mode === 3) {
    const start = data.indexOf(HEADER)
    const [, service, country, postalCode = ''] =
      /^(\d{3})(\d{3})(.*)$/s.exec(start < 0 ? data : data.slice(0, start)) ?? []
    if (country === undefined) throw new Undrawable('it holds ^BD without a class of service and a country')
    const year = start < 0 ? '' : data.slice(start, start + 9)
    const rest = start < 0 ? '' : data.slice(start + 9)
    text = `${year}${[postalCode.trim(), country, service, rest].join(GROUP)}`
  }
  const [across, down] = [MM_PER_UNIT.across * dotsPerMm, MM_PER_UNIT.down * dotsPerMm]
  const symbol: ZplSymbol = { width: 0, height: 0, outlines: [] }
  const number = operands.number(1, 1)
  const of = operands.number(2, 1)
  const sam = of > 1 ? { sam: `${number}${of}` } : {}
  return encode<ZplSymbol>(
    'maxicode',
    { text, mode, ...sam },
    {
      ...NO_DRAWING,
      scale: () => [MAXI_SCALE, MAXI_SCALE],
      init(width, height) {
        symbol.width = width * across
        symbol.height = height * down
      },
      hexagon: (points) => void symbol.outlines.push(points.map(([x, y]) => [x * across, y * down])),
      ellipse: (x, y, wide, high) =>
        void symbol.outlines.push(ellipseOutline(x * across, y * down, wide * across, high * down)),
      end: () => symbol,
    },
  )
}
