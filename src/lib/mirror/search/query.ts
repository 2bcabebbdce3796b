import { foldText, squash, wordsIn } from './fold.ts'

/** A searched word: `oconnor`, with `parts` because `o'connor` may be two words. */
export interface QueryWord {
  text: string
  parts: readonly string[]
}

/** One way to split a query into words: `LU 105 189` is an order, or three words. */
export type Reading = readonly QueryWord[]

const FILLER_WORDS = new Set(
  'ending ends last dash hyphen minus guion tiret bindestrich trattino order orders number no nr num return rma tracking parcel phone tel mobile email mail sku barcode postcode zip code pedido numero telefono devolucion commande retour telephone bestellung nummer sendung telefon ordine reso'.split(
    ' ',
  ),
)
/** Runs of words that may be one number or code. */
const RUNS = [/s{0,3}[dm]+/g, /[dm]{2,}/g, /d{2,}/g]

/** Returns the readings of a text, most joined words first; empty without letter or digit. */
export function readQuery(text: string): Reading[] {
  const chunks = spokenDigits(text.replace(/\(0\)/g, '').trim().split(/\s+/))
  const words = withoutFillers(chunks.map(asWord).filter((word) => word.text !== ''))
  if (words.length === 0) return []
  const kinds = words.map(kindOf).join('')
  const readings = [...RUNS.map((runs) => joinRuns(words, kinds, runs)), words]
  const seen = new Set<string>()
  return readings.filter((reading) => {
    const key = reading.map((word) => word.text).join(' ')
    return !seen.has(key) && seen.add(key)
  })
}

function asWord(chunk: string): QueryWord {
  const parts = wordsIn(foldText(chunk))
  return { text: squash(chunk), parts: parts.length > 1 ? parts : [] }
}

function withoutFillers(words: readonly QueryWord[]) {
  const rest = words.filter(({ text }) => !FILLER_WORDS.has(text))
  return rest.some(({ text }) => /\d/.test(text)) ? rest : words
}

/** Returns `d` for digits, `m` for mixed, `s` for short, `w` for other words. */
function kindOf({ text }: QueryWord) {
  if (/^\d+$/.test(text)) return 'd'
  if (/\d/.test(text)) return 'm'
  return text.length <= 3 ? 's' : 'w'
}

function joinRuns(words: readonly QueryWord[], kinds: string, runs: RegExp): Reading {
  const joined: QueryWord[] = []
  let done = 0
  for (const { index, 0: run } of kinds.matchAll(runs)) {
    if (run.length === 1) continue
    const text = words.slice(index, index + run.length).map((word) => word.text)
    joined.push(...words.slice(done, index), { text: squash(text.join('')), parts: [] })
    done = index + run.length
  }
  return [...joined, ...words.slice(done)]
}

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
const MIN_RUN = 4

/** Turns spoken numbers into digits: `one oh double five` is `1055`. */
function spokenDigits(chunks: readonly string[]) {
  const result: string[] = []
  for (let at = 0; at < chunks.length; ) {
    const { digits, next } = readRun(chunks, at)
    if (digits.length >= MIN_RUN) result.push(digits)
    else result.push(...chunks.slice(at, Math.max(next, at + 1)))
    at = Math.max(next, at + 1)
  }
  return result
}

function readRun(chunks: readonly string[], start: number) {
  let digits = ''
  let next = start
  for (;;) {
    const times = TIMES[foldText(chunks[next] ?? '')]
    const word = foldText(chunks[times === undefined ? next : next + 1] ?? '').replace(/[,.-]+$/, '')
    const digit = DIGITS.get(word) ?? (/^\d{1,3}$/.test(word) && digits !== '' ? word : undefined)
    if (digit === undefined) return { digits, next }
    digits += digit.repeat(times ?? 1)
    next += times === undefined ? 1 : 2
  }
}
