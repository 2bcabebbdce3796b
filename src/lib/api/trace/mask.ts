import { LosslessNumber } from 'lossless-json'
import { parseJson, stringifyJson } from '../../wire/json.ts'
import sensitiveKeys from './sensitive-keys.json'

const MASK = '***'

/** Keys in small letters, without hyphens and underscores. */
const SENSITIVE_KEYS = new Set(Object.values(sensitiveKeys).flat())
/** Carriers and customs depend on the country. */
const ADDRESS_KEYS_KEPT = new Set(['country', 'countrycode'])

/** Headers with addresses that may be signed. */
const ADDRESS_HEADERS = new Set(['location', 'content-location', 'referer', 'refresh', 'link'])

// Each pattern takes linear time: its length is bounded, or its match is consumed whole and judged by a function.
const KEY_IN_CUT_JSON = /"((?:[^"\\]|\\.){1,40})"\s{0,20}:\s{0,20}/g
const BARE_VALUE = /[^\s",{}[\]]*/y
const HTTP_URL = /\bhttps?:\/\/[^\s"'<>]+/gi
/** Key of a file that opens without a token. Tracking codes are shorter, and ids may be UUIDs. */
const SECRET_IN_PATH = /^(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$)(?=[^\d]*\d)(?=[^a-z]*[a-z])[\w-]{24,}/i
const CREDENTIALS = /\b(Bearer|Basic)\s+(?!(?:realm|error|scope)=)[\w.~+/=-]+/gi
const JWT = /(?<![A-Za-z0-9])eyJ[\w-]*(?:\.[\w-]*){0,2}/g
const WORD = /[^\s"'<>(),;:=&?/\\]+/g
/** Matches overlap (lookahead), since an IBAN may begin inside a look-alike. */
const IBAN = /\b(?=([A-Z]{2}\d{2}(?: ?[A-Za-z0-9]){11,30}))/g
const PHONE = /(?<![\w.])\+[1-9][\d ()./-]{5,18}\d\b/g
/** Card numbers of the large networks. */
const CARD =
  /(?<![\w.])(?:(?:4\d{3}|5[1-5]\d\d|2[2-7]\d\d|6011|6[45]\d\d|35\d\d)([ -]?)\d{4}\1\d{4}\1\d{4}|3[47]\d\d([ -]?)\d{6}\2\d{5}|3[068]\d\d([ -]?)\d{6}\3\d{4})(?!\w)/g
/** Longer than any id or code. */
const BASE64 = /(?<![\w+/-])[A-Za-z0-9+/]{120,}={0,2}/g

/** Masks by key in JSON, cut JSON too, and by pattern in all texts. Statuses, ids, SKUs and names of returns stay. */
export function maskBody(text: string): string {
  if (!/^\s*[[{"]/.test(text)) return maskText(text)
  let value: unknown
  try {
    value = parseJson(text)
  } catch {
    return maskText(maskCutJson(text))
  }
  return stringifyJson(maskValue(value, false))
}

/** Masks tokens, e-mail addresses, IBANs, card and phone numbers, files, queries of URLs. */
export function maskText(text: string): string {
  const masked = text
    .replace(HTTP_URL, maskUrlInText)
    .replace(CREDENTIALS, `$1 ${MASK}`)
    .replace(JWT, (found) => (found.includes('.') ? MASK : found))
    .replace(WORD, (word) => (word.includes('@') ? maskAddresses(word) : word))
  return maskIbans(masked)
    .replace(CARD, (found) => (isLuhn(found) ? MASK : found))
    .replace(PHONE, MASK)
    .replace(BASE64, MASK)
}

/** Masks a query by key if the keys are known, else whole. */
export function maskUrl(url: URL, { hidesQuery }: { hidesQuery?: boolean } = {}): string {
  const masked = new URL(url)
  masked.username = ''
  masked.password = ''
  if (hidesQuery) return maskText(masked.href)
  masked.search = ''
  masked.hash = ''
  const query = [...url.searchParams].map(
    ([name, value]) => `${encode(name)}=${encode(maskEntry(name, value))}`,
  )
  return maskText(masked.href) + (query.length === 0 ? '' : `?${query.join('&')}`)
}

export function maskEntry(name: string, value: string): string {
  if (ADDRESS_HEADERS.has(name.toLowerCase())) return maskText(value.replace(/[?#].*/s, `?${MASK}`))
  if (!isSensitive(name)) return maskText(value)
  const scheme = /^(Bearer|Basic|Digest) /.exec(value)?.[1]
  return scheme === undefined ? MASK : `${scheme} ${MASK}`
}

function maskUrlInText(url: string) {
  const path = url.search(/[?#]/)
  const shown = path === -1 ? url : `${url.slice(0, path)}?${MASK}`
  const [scheme = '', , authority = '', ...rest] = shown.split('/')
  const host = authority.replace(/.*@/s, `${MASK}@`)
  return [scheme, '', host, ...rest.map((part) => part.replace(SECRET_IN_PATH, MASK))].join('/')
}

function maskAddresses(word: string) {
  const parts = word.split('@')
  const isAddress = parts.some((domain, at) => at > 0 && parts[at - 1] !== '' && /[^.]\.+[^.]/.test(domain))
  if (!isAddress) return word
  let end = word.length
  while (word[end - 1] === '.') end -= 1
  return MASK + word.slice(end)
}

function encode(text: string) {
  return encodeURIComponent(text).replace(/%3A/g, ':').replace(/%2F/g, '/')
}

/** All fields below a secret one are secret, too: addresses may have unknown fields. */
function maskValue(value: unknown, isSecret: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => maskValue(item, isSecret))
  if (isPlainObject(value)) {
    const isKept = (key: string, inner: unknown) =>
      ADDRESS_KEYS_KEPT.has(plainKey(key)) && typeof inner === 'string'
    return mapEntries(value, (key, inner) =>
      maskValue(inner, isSecret ? !isKept(key, inner) : isSensitive(key)),
    )
  }
  // Missing values are not secret.
  if (isSecret) return value === null || value === '' ? value : MASK
  return typeof value === 'string' ? maskText(value) : value
}

/** A pattern for whole values would overflow the stack. */
function maskCutJson(text: string) {
  let masked = ''
  let from = 0
  for (const { 0: entry, 1: key = '', index } of text.matchAll(KEY_IN_CUT_JSON)) {
    const start = index + entry.length
    if (index < from || !isSensitive(key)) continue
    const end = valueEnd(text, start)
    if (end === start) continue
    masked += `${text.slice(from, start)}"${MASK}"`
    from = end
  }
  return masked + text.slice(from)
}

/** Returns `start` for a list or an object. */
function valueEnd(text: string, start: number) {
  if (text[start] !== '"') {
    BARE_VALUE.lastIndex = start
    return start + (BARE_VALUE.exec(text)?.[0].length ?? 0)
  }
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

/** False for exact numbers, which are objects without members. */
function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof LosslessNumber)
}

function mapEntries(value: object, map: (key: string, value: unknown) => unknown): Record<string, unknown> {
  // "__proto__" must stay a key.
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [maskText(key), map(key, inner)]))
}

function isSensitive(key: string) {
  return SENSITIVE_KEYS.has(plainKey(key))
}

function plainKey(key: string) {
  return key.toLowerCase().replace(/[_\- ]/g, '')
}

function maskIbans(text: string) {
  let masked = ''
  let from = 0
  for (const { 1: candidate = '', index } of text.matchAll(IBAN)) {
    const length = index < from ? 0 : ibanLength(candidate)
    if (length === 0) continue
    masked += text.slice(from, index) + MASK
    from = index + length
  }
  return masked + text.slice(from)
}

/** Returns the longest valid length: words after an IBAN look like its groups. */
function ibanLength(candidate: string) {
  for (let end = candidate.length; end > 0; end = candidate.lastIndexOf(' ', end - 1)) {
    if (isIban(candidate.slice(0, end).replaceAll(' ', ''))) return end
  }
  return 0
}

function isLuhn(text: string) {
  const digits = [...text.replace(/\D/g, '')].reverse().map(Number)
  const sum = digits.reduce((total, digit, at) => {
    const value = at % 2 === 0 ? digit : digit * 2
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

function isIban(compact: string) {
  if (compact.length < 15) return false
  const moved = (compact.slice(4) + compact.slice(0, 4)).toUpperCase()
  const digits = moved.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  let remainder = 0
  for (const digit of digits) remainder = (remainder * 10 + Number(digit)) % 97
  return remainder === 1
}
