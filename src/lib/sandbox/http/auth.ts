import { createHmac, timingSafeEqual } from 'node:crypto'
import { SHOPS, type Shop } from '../demo/catalogue.ts'
import { ApiError } from './answers.ts'

const ISSUER = 'rma-sandbox'
const HEADER = encode({ alg: 'HS256', typ: 'JWT' })

/** Times are in seconds. */
interface Claims {
  sub: string
  shops: string[]
  iat: number
  exp: number
}

export function signToken(claims: Claims, secret: string): string {
  const content = `${HEADER}.${encode({ iss: ISSUER, ...claims })}`
  return `${content}.${signature(content, secret).toString('base64url')}`
}

/** @throws ApiError 401: AU01 without a token, AU02 for an invalid, AU03 for an expired one */
export function authenticate(header: string | undefined, secret: string, nowMs: number): readonly string[] {
  const token = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1]
  if (token === undefined) {
    if (/^Bearer\s+\S/i.test(header ?? '')) throw refuse('AU02', 'The token is not valid')
    throw refuse('AU01', 'A bearer token is needed')
  }
  const claims = verify(token, secret)
  if (claims === undefined) throw refuse('AU02', 'The token is not valid')
  if (claims.exp * 1000 <= nowMs) throw refuse('AU03', 'The token has expired')
  return claims.shops
}

function verify(token: string, secret: string): Pick<Claims, 'exp' | 'shops'> | undefined {
  const [header = '', payload = '', sent = '', ...rest] = token.split('.')
  if (rest.length > 0) return undefined
  const expected = signature(`${header}.${payload}`, secret)
  const given = Buffer.from(sent, 'base64url')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  // A token's own `alg` must not choose the algorithm.
  const { alg } = decode(header)
  const { iss, exp, shops } = decode(payload)
  if (alg !== 'HS256' || iss !== ISSUER || typeof exp !== 'number') return undefined
  if (!Array.isArray(shops) || !shops.every((shop) => typeof shop === 'string')) return undefined
  return { exp, shops }
}

function refuse(code: 'AU01' | 'AU02' | 'AU03', message: string) {
  return ApiError.of(401, code, message, {
    'www-authenticate': code === 'AU01' ? 'Bearer' : 'Bearer error="invalid_token"',
  })
}

function signature(content: string, secret: string) {
  return createHmac('sha256', secret).update(content).digest()
}

function encode(value: object) {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decode(part: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(Buffer.from(part, 'base64url').toString()) }
  } catch {
    return {}
  }
}

/** @throws ApiError 400 SC02 if the token does not cover the shop (spec §5) */
export function shopsInScope(
  tokenShops: readonly string[],
  wanted: string | undefined,
  field = 'shop_code',
): readonly Shop[] {
  if (wanted !== undefined && !tokenShops.includes(wanted)) {
    throw ApiError.of(400, 'SC02', `${field}: the token does not cover the shop ${wanted}`)
  }
  return SHOPS.filter(({ code }) => (wanted === undefined ? tokenShops.includes(code) : code === wanted))
}

/** @throws ApiError 400 SC01 if the token covers several and none is asked for (spec §5) */
export function requestedShop(tokenShops: readonly string[], wanted: string | null | undefined): Shop {
  const [shop, ...others] = shopsInScope(tokenShops, wanted || undefined, 'shopCode')
  if (shop !== undefined && others.length === 0) return shop
  const message = `shopCode: the token covers several shops, name one of ${tokenShops.join(', ')}`
  throw ApiError.of(400, 'SC01', message)
}
