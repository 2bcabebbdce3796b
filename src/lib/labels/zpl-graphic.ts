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
