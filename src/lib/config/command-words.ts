/** A line split at quotes and backslashes; nothing else means anything. */
interface CommandWords {
  words: string[]
  isOpen: boolean
}

const POSIX =
  /(?<space>\s+)|'(?<literal>[^']*)(?<end>'|$)|"(?<quoted>(?:\\.|[^"\\])*)(?<stop>["\\]|$)|\\(?<escaped>.?)|[^\s'"\\]+/gs
const POWERSHELL =
  /(?<space>\s+)|'(?<literal>[^']*)(?<end>'|$)|"(?<quoted>(?:`.|[^"`])*)(?<stop>["`]|$)|`(?<escaped>.?)|[^\s'"`]+/gs

/** `'a b' c` → `a b` and `c`. */
export function splitWords(line: string, shell: 'posix' | 'powershell' = 'posix'): CommandWords {
  const words: string[] = []
  let isWord = false
  let isOpen = false
  for (const { 0: all, groups = {} } of line.matchAll(shell === 'posix' ? POSIX : POWERSHELL)) {
    const { space, literal, end, quoted, stop, escaped } = groups
    if (space === undefined) {
      if (!isWord) words.push('')
      // A backslash between double quotes counts before special characters only.
      const inQuotes = quoted?.replace(shell === 'posix' ? /\\(["\\$`\n])/gs : /`(.)/gs, '$1')
      words.push(`${words.pop()}${literal ?? inQuotes ?? escaped ?? all}`)
      isOpen = end === '' || escaped === '' || (stop !== undefined && stop !== '"')
    }
    isWord = space === undefined
  }
  return { words, isOpen }
}
