import type { Random } from './random.ts'

/** Appends the check digit to the first twelve digits of an EAN-13 (GS1). */
export function ean13(twelve: string): string {
  let sum = 0
  for (let i = 0; i < 12; i++) sum += Number(twelve[i]) * (i % 2 === 0 ? 1 : 3)
  return twelve + String((10 - (sum % 10)) % 10)
}

/** Account numbers without check digits, in the form of their country. */
const ACCOUNT_FORMS: Readonly<Record<string, string>> = {
  DE: '##################',
  ES: '####################',
  GB: 'SBXB##############',
  IE: 'SBXB##############',
  FI: '##############',
  SE: '####################',
  DK: '##############',
  NO: '###########',
  PL: '########################',
  PT: '#####################',
}

/** An IBAN with valid check digits (ISO 13616), or undefined for a country without one here. */
export function randomIban(country: string, random: Random): string | undefined {
  const form = ACCOUNT_FORMS[country]
  if (form === undefined) return undefined
  const account = random.fill(form)
  const check = 98 - ibanRemainder(`${account}${country}00`)
  return `${country}${String(check).padStart(2, '0')}${account}`
}

/** Remainder by 97, digit by digit: the number is too large for a double. */
function ibanRemainder(rearranged: string): number {
  let remainder = 0
  for (const char of rearranged) {
    const value = Number.parseInt(char, 36)
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97
  }
  return remainder
}
