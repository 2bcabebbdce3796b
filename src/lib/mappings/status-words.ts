import { isTransportStatus, TRANSPORTATION_STATUSES, type TransportStatus } from '../wire/enumerations.ts'
import words from './status-words.json'

const FILLERS: Readonly<Record<string, string>> = words.fillers
const DELIVERED = new RegExp(`\\b(${Object.values(words.delivered).join('|')})\\b`)
/** Match phrases of listed words only: a delivery to anyone but the shop must not pay refunds. */
const PLAINLY_DELIVERED = Object.entries(words.delivered).map(
  ([language, delivered]) => new RegExp(`^((${delivered}|${FILLERS[language]})( |$))+(${words.date})?$`),
)
/** Bounds the time of the patterns; carriers' statuses are shorter. */
const MAX_CHARS = 200

/**
 * Normalised words of carriers in English, German, French, Spanish, Italian, Dutch and Portuguese. The first match
 * counts: `not delivered` contains `delivered`. Words without a status are ambiguous: a person has to decide.
 */
const PATTERNS = words.others.map(({ status, words: source }) => ({
  status: status !== null && isTransportStatus(status) ? status : undefined,
  pattern: new RegExp(source),
}))

export const TRANSPORT_WORDS = {
  what: 'a status of a transport',
  words: TRANSPORTATION_STATUSES,
  kind: 'transportStatus',
} as const

/** Returns undefined for unknown words, or words of more than one meaning. */
export function statusInWords(text: string): TransportStatus | undefined {
  if (text.length > MAX_CHARS) return undefined
  const plain = plainWords(text)
  const code = plain.toUpperCase().replaceAll(' ', '_')
  if (isTransportStatus(code)) return code
  if (DELIVERED.test(plain))
    return PLAINLY_DELIVERED.some((words) => words.test(plain)) ? 'SHIPPING_COMPLETED' : undefined
  return PATTERNS.find(({ pattern }) => pattern.test(plain))?.status
}

/**
 * Returns lower case without accents; `InTransit` and `IN_TRANSIT` as `in transit`. The sign of a number stays, and so
 * does a text without letters and digits: `-1` and `✗` are words of their own.
 */
export function plainWords(text: string): string {
  const plain = text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/(?!^[-+]\d)[^\p{L}\p{N}?¿✗✘✕✖❌❎⛔]+/gu, ' ')
    .trim()
  return plain || text
}
