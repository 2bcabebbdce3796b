import { type LabelContent, shortened } from './content.ts'
import { type CustomsPage, customsPages, customsRow } from './customs.ts'

/** Dots of a printer with 203 dpi. */
const WIDTH = 799
const LENGTH = 1199
const MARGIN = 40
const INNER = WIDTH - 2 * MARGIN

interface TextStyle {
  /** Dots; down to 70 % of it where the text does not fit. */
  height: number
  width: number
  align?: 'L' | 'C' | 'R'
  /** White on black; at the left only. */
  reverse?: true
}

/** A label of 100 × 150 mm at 203 dpi: one format for the parcel, then those for customs. */
export function labelZpl(content: LabelContent): Uint8Array {
  const labels = [parcelLabel(content), ...customsPages(content).map((page) => customsLabel(content, page))]
  return new TextEncoder().encode(
    labels
      .map((fields) =>
        ['^XA', '^CI28', `^PW${WIDTH}`, `^LL${LENGTH}`, '^LH0,0', ...fields, '^XZ', ''].join('\n'),
      )
      .join(''),
  )
}

function parcelLabel(content: LabelContent): string[] {
  const { carrier, title, service, sender, receiver, facts, pudo, trackingCode } = content
  const receiverLines = receiver.lines.slice(0, 3)
  const y = 395 + receiverLines.length * 42
  return [
    text(MARGIN, 45, carrier, { height: 60, width: 450 }),
    text(499, 45, title, { height: 32, width: 260, align: 'R' }),
    text(499, 82, service, { height: 28, width: 260, align: 'R' }),
    rule(122, 5),
    text(MARGIN, 138, 'FROM', { height: 20, width: 200 }),
    ...sender.slice(0, 6).map((line, i) => text(MARGIN, 162 + i * 24, line, { height: 24, width: 540 })),
    `^FO619,142^BXN,8,200^FH_^FD${escaped(trackingCode)}^FS`,
    rule(308),
    text(MARGIN, 320, 'TO', { height: 20, width: 200 }),
    text(MARGIN, 345, receiver.name, { height: 46, width: INNER }),
    ...receiverLines.map((line, i) => text(MARGIN, 397 + i * 42, line, { height: 36, width: INNER })),
    text(MARGIN, y, receiver.place, { height: 54, width: INNER }),
    text(MARGIN, y + 60, receiver.country.toUpperCase(), { height: 36, width: 430 }),
    ...(receiver.phone === ''
      ? []
      : [text(479, y + 62, `Tel. ${receiver.phone}`, { height: 28, width: 280, align: 'R' })]),
    rule(648),
    ...facts.flatMap(([name, value], i) => {
      const isRight = i > 0 && i % 2 === 0
      const [x, top] = [isRight ? 420 : MARGIN, 664 + Math.ceil(i / 2) * 40]
      const width = isRight ? 224 : 255
      return [
        text(x, top + 4, name, { height: 22, width: 115 }),
        text(x + 115, top, value, { height: 30, width: i === 0 ? INNER - 115 : width }),
      ]
    }),
    ...(pudo === undefined
      ? []
      : [
          `^FO${MARGIN},826^GB${INNER},64,64^FS`,
          text(MARGIN + 16, 846, 'SERVICE POINT', { height: 28, width: 200, reverse: true }),
          text(MARGIN + 230, 842, pudo, { height: 38, width: 475, reverse: true }),
        ]),
    rule(904, 5),
    ...code(trackingCode, 928, 190),
  ]
}

const COLUMNS = [
  [MARGIN, 250, 'L'],
  [296, 54, 'R'],
  [356, 96, 'R'],
  [460, 146, 'R'],
  [618, 88, 'L'],
  [712, 50, 'L'],
] as const

