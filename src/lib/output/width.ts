import stringWidth from 'string-width'

const ELLIPSIS = '…'
let graphemes: Intl.Segmenter | undefined

/** Columns that the text takes on a terminal; ambiguous characters count as narrow. */
export function displayWidth(text: string): number {
  return stringWidth(text)
}

/** The text, or as many whole graphemes of it as fit together with an ellipsis. */
export function truncate(text: string, maxWidth: number): string {
  if (displayWidth(text) <= maxWidth) return text
  if (maxWidth < 1) return ''
  graphemes ??= new Intl.Segmenter()
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += displayWidth(segment)
    if (width > maxWidth - 1) break
    kept += segment
  }
  return kept + ELLIPSIS
}

/** The text, filled up with spaces on its right. */
export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
