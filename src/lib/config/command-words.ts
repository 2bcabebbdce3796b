/** A command line as a shell takes it apart, to which nothing means anything but quotes and backslashes. */
interface CommandWords {
  words: string[]
  /** A quote was not closed, or a backslash stands at the end. */
  isOpen: boolean
}

const POSIX =
  /(?<space>\s+)|'(?<literal>[^']*)(?<end>'|$)|"(?<quoted>(?:\\.|[^"\\])*)(?<stop>["\\]|$)|\\(?<escaped>.?)|[^\s'"\\]+/gs
const POWERSHELL =
  /(?<space>\s+)|'(?<literal>[^']*)(?<end>'|$)|"(?<quoted>(?:`.|[^"`])*)(?<stop>["`]|$)|`(?<escaped>.?)|[^\s'"`]+/gs

/** `'a b' c` → `a b` and `c`. Nothing is expanded. */
export function splitWords(line: string, shell: 'posix' | 'powershell' = 'posix'): CommandWords {
  const words: string[] = []
  let isWord = false
  let isOpen = false
  for (const { 0: all, groups = {} } of line.matchAll(shell === 'posix' ? POSIX : POWERSHELL)) {
    const { space, literal, end, quoted, stop, escaped } = groups
    if (space === undefined) {
      if (!isWord) words.push('')
      // A backslash between double quotes is one, but before what means something there.
      const inQuotes = quoted?.replace(shell === 'posix' ? /\\(["\\$`\n])/gs : /`(.)/gs, '$1')
      words.push(`${words.pop()}${literal ?? inQuotes ?? escaped ?? all}`)
      isOpen = end === '' || escaped === '' || (stop !== undefined && stop !== '"')
    }
    isWord = space === undefined
  }
  return { words, isOpen }
}
