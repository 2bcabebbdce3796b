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

/** Words that people read. A refund may be an exchange: "paid" would be wrong. */
const WORDS = words satisfies {
  returnStatus: WordsFor<typeof RETURN_STATUSES>
  transportStatus: WordsFor<typeof TRANSPORTATION_STATUSES>
  refundStatus: WordsFor<typeof REFUND_STATUSES>
  refundType: WordsFor<typeof REFUND_TYPES>
  refundMode: WordsFor<typeof REFUND_MODES>
  locationType: WordsFor<typeof PUDO_LOCATION_TYPES>
}

/** `PENDING` means other things for a return and for a refund. */
export type WordsKind = keyof typeof WORDS

/** Unknown codes come back as sent. */
export function wordsOf(kind: WordsKind, code: unknown): string {
  if (typeof code !== 'string') return code === null || code === undefined ? '' : String(code)
  return ownValue<string>(WORDS[kind], code) ?? code
}

const CARRIER_NAMES: Readonly<Record<string, string>> = carrierNames

/** `ROYAL_MAIL` → `Royal Mail`, `DHL_SE` → `DHL`. */
export function carrierName(code: string | null | undefined): string | undefined {
  if (!code || code === 'OTHER') return undefined
  const ofAll = code.replace(/_[A-Z]{2}$/, '')
  return ownValue(CARRIER_NAMES, ofAll) ?? ofAll.replaceAll('_', ' ')
}
