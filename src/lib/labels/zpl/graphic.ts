import { inflateSync } from 'node:zlib'
import { Undrawable } from './commands.ts'

/** One bit a dot, rows from the top, padded to whole bytes. A set bit is black. */
export interface Bitmap {
  width: number
  height: number
  rows: Buffer
}

export function inkEnd({ width, rows }: Bitmap) {
  const bytesPerRow = width / 8
  let [right, bottom] = [0, 0]
  for (const [at, byte] of rows.entries()) {
    if (byte === 0) continue
    right = Math.max(right, (at % bytesPerRow) * 8 + Math.clz32(byte & -byte) - 23)
    bottom = Math.floor(at / bytesPerRow) + 1
  }
  return [right, bottom] as const
}

export function zplGraphic({ width, height, rows }: Bitmap): string {
  const bytesPerRow = Math.ceil(width / 8)
  const lines = Array.from({ length: height }, (_unused, y) =>
    rows.toString('hex', y * bytesPerRow, (y + 1) * bytesPerRow).toUpperCase(),
  )
  const data = lines.map((line, y) => (line === lines[y - 1] ? ':' : runLengths(line))).join('')
  const size = `${rows.length},${rows.length},${bytesPerRow}`
  // Printers keep shifts and turns of the previous label, so all are reset.
  return `^XA^PW${width}^LL${height}^LH0,0^LS0^LT0^PON^PMN^LRN^FO0,0^GFA,${size},${data}^FS^XZ\n`
}

/**
 * Repeat counts are `G` to `Y` for 1 to 19, `g` to `z` for 20 to 400; `,` fills a row with white, `:` is the row
 * before.
 */
function runLengths(line: string) {
  return line.replace(/0+$/, ',').replace(/([0-9A-F])\1+/g, (run, digit) => repeats(run.length) + digit)
}

function repeats(count: number) {
  const [twenties, ones] = [Math.floor((count % 400) / 20), count % 20]
  const letter = (first: string, index: number) =>
    index === 0 ? '' : String.fromCharCode(first.charCodeAt(0) + index - 1)
  return 'z'.repeat(Math.floor(count / 400)) + letter('g', twenties) + letter('G', ones)
}

const MAX_BYTES = 3_000_000

/** Reads hexadecimal digits with or without repeat counts, `:Z64:`, `:B64:`, or plain bytes. */
export function readBitmap(data: string, total: number, bytesPerRow: number, isBinary = false): Bitmap {
  if (!Number.isInteger(bytesPerRow) || bytesPerRow < 1 || bytesPerRow > 9999)
    throw new Undrawable('it holds a graphic without a width')
  const [, coding, base64] = /^\s*:([ZB]64):([\w+/=\s]*)/.exec(data) ?? []
  let all: Buffer
  try {
    if (isBinary) all = Buffer.from(data, 'latin1')
    else if (base64 === undefined) all = fromDigits(data.trim(), bytesPerRow)
    else if (coding === 'B64') all = Buffer.from(base64, 'base64')
    else all = inflateSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_BYTES })
  } catch (cause) {
    if (cause instanceof Undrawable) throw cause
    throw new Undrawable('it holds a graphic that is broken or too large', { cause })
  }
  const height = Math.floor(Math.min(total > 0 ? total : all.length, all.length) / bytesPerRow)
  if (height === 0) throw new Undrawable('it holds a graphic without a row')
  return { width: bytesPerRow * 8, height, rows: all.subarray(0, height * bytesPerRow) }
}

function fromDigits(data: string, bytesPerRow: number) {
  const digits = 2 * bytesPerRow
  const lines: string[] = []
  let line = ''
  for (const [token, counts = '', digit = ''] of data.matchAll(/([G-Yg-z]*)([\dA-Fa-f])|./g)) {
    if (token === ',') line = line.padEnd(digits, '0')
    else if (token === '!') line = line.padEnd(digits, 'F')
    else if (token === ':') line = lines.at(-1) ?? '0'.repeat(digits)
    else if (digit === '') throw new Undrawable('it holds a graphic that is not in hexadecimal digits')
    else line += digit.repeat(repeatCount(counts))
    if (line.length < digits) continue
    if (lines.length * bytesPerRow > MAX_BYTES) throw new Undrawable('it holds a graphic that is too large')
    for (; line.length >= digits; line = line.slice(digits)) lines.push(line.slice(0, digits))
  }
  return Buffer.from(lines.join('') + line, 'hex')
}

function repeatCount(letters: string) {
  const count = (letter: string) =>
    letter < 'a' ? letter.charCodeAt(0) - 'F'.charCodeAt(0) : (letter.charCodeAt(0) - 'f'.charCodeAt(0)) * 20
  return [...letters].reduce((sum, letter) => sum + count(letter), 0) || 1
}
