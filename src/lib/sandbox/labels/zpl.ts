import type { LabelContent } from './content.ts'
import { ABOVE_BASELINE, isDrawn, partsOf, zplGraphicOf } from './glyphs.ts'
import { drawLabel, fitText, HEIGHT, type LabelCanvas, type TextStyle, WIDTH } from './layout.ts'

const DOTS_PER_MM = 203 / 25.4
/** Printers' letters are smaller than Helvetica's. */
const DOTS_PER_POINT = 3.1
const EM = 0.85
const MODULE_DOTS = 3
const MATRIX_DOTS = 8

export function labelZpl(content: LabelContent): Uint8Array {
  const pages: ZplCanvas[] = []
  drawLabel(content, () => {
    const page = new ZplCanvas()
    pages.push(page)
    return page
  })
  const head = ['^XA', '^CI28', `^PW${dots(WIDTH)}`, `^LL${dots(HEIGHT)}`, '^LH0,0']
  return new TextEncoder().encode(
    pages.map(({ fields }) => [...head, ...fields, '^XZ', ''].join('\n')).join(''),
  )
}

class ZplCanvas implements LabelCanvas {
  readonly fields: string[] = []

  text(x: number, y: number, text: string, style: TextStyle) {
    const { shown, size } = fitText(text, style, widthOf)
    const height = Math.floor(size * DOTS_PER_POINT)
    const parts = partsOf(shown)
    if (parts.some(({ isDrawn }) => isDrawn)) {
      this.#mixed(x, y, parts, { ...style, size })
      return
    }
    // Extra width, since a text wider than estimated would wrap.
    const spare = style.align === 'right' ? style.width / 4 : 0
    const alignment = { left: 'L', centre: 'C', right: 'R' }[style.align ?? 'left']
    const block = alignment === 'L' ? '' : `^FB${dots(style.width + spare)},1,0,${alignment}`
    const reverse = style.colour === 'white' ? '^FR' : ''
    const top = dots(y) - Math.round(height * 0.8)
    this.fields.push(`^FO${dots(x - spare)},${top}^A0N,${height}${reverse}${block}${data(shown)}`)
  }

  #mixed(x: number, y: number, parts: ReturnType<typeof partsOf>, style: TextStyle) {
    const { size, width, align = 'left', colour } = style
    const height = Math.floor(size * DOTS_PER_POINT)
    const em = Math.round(height * EM)
    const reverse = colour === 'white' ? '^FR' : ''
    const used = parts.reduce((sum, { text }) => sum + widthOf(text) * size, 0)
    let left = x + (width - used) * { left: 0, centre: 0.5, right: 1 }[align]
    for (const { text, isDrawn } of parts) {
      const top = dots(y) - Math.round(isDrawn ? em * ABOVE_BASELINE : height * 0.8)
      const field = isDrawn
        ? `${reverse}${zplGraphicOf(text, em)}^FS`
        : `^A0N,${height}${reverse}${data(text)}`
      this.fields.push(`^FO${dots(left)},${top}${field}`)
      left += widthOf(text) * size
    }
  }

  black(x: number, y: number, width: number, height: number) {
    this.fields.push(`^FO${dots(x)},${dots(y)}^GB${dots(width)},${dots(height)},${dots(height)}^FS`)
  }

  code128(y: number, height: number, text: string) {
    // Subset B: start, characters, check, stop.
    const modules = (text.length + 2) * 11 + 13
    const x = Math.round((dots(WIDTH) - modules * MODULE_DOTS) / 2)
    const bars = dots(height)
    this.fields.push(`^FO${x},${dots(y)}^BY${MODULE_DOTS},3,${bars}^BCN,${bars},N,N,N${data(text)}`)
  }

  dataMatrix(x: number, y: number, _width: number, text: string) {
    this.fields.push(`^FO${dots(x)},${dots(y)}^BXN,${MATRIX_DOTS},200${data(text)}`)
  }
}

function dots(mm: number) {
  return Math.round(mm * DOTS_PER_MM)
}

/** Mm of a text of 1 point, estimated for the printers' scalable font. */
function widthOf(text: string) {
  let width = 0
  for (const c of text) {
    if (isDrawn(c)) width += EM
    else if (/[MWmw@%…—]/.test(c)) width += 0.78
    else if (/[\sIiljft.,:;'’|!()[\]]/.test(c)) width += 0.3
    else width += /\p{Lu}/u.test(c) ? 0.6 : 0.5
  }
  return (width * DOTS_PER_POINT) / DOTS_PER_MM
}

function data(text: string) {
  const escaped = text.replace(/[\^~_\\]/g, (c) => `_${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `^FH_^FD${escaped}^FS`
}
