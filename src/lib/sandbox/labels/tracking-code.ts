const WEIGHTS = [8, 6, 4, 2, 3, 5, 9, 7]
const SERIALS = 100_000_000
/** Prime to the number of serials: codes are unique, and those of one day do not count up. */
const STRIDE = 61_803_399

/** The check digit of the eight digits of an identifier (UPU S10). */
export function s10CheckDigit(serial: string): string {
  const sum = WEIGHTS.reduce((total, weight, i) => total + weight * Number(serial[i]), 0)
  const check = 11 - (sum % 11)
  if (check === 10) return '0'
  return check === 11 ? '5' : String(check)
}

/** UPU S10: two letters of the carrier, eight digits, a check digit, the parcel's country. Unique for 10^8 parcels. */
export function trackingCode(carrierCode: string, countryCode: string, parcelNumber: number): string {
  const serial = String((parcelNumber * STRIDE + 12_345_678) % SERIALS).padStart(8, '0')
  return `${carrierLetters(carrierCode)}${serial}${s10CheckDigit(serial)}${countryCode}`
}

/** `CORREOS` → `CS`, `DHL_SE` → `DE`. */
function carrierLetters(carrierCode: string): string {
  const letters = carrierCode.toUpperCase().replace(/[^A-Z]/g, '')
  return `${letters.at(0) ?? 'R'}${letters.at(-1) ?? 'A'}`
}
