import { type Declaration, type LabelContent, money } from './content.ts'
import layout from './layout.json'

/** Millimetres. */
export const WIDTH = 100
export const HEIGHT = 150
const MARGIN = 5
export const INNER = WIDTH - 2 * MARGIN
const ROWS = 12

export interface TextStyle {
  /** Points, scaled down to 70 % if the text does not fit. */
  size: number
  /** Width in mm. */
  width: number
  bold?: boolean
  /** White text stands on black, at the left only. */
  colour?: 'grey' | 'white'
  align?: 'left' | 'centre' | 'right'
}

/** Mm from the top left corner; a text's `y` is its baseline. */
export interface LabelCanvas {
  text(x: number, y: number, text: string, style: TextStyle): void
  black(x: number, y: number, width: number, height: number): void
  code128(y: number, height: number, text: string): void
  dataMatrix(x: number, y: number, width: number, text: string): void
}

export function drawLabel(content: LabelContent, newPage: () => LabelCanvas) {
  drawParcel(newPage(), content)
  const { customs } = content
  if (customs === undefined) return
  const count = Math.ceil(customs.items.length / ROWS)
  for (let page = 0; page < count; page++) drawCustoms(newPage(), content, customs, [page, count])
}

/** `widthOf` is in mm at 1 point. */
export function fitText(text: string, style: TextStyle, widthOf: (text: string) => number) {
  const wanted = style.width / Math.max(0.01, widthOf(text))
  const size = Math.max(style.size * 0.7, Math.min(style.size, wanted))
  let shown = text
  while (shown.length > 1 && widthOf(shown) * size > style.width + 0.01)
    shown = `${shown.replace(/…$/, '').slice(0, -1)}…`
  return { shown, size }
}

/** Text of layout.json. `{name}` stands for a value. */
type PlacedText = TextStyle & { x: number; y: number; text: string }

function drawTexts(
  canvas: LabelCanvas,
  group: Exclude<keyof typeof layout, 'table'>,
  values: Readonly<Record<string, string | number>> = {},
) {
  for (const { x, y, text, ...style } of layout[group] as readonly PlacedText[]) {
    const shown = text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
    canvas.text(x, y, shown, style)
  }
}

/** `thickness` is in points. */
function rule(canvas: LabelCanvas, y: number, thickness: number) {
  const height = (thickness * 25.4) / 72
  canvas.black(MARGIN, y - height / 2, INNER, height)
}

function drawParcel(canvas: LabelCanvas, content: LabelContent) {
  const { carrier, title, service, sender, receiver, pudo, trackingCode } = content
  drawTexts(canvas, 'parcel', { carrier, title, service, receiver: receiver.name })
  rule(canvas, 15.5, 1.5)
  for (const [i, line] of sender.slice(0, 6).entries()) {
    canvas.text(MARGIN, 22 + i * 3, line, { size: 7.5, width: 68, bold: i === 0 })
  }
  canvas.dataMatrix(WIDTH - MARGIN - 17, 18.5, 17, trackingCode)
  rule(canvas, 38, 0.8)
  drawReceiver(canvas, content)
  rule(canvas, 81, 0.8)
  drawFacts(canvas, content)
  if (pudo !== undefined) {
    canvas.black(MARGIN, 103, INNER, 8)
    drawTexts(canvas, 'servicePoint', { pudo })
  }
  rule(canvas, 113, 1.5)
  drawCode(canvas, trackingCode, 116, 24)
}

function drawReceiver(canvas: LabelCanvas, { receiver }: LabelContent) {
  const { lines, place, country, phone } = receiver
  for (const [i, line] of lines.slice(0, 3).entries()) {
    canvas.text(MARGIN, 54 + i * 5, line, { size: 12, width: INNER })
  }
  const y = 56 + Math.min(3, lines.length) * 5
  canvas.text(MARGIN, y, place, { size: 17, bold: true, width: INNER })
  canvas.text(MARGIN, y + 6, country.toUpperCase(), { size: 11, bold: true, width: 55 })
  if (phone !== '') canvas.text(MARGIN + 55, y + 6, `Tel. ${phone}`, { size: 9, width: 35, align: 'right' })
}

function drawFacts(canvas: LabelCanvas, { facts }: LabelContent) {
  for (const [i, [name, value]] of facts.entries()) {
    const isRight = i > 0 && i % 2 === 0
    const x = MARGIN + (isRight ? 48 : 0)
    const y = 86 + Math.ceil(i / 2) * 5
    const width = isRight ? 27 : 31
    canvas.text(x, y, name, { size: 7, width: 15, colour: 'grey' })
    canvas.text(x + 15, y, value, { size: 9, bold: true, width: i === 0 ? INNER - 15 : width })
  }
}

function drawCode(canvas: LabelCanvas, code: string, y: number, height: number) {
  canvas.code128(y, height, code)
  const grouped = code.replace(/^([A-Z]{2})(\d{3})(\d{3})(\d{3})([A-Z]{2})$/, '$1 $2 $3 $4 $5')
  canvas.text(MARGIN, y + height + 6, grouped, { size: 14, bold: true, width: INNER, align: 'centre' })
}

function drawCustoms(
  canvas: LabelCanvas,
  { title, facts, receiver, sender, trackingCode }: LabelContent,
  customs: Declaration,
  [page, count]: readonly [page: number, count: number],
) {
  const exported = customs.exportTrackingNumber
  const category =
    title === 'RETURN'
      ? `[X] Returned goods${exported === undefined ? '' : `   Export shipment: ${exported}`}`
      : '[X] Sale of goods'
  const date = facts.find(([name]) => name === 'Date')?.[1] ?? ''
  drawTexts(canvas, 'customs', { page: page + 1, count, category, date })
  rule(canvas, 17, 1.5)
  const to = [receiver.name, ...receiver.lines, receiver.place, receiver.country]
  for (const [x, lines] of [
    [MARGIN, sender],
    [52, to],
  ] as const) {
    for (const [i, line] of lines.slice(0, 6).entries()) {
      canvas.text(x, 23.5 + i * 2.8, line, { size: 6.5, width: 43, bold: i === 0 })
    }
  }
  rule(canvas, 40, 0.8)
  drawTable(canvas, customs.items.slice(page * ROWS, (page + 1) * ROWS))
  rule(canvas, 104, 0.8)
  if (page === count - 1) {
    drawTexts(canvas, 'totals', { weight: customs.totalWeightKg.toFixed(3), value: customs.totalValue })
  }
  rule(canvas, 120, 1.5)
  drawCode(canvas, trackingCode, 123, 17)
}

type DeclaredItem = Declaration['items'][number]

const CELLS: Readonly<Record<string, (item: DeclaredItem) => string>> = {
  description: ({ description }) => description,
  quantity: ({ quantity }) => String(quantity),
  weight: ({ weightKg }) => (weightKg === 0 ? '' : weightKg.toFixed(3)),
  value: ({ value, currency }) => money(value, currency),
  hsCode: ({ hsCode }) => hsCode,
  origin: ({ originCountryCode }) => originCountryCode,
}

function drawTable(canvas: LabelCanvas, items: readonly DeclaredItem[]) {
  for (const { column, head, x, ...given } of layout.table) {
    const style = given as Pick<TextStyle, 'width' | 'align'>
    canvas.text(x, 43.5, head, { size: 6, bold: true, colour: 'grey', ...style })
    for (const [row, item] of items.entries()) {
      canvas.text(x, 48 + row * 4.5, CELLS[column]?.(item) ?? '', { size: 7.5, ...style })
    }
  }
  rule(canvas, 44.8, 0.4)
}
