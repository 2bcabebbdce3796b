import type { Bitmap } from './pdf-raster.ts'

/** A label that is one graphic (`^GF`), as large as the bitmap. */
export function zplGraphic({ width, height, rows }: Bitmap): string {
  const bytesPerRow = Math.ceil(width / 8)
  const lines = Array.from({ length: height }, (_unused, y) =>
    rows.toString('hex', y * bytesPerRow, (y + 1) * bytesPerRow).toUpperCase(),
  )
  const data = lines.map((line, y) => (line === lines[y - 1] ? ':' : runLengths(line))).join('')
  const size = `${rows.length},${rows.length},${bytesPerRow}`
  // Whatever a label before has shifted or turned must not show in this one.
  return `^XA^PW${width}^LL${height}^LH0,0^LS0^LT0^PON^PMN^LRN^FO0,0^GFA,${size},${data}^FS^XZ\n`
}

/**
 * Hexadecimal digits with repeat counts, as every ZPL printer reads them: `G` to `Y` are 1 to 19, `g` to `z` 20 to 400
 * in twenties; `,` fills the rest of a row with white, `:` is the row before.
 */
function runLengths(line: string): string {
  return line.replace(/0+$/, ',').replace(/([0-9A-F])\1+/g, (run, digit) => repeats(run.length) + digit)
}

function repeats(count: number): string {
  const [twenties, ones] = [Math.floor((count % 400) / 20), count % 20]
  const letter = (first: string, place: number) =>
    place === 0 ? '' : String.fromCharCode(first.charCodeAt(0) + place - 1)
  return 'z'.repeat(Math.floor(count / 400)) + letter('g', twenties) + letter('G', ones)
}

const BY_OPERANDS = /^A,\d*,(\d{1,7}),(\d{1,4}),([^:!][^!]*)$/
/** More than any printer takes. */
const MOST_DIGITS = 6_000_000

/** The bitmap of `^GF` in hexadecimal digits, with repeat counts or without; undefined for any other. */
export function graphicBitmap(operands: string): Bitmap | undefined {
  const [, total, bytes, data = ''] = BY_OPERANDS.exec(operands) ?? []
  const bytesPerRow = Number(bytes)
  if (!(bytesPerRow > 0)) return undefined
  const lines: string[] = []
  let [line, digits] = ['', 0]
  for (const [token, counts = '', digit = ''] of data.trim().matchAll(/([G-Yg-z]*)([\dA-Fa-f])|./g)) {
    if (token === ',') line = line.padEnd(2 * bytesPerRow, '0')
    else if (token === ':') line += lines.at(-1) ?? ''
    else if (digit === '') return undefined
    else line += digit.repeat(repeatCount(counts))
    if (line.length < 2 * bytesPerRow) continue
    digits += line.length
    if (digits > MOST_DIGITS) return undefined
    lines.push(line)
    line = ''
  }
  const all = Buffer.from(lines.join('') + line, 'hex')
  const height = Math.floor(Math.min(Number(total), all.length) / bytesPerRow)
  return height === 0
    ? undefined
    : { width: bytesPerRow * 8, height, rows: all.subarray(0, height * bytesPerRow) }
}

function repeatCount(letters: string): number {
  const count = (letter: string) =>
    letter < 'a' ? letter.charCodeAt(0) - 'F'.charCodeAt(0) : (letter.charCodeAt(0) - 'f'.charCodeAt(0)) * 20
  return [...letters].reduce((sum, letter) => sum + count(letter), 0) || 1
}
