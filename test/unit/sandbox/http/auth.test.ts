import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ApiError } from '../../../../src/lib/sandbox/http/answers.ts'
import { authenticate, signToken } from '../../../../src/lib/sandbox/http/auth.ts'

const SECRET = 'a secret for tests'
const NOW = 1_800_000_000
const CLAIMS = { sub: 'someone', shops: ['ONE', 'TWO'], iat: NOW, exp: NOW + 60 }
/** The same token, as Python's `hmac` and `base64` make it. */
const REFERENCE = [
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
  'eyJpc3MiOiJybWEtc2FuZGJveCIsInN1YiI6InNvbWVvbmUiLCJzaG9wcyI6WyJPTkUiLCJUV08iXSwiaWF0IjoxODAwMDAwMDAwLCJleHAiOjE4MDAwMDAwNjB9',
  'ho5dw7xp1LLbk-nNFvPcaTINvVB-SQ-oUsUIxoCoOro',
].join('.')

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A well signed token of any content. */
function foreign(claims: object, header: object = { alg: 'HS256' }) {
  const content = `${encode(header)}.${encode(claims)}`
  return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`
}

function codeOf(header: string | undefined, nowSeconds = NOW) {
  try {
    authenticate(header, SECRET, nowSeconds * 1000)
    return 'accepted'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).toBe(401)
    const challenge = error.errors[0]?.code === 'AU01' ? 'Bearer' : 'Bearer error="invalid_token"'
    expect(error.headers['www-authenticate']).toBe(challenge)
    return error.errors[0]?.code ?? ''
  }
}

test('a token is a JWT with the decided claims', () => {
  expect(signToken(CLAIMS, SECRET)).toBe(REFERENCE)
})

test('a token gives access to its shops', () => {
  expect(authenticate(`Bearer ${REFERENCE}`, SECRET, NOW * 1000)).toEqual(['ONE', 'TWO'])
})

describe('authentication', () => {
  const token = signToken(CLAIMS, SECRET)
  const [header, payload, sent] = token.split('.')
  const more = encode({ iss: 'rma-sandbox', ...CLAIMS, shops: ['ALL'] })
  const none = encode({ alg: 'none' })

  test.each([
    ['nothing', undefined, 'AU01'],
    ['an empty header', '', 'AU01'],
    ['a scheme without a token', 'Bearer ', 'AU01'],
    ['another scheme', 'Basic dTpw', 'AU01'],
    ['a good token', `Bearer ${token}`, 'accepted'],
    ['the scheme in small letters', `bearer ${token}`, 'accepted'],
    ['rubbish', 'Bearer rubbish', 'AU02'],
    ['two words', `Bearer ${token} ${token}`, 'AU02'],
    ['changed claims', `Bearer ${header}.${more}.${sent}`, 'AU02'],
    ['a cut signature', `Bearer ${token.slice(0, -2)}`, 'AU02'],
    ['an unsigned token', `Bearer ${none}.${payload}.`, 'AU02'],
    ['a fourth part', `Bearer ${token}.x`, 'AU02'],
    ['another secret', `Bearer ${signToken(CLAIMS, 'another')}`, 'AU02'],
  ])('%s', (_, value, expected) => {
    expect(codeOf(value)).toBe(expected)
  })

  test.each([
    ['another issuer', { ...CLAIMS, iss: 'someone-else' }],
    ['no issuer', CLAIMS],
    ['no expiry', { iss: 'rma-sandbox', shops: [] }],
    ['no shops', { iss: 'rma-sandbox', exp: NOW + 60 }],
    ['shops that are not text', { ...CLAIMS, iss: 'rma-sandbox', shops: [1] }],
  ])('a correctly signed token with %s is refused', (_, claims) => {
    expect(codeOf(`Bearer ${foreign(claims)}`)).toBe('AU02')
  })

  test.each([['none'], ['HS512'], [undefined]])('well signed, but said to be by %s', (alg) => {
    const claims = { iss: 'rma-sandbox', ...CLAIMS }
    expect(codeOf(`Bearer ${foreign(claims)}`)).toBe('accepted')
    expect(codeOf(`Bearer ${foreign(claims, { alg })}`)).toBe('AU02')
  })

  test('a token expires to the second', () => {
    expect(codeOf(`Bearer ${token}`, NOW + 59)).toBe('accepted')
    expect(codeOf(`Bearer ${token}`, NOW + 60)).toBe('AU03')
  })
})
