import type {
  PUDO_LOCATION_TYPES,
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from './enumerations.ts'
import { ownValue } from './raw.ts'
import carrierNames from './words/carrier-names.json'
import words from './words/code-words.json'

type WordsFor<Codes extends readonly string[]> = Readonly<Record<Codes[number], string>>

/** Texts shown for codes. A refund may be an exchange, so "paid" would be wrong. */
const WORDS = words satisfies {
  returnStatus: WordsFor<typeof RETURN_STATUSES>
  transportStatus: WordsFor<typeof TRANSPORTATION_STATUSES>
  refundStatus: WordsFor<typeof REFUND_STATUSES>
  refundType: WordsFor<typeof REFUND_TYPES>
  refundMode: WordsFor<typeof REFUND_MODES>
  locationType: WordsFor<typeof PUDO_LOCATION_TYPES>
}

/** `PENDING` of a return means something else than of a refund. */
export type WordsKind = keyof typeof WORDS

/** Returns unknown codes as sent. */
export function wordsOf(kind: WordsKind, code: unknown): string {
  if (typeof code !== 'string') return code === null || code === undefined ? '' : String(code)
  return ownValue<string>(WORDS[kind], code) ?? code
}

const CARRIER_NAMES: Readonly<Record<string, string>> = carrierNames

/** `ROYAL_MAIL` → `Royal Mail`, `DHL_SE` → `DHL`. */
export function carrierName(code: string | null | undefined): string | undefined {
  if (!code || code === 'OTHER') return undefined
  const withoutCountry = code.replace(/_[A-Z]{2}$/, '')
  return ownValue(CARRIER_NAMES, withoutCountry) ?? withoutCountry.replaceAll('_', ' ')
}
