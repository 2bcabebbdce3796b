import { foldText } from './fold.ts'

/** Words for 0 to 9, in the languages of replies to customers. */
const LANGUAGES = [
  'zero one two three four five six seven eight nine',
  'cero uno dos tres cuatro cinco seis siete ocho nueve',
  'zero un deux trois quatre cinq six sept huit neuf',
  'null eins zwei drei vier funf sechs sieben acht neun',
  'zero uno due tre quattro cinque sei sette otto nove',
]
const DIGITS: ReadonlyMap<string, string> = new Map([
  ...LANGUAGES.flatMap((words) => words.split(' ').map((word, digit) => [word, `${digit}`] as const)),
  ['oh', '0'],
  ['o', '0'],
])
const TIMES: Readonly<Record<string, number>> = { double: 2, triple: 3 }
/** Fewer may be words. */
const MIN_RUN = 4

/** Numbers that were written down as they were spoken, in digits: `one oh double five` is `1055`. */
export function spokenDigits(chunks: readonly string[]): string[] {
  const result: string[] = []
  for (let at = 0; at < chunks.length; ) {
    const { digits, next } = readRun(chunks, at)
    if (digits.length >= MIN_RUN) result.push(digits)
    else result.push(...chunks.slice(at, Math.max(next, at + 1)))
    at = Math.max(next, at + 1)
  }
  return result
}

function readRun(chunks: readonly string[], start: number): { digits: string; next: number } {
  let digits = ''
  let next = start
  for (;;) {
    const times = TIMES[foldText(chunks[next] ?? '')]
    const word = foldText(chunks[times === undefined ? next : next + 1] ?? '').replace(/[,.-]+$/, '')
    const digit = DIGITS.get(word) ?? (/^\d+$/.test(word) && digits !== '' ? word : undefined)
    if (digit === undefined) return { digits, next }
    digits += digit.repeat(times ?? 1)
    next += times === undefined ? 1 : 2
  }
}