function customsLabel(content: LabelContent, page: CustomsPage): string[] {
  const { receiver, sender, trackingCode } = content
  const to = [receiver.name, ...receiver.lines, receiver.place, receiver.country]
  const party = (x: number, head: string, lines: readonly string[]) => [
    text(x, 142, head, { height: 20, width: 200 }),
    ...lines.slice(0, 6).map((line, i) => text(x, 164 + i * 23, line, { height: 22, width: 345 })),
  ]
  const row = (cells: readonly string[], y: number, height: number) =>
    COLUMNS.map(([x, width, align], c) => text(x, y, cells[c] ?? '', { height, width, align }))
  return [
    text(MARGIN, 45, 'CUSTOMS DECLARATION', { height: 46, width: 530 }),
    text(599, 45, 'CN 23', { height: 46, width: 160, align: 'R' }),
    text(MARGIN, 96, page.note, { height: 22, width: INNER }),
    rule(128, 5),
    ...party(MARGIN, 'FROM', sender),
    ...party(415, 'TO', to),
    rule(312),
    ...row(customsRow(), 324, 20),
    ...page.rows.flatMap((cells, i) => row(cells, 354 + i * 36, 26)),
    rule(800),
    ...(page.isLast
      ? [
          text(MARGIN, 816, `Total weight  ${page.customs.totalWeightKg.toFixed(3)} kg`, {
            height: 30,
            width: 340,
          }),
          text(390, 816, `Total value  ${page.customs.totalValue}`, { height: 30, width: 369, align: 'R' }),
        ]
      : []),
    text(MARGIN, 860, page.category, { height: 26, width: INNER }),
    text(MARGIN, 894, page.statement, { height: 22, width: INNER }),
    rule(926, 5),
    ...code(trackingCode, 950, 168),
  ]
}

/** Three dots a module, with the code below. */
function code(trackingCode: string, y: number, height: number): string[] {
  // Subset B: start, characters, check, stop.
  const modules = (trackingCode.length + 2) * 11 + 13
  const x = Math.round((WIDTH - modules * 3) / 2)
  return [
    `^FO${x},${y}^BY3,3,${height}^BCN,${height},N,N,N^FH_^FD${escaped(trackingCode)}^FS`,
    text(MARGIN, y + height + 14, trackingCode, { height: 44, width: INNER, align: 'C' }),
  ]
}

function rule(y: number, thickness = 3): string {
  return `^FO${MARGIN},${y}^GB${INNER},${thickness},${thickness}^FS`
}

function text(x: number, y: number, value: string, style: TextStyle): string {
  const { width, align = 'L', reverse } = style
  const { height, shown } = fitted(value, style)
  if (align === 'L') return field(x, y, height, reverse ? '^FR' : '', shown)
  // A field block wider than needed: where widths are estimated too small, its line would break.
  const spare = align === 'R' ? Math.floor(width / 4) : 0
  return field(x - spare, y, height, `^FB${width + spare},1,0,${align}`, shown)
}

/** A text and its height in dots so that it fits. */
function fitted(value: string, style: TextStyle) {
  const wanted = Math.max(1, widthOf(value))
  const height = Math.floor(Math.max(style.height * 0.7, Math.min(style.height, style.width / wanted)))
  let shown = value
  while (shown.length > 1 && widthOf(shown) * height > style.width) shown = shortened(shown)
  return { height, shown }
}

function field(x: number, y: number, height: number, options: string, value: string): string {
  return `^FO${x},${y}^A0N,${height}${options}^FH_^FD${escaped(value)}^FS`
}

/** Estimated, as a multiple of its height, in the printers' scalable font. */
function widthOf(value: string): number {
  let width = 0
  for (const c of value) {
    if (/[MWmw@%…—]/.test(c)) width += 0.78
    else if (/[\sIiljft.,:;'’|!()[\]]/.test(c)) width += 0.3
    else width += /\p{Lu}/u.test(c) ? 0.6 : 0.5
  }
  return width
}

function escaped(value: string): string {
  return value.replace(/[\^~_\\]/g, (c) => `_${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
