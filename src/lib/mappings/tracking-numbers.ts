import operators from './postal-operators.json'

interface NumberForm {
  form: string
  carrier?: string
  /** Captures the checked digits, the check digit last. */
  pattern: RegExp
  /** Carriers whose numbers are read in this form, which others use too. */
  onlyOf?: RegExp
  checkDigit(serial: string): number
}

/** Returns the value of a character: A is 2, B is 3, J is 1. */
function unitsOf(character: string) {
  return /\d/.test(character) ? Number(character) : (character.charCodeAt(0) - 3) % 10
}

function weighted(serial: string, weights: readonly number[]) {
  return [...serial].reduce((sum, one, at) => sum + unitsOf(one) * (weights[at % weights.length] ?? 0), 0)
}

const mod10 =
  (...weights: readonly number[]) =>
  (serial: string) =>
    (10 - (weighted(serial, weights) % 10)) % 10

/** Check digit of UPU S10: 10 becomes 0, and 11 becomes 5. */
function s10(serial: string) {
  const digit = 11 - (weighted(serial, [8, 6, 4, 2, 3, 5, 9, 7]) % 11)
  return digit === 10 ? 0 : digit === 11 ? 5 : digit
}

const gs1 = mod10(3, 1)

/** More specific forms come first. */
const FORMS: readonly NumberForm[] = [
  { form: 'UPS', carrier: 'UPS', pattern: /^1Z([0-9A-Z]{15}\d)$/, checkDigit: mod10(1, 2) },
  { form: 'UPU S10', pattern: /^[A-Z]{2}(\d{9})[A-Z]{2}$/, checkDigit: s10 },
  { form: 'FedEx Ground', carrier: 'FedEx', pattern: /^96\d{5}(\d{15})$/, checkDigit: mod10(1, 3) },
  {
    form: 'USPS',
    carrier: 'USPS',
    pattern: /^(?:420\d{5}(?:\d{4})?)?(9[1-5](?:\d{20}|\d{24}))$/,
    checkDigit: gs1,
  },
  { form: 'SSCC', pattern: /^00(\d{18})$/, checkDigit: gs1 },
  {
    form: 'FedEx Express',
    pattern: /^(\d{12})$/,
    onlyOf: /fedex/i,
    checkDigit: (serial) => (weighted(serial, [3, 1, 7]) % 11) % 10,
  },
  { form: 'FedEx Ground', pattern: /^(\d{15})$/, onlyOf: /fedex/i, checkDigit: mod10(1, 3) },
  {
    form: 'DHL Express',
    pattern: /^(\d{10})$/,
    onlyOf: /dhl express/i,
    checkDigit: (serial) => Number(serial) % 7,
  },
]

/** Postal operators by the country code of their S10 numbers. */
const OPERATORS: Readonly<Record<string, string>> = operators

/** Returns undefined for forms without a known check digit; no carrier for a form that several use. */
export function readTrackingNumber(text: string, carrierName?: string | null) {
  const number = text.replace(/[\s-]/g, '').toUpperCase()
  for (const { form, carrier, pattern, onlyOf, checkDigit } of FORMS) {
    if (onlyOf && !onlyOf.test(carrierName ?? '')) continue
    const checked = pattern.exec(number)?.[1]
    if (checked === undefined) continue
    const isValid = checkDigit(checked.slice(0, -1)) === Number(checked.at(-1))
    return { carrier: carrier ?? OPERATORS[form === 'UPU S10' ? number.slice(-2) : ''], form, isValid }
  }
  return undefined
}
