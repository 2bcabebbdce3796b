const ELLIPSIS = '…'
let graphemes: Intl.Segmenter | undefined

/** Characters one column wide, or two from U+3000 on. They never combine. */
const SIMPLE =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0377\u037a-\u037f\u0384-\u038a\u0391-\u03a1\u03a3-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3000-\u3029\u3041-\u3096\u30a0-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]*$/
const FIRST_WIDE = '\u3000'

/** string-width, loaded only if needed: its emoji table takes as long as a small request. */
let stringWidth: ((text: string) => number) | undefined

/** Loads string-width if these texts need it. Await it before measuring. */
export async function prepareWidths(texts?: Iterable<string>) {
  if (stringWidth) return
  for (const text of texts ?? ['\u{1f600}']) {
    if (SIMPLE.test(text)) continue
    stringWidth = (await import('string-width')).default
    return
  }
}

/** Ambiguous characters count as narrow. */
export function displayWidth(text: string): number {
  if (!SIMPLE.test(text)) {
    if (!stringWidth) throw new Error('a text is measured that was not prepared for')
    return stringWidth(text)
  }
  let width = text.length
  for (const character of text) if (character >= FIRST_WIDE) width += 1
  return width
}

export function truncate(text: string, maxWidth: number): string {
  if (displayWidth(text) <= maxWidth) return text
  return maxWidth < 1 ? '' : beginning(text, maxWidth - 1) + ELLIPSIS
}

function beginning(text: string, maxWidth: number) {
  graphemes ??= new Intl.Segmenter()
  let kept = ''
  let width = 0
  for (const { segment } of graphemes.segment(text)) {
    width += displayWidth(segment)
    if (width > maxWidth) break
    kept += segment
  }
  return kept
}

/** A line break in a pasted command would run half of it. */
const COMMAND = /\brma |\bexport RMA_/

/** Breaks at spaces. Long words and commands may exceed the width. */
export function wrapWords(text: string, maxWidth: number, measure = displayWidth): string[] {
  return joined(wordsOf(text, maxWidth, measure), maxWidth, measure)
}

/** Breaks lines at spaces where the terminal would break words. JSON stays whole. */
export function wrapMessage(text: string, maxWidth = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n').flatMap((line) => {
    if (line.startsWith('{') || maxWidthOf(line) <= maxWidth) return [line]
    const [indent = ''] = /^ */.exec(line) ?? []
    const next = `${indent}  `
    const [first = '', ...rest] = wrapWords(line.trimStart(), maxWidth - next.length, maxWidthOf)
    return [indent + first, ...rest.map((one) => next + one)]
  })
  return lines.join('\n')
}

/** Overestimates the width of emoji and marks, without their table. */
function maxWidthOf(text: string) {
  if (SIMPLE.test(text)) return displayWidth(text)
  return Array.from(text).reduce((sum, character) => sum + (character < '\u1100' ? 1 : 2), 0)
}

export async function wrapLines(text: string, maxWidth: number): Promise<string> {
  await prepareWidths([text])
  const lines = text.split('\n')
  return lines.flatMap((line) => wrapWords(line, maxWidth)).join('\n')
}

/** Like `wrapWords`, but also breaks commands and long words, between graphemes. */
export function wrapText(text: string, maxWidth: number): string[] {
  const parts = text
    .split(' ')
    .flatMap((word) => (displayWidth(word) <= maxWidth ? [word] : partsOf(word, maxWidth)))
  return joined(parts, maxWidth, displayWidth)
}

function partsOf(word: string, maxWidth: number) {
  graphemes ??= new Intl.Segmenter()
  const parts: string[] = []
  let left = 0
  for (const { segment } of graphemes.segment(word)) {
    const width = displayWidth(segment)
    // A word may begin with a mark, which has no width.
    const fits = width <= left && parts.length > 0
    parts.push(fits ? parts.pop() + segment : segment)
    left = (fits ? left : maxWidth) - width
  }
  return parts
}

function wordsOf(text: string, maxWidth: number, measure: typeof displayWidth) {
  const command = text.search(COMMAND)
  if (command === 0 || measure(text) <= maxWidth) return [text]
  if (command === -1) return text.split(' ')
  return [...text.slice(0, command).trimEnd().split(' '), text.slice(command)]
}

function joined(words: readonly string[], maxWidth: number, measure: typeof displayWidth) {
  const lines: string[] = []
  let width = Number.POSITIVE_INFINITY
  for (const word of words) {
    const more = 1 + measure(word)
    if (width + more <= maxWidth) {
      lines.push(`${lines.pop()} ${word}`)
      width += more
    } else {
      lines.push(word)
      width = more - 1
    }
  }
  return lines
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
