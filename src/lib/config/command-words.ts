const POSIX =
  /(?<space>\s+)|'(?<literal>[^']*)(?<end>'|$)|"(?<quoted>(?:\\.|[^"\\])*)(?<stop>["\\]|$)|\\(?<escaped>.?)|[^\s'"\\]+/gs
const POWERSHELL =
  /(?<space>\s+)|'(?<literal>[^']*)(?<end>'|$)|"(?<quoted>(?:`.|[^"`])*)(?<stop>["`]|$)|`(?<escaped>.?)|[^\s'"`]+/gs

/** Splits a line into words, by quotes and backslashes only: `'a b' c` → `a b` and `c`. */
export function splitWords(line: string, shell: 'posix' | 'powershell' = 'posix') {
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

interface FlagForm {
  char?: string
  type?: string
  allowNo?: boolean
  /** Completions of the value; absent for a switch. */
  takes?: unknown
}

/** Reads `--rule=x`, `--no-rule`, `-r x`, `-qrx`. Of several short flags it returns the one with a value, or the last. */
export function flagIn(
  word: string,
  known: Readonly<Record<string, FlagForm>>,
): { name: string; value: string | undefined; takesNext: boolean } | undefined {
  const found = (name: string, value: string | undefined) => {
    const { type, takes } = known[name] ?? {}
    return { name, value, takesNext: value === undefined && (type === 'option' || takes !== undefined) }
  }
  const [, long, given] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
  if (long !== undefined) {
    if (Object.hasOwn(known, long)) return found(long, given)
    const opposite = long.replace(/^no-/, '')
    return known[opposite]?.allowNo ? found(opposite, given) : undefined
  }
  const [dash, first = '', ...others] = word
  const name = Object.keys(known).find((one) => known[one]?.char === first)
  if (dash !== '-' || name === undefined) return undefined
  const rest = others.join('')
  const flag = found(name, undefined)
  if (rest === '') return flag
  return flag.takesNext ? found(name, rest) : flagIn(`-${rest}`, known)
}
