import { appError } from '../errors.ts'
import { jsonOrUndefined } from '../wire/json.ts'
import { isRecord } from '../wire/raw.ts'
import { formatServiceDate } from '../wire/time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Unverified claims of a token (spec §5). */
export interface Token {
  value: string
  wellFormed: boolean
  /** Epoch milliseconds, like `issuedAt`. */
  expiresAt?: number
  issuedAt?: number
  shops?: string[]
  subject?: string
  isFromSandbox?: true
  note?: string
}

/**
 * Adds a note if the token is no JWT. @throws AppError `auth`, without any part of the token, if no header can
 * hold it
 */
export function readToken(text: string): Token {
  const value = text.trim()
  if (value === '') throw appError('auth', 'The token is empty.')
  if (/^bearer\s/i.test(value)) {
    throw appError('auth', 'The token starts with "Bearer".', 'give the token alone, without that word')
  }
  if (!/^[!-~]+$/.test(value)) {
    const what = /\s/.test(value) ? 'a space or a line break' : 'a character that is not ASCII'
    throw appError('auth', `The token holds ${what}.`, 'copy it again, whole and on one line')
  }
  const claims = readClaims(value)
  if (!claims)
    return { value, wellFormed: false, note: 'not a JWT: when it expires and for which shops is not known' }
  return {
    value,
    wellFormed: true,
    expiresAt: readInstant(claims.exp),
    issuedAt: readInstant(claims.iat),
    shops: Array.isArray(claims.shops) ? claims.shops.filter((shop) => typeof shop === 'string') : undefined,
    subject: typeof claims.sub === 'string' ? claims.sub : undefined,
    isFromSandbox: claims.iss === 'rma-sandbox' || undefined,
  }
}

/** Returns the claims that a renewed token keeps, or the whole token if it has no claims. Secret. */
export function lastingPart(token: string): unknown {
  const claims = readClaims(token)
  if (claims === undefined) return token
  const lasting = Object.entries(claims).filter(([name]) => !['iat', 'exp', 'nbf', 'jti'].includes(name))
  return lasting.sort(([one], [other]) => (one < other ? -1 : 1))
}

function readClaims(token: string) {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1]
  const claims = jsonOrUndefined(Buffer.from(payload ?? '', 'base64url').toString('utf8'))
  return isRecord(claims) ? claims : undefined
}

/** Converts seconds to milliseconds; undefined beyond the range of dates. */
function readInstant(claim: unknown) {
  if (typeof claim !== 'number') return undefined
  return Number.isNaN(new Date(claim * 1000).getTime()) ? undefined : claim * 1000
}

/**
 * Warns below 24 h or 10 % of the life of a token; below 10 % for a life up to 24 h. @throws AppError `auth`
 * for an expired token
 */
export function expiryWarning(token: Token, now: number, remedy = 'rma auth login'): string | undefined {
  const { expiresAt, issuedAt } = token
  if (expiresAt === undefined) return undefined
  const when = formatServiceDate(expiresAt, 'UTC')
  const leftMs = expiresAt - now
  if (leftMs <= 0) {
    throw appError('auth', `The token expired ${describeSpan(-leftMs)} ago, at ${when}.`, remedy)
  }
  const lifeMs = issuedAt === undefined ? undefined : expiresAt - issuedAt
  const tenthMs = lifeMs === undefined ? DAY_MS : lifeMs / 10
  const enoughMs = lifeMs !== undefined && lifeMs <= DAY_MS ? tenthMs : Math.max(tenthMs, DAY_MS)
  if (leftMs >= enoughMs) return undefined
  return `The token expires in ${describeSpan(leftMs)}, at ${when}; renew it: ${remedy}`
}

function describeSpan(ms: number) {
  if (ms < 2 * HOUR_MS) return `${Math.max(1, Math.round(ms / 60_000))} min`
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`
}
