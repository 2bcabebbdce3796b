import { expect, it } from 'vitest'
import { expiryWarning, readToken } from '../../../src/lib/config/token.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.parse('2026-03-01T00:00:00Z')

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = (claims: unknown) => `${encode({ alg: 'HS256' })}.${encode(claims)}.c2ln`

it('readToken reads the claims of a JWT', () => {
  const value = jwt({
    iss: 'rma-sandbox',
    sub: 'demo',
    shops: ['ES01', 'FR01'],
    iat: 1_772_323_200,
    exp: 1_772_409_600,
  })
  expect(readToken(`${value}\n`)).toEqual({
    value,
    wellFormed: true,
    issuedAt: NOW,
    expiresAt: NOW + DAY,
    shops: ['ES01', 'FR01'],
    subject: 'demo',
    isFromSandbox: true,
  })
})

it.each([
  ['no claim at all', {}],
  ['claims of another type', { exp: '1772409600', iat: null, shops: 'ES01', sub: 7 }],
  ['a date beyond all dates', { exp: 1e20, iat: -1e20 }],
])('claims that can’t be read are left out: %s', (_, claims) => {
  expect(readToken(jwt(claims))).toEqual({ value: jwt(claims), wellFormed: true })
})

it.each([
  'opaque-token',
  'a.b',
  'a.b.c',
  'a.b.c.d',
  `x.${encode('text')}.y`,
  `x.${encode([1])}.y`,
  `x.${encode(null)}.y`,
  '..',
])('readToken accepts %s, with a note', (value) => {
  expect(readToken(value)).toEqual({ value, wellFormed: false, note: expect.stringContaining('not a JWT') })
})

it.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['Bearer abc', '"Bearer"'],
  ['ab c', 'space'],
  ['ab\nc', 'line break'],
  ['ab\u00e9', 'not ASCII'],
  ['ab\u0000c', 'not ASCII'],
])('readToken refuses %j', (text, why) => {
  expect(() => readToken(text)).toThrow(
    expect.objectContaining({ kind: 'auth', message: expect.stringContaining(why) }),
  )
})

const token = (lifeMs: number | undefined, leftMs: number | undefined) => ({
  value: 'secret',
  wellFormed: true,
  expiresAt: leftMs === undefined ? undefined : NOW + leftMs,
  issuedAt: leftMs === undefined || lifeMs === undefined ? undefined : NOW + leftMs - lifeMs,
})

it.each([
  ['30 days, 3 days left', 30 * DAY, 3 * DAY, undefined],
  ['30 days, under a tenth left', 30 * DAY, 3 * DAY - 1, '3 days'],
  ['5 days, a day left', 5 * DAY, DAY, undefined],
  ['5 days, under a day left', 5 * DAY, DAY - 1, '24 h'],
  ['a day, half of it left', DAY, DAY / 2, undefined],
  ['a day, under a tenth left', DAY, 2 * HOUR, '2 h'],
  ['an hour, 6 minutes left', HOUR, HOUR / 10, undefined],
  ['an hour, 5 minutes left', HOUR, HOUR / 12, '5 min'],
  ['unknown life, a day left', undefined, DAY, undefined],
  ['unknown life, 20 h left', undefined, 20 * HOUR, '20 h'],
  ['no expiry', undefined, undefined, undefined],
])('expiryWarning of a token: %s', (_, life, left, span) => {
  const warning = expiryWarning(token(life, left), NOW, 'do this')
  if (span === undefined) expect(warning).toBeUndefined()
  else expect(warning).toMatch(new RegExp(`expires in ${span}, at 2026-.*Z; renew it: do this$`))
})

it.each([0, -1, -3 * DAY])('expiryWarning refuses an expired token (%i ms left)', (left) => {
  expect(() => expiryWarning(token(DAY, left), NOW, 'do this')).toThrow(
    expect.objectContaining({
      kind: 'auth',
      message: expect.stringContaining('expired'),
      hints: ['do this'],
    }),
  )
})
