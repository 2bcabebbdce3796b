import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readToken } from '../../../src/lib/config/token.ts'
import { AppError } from '../../../src/lib/errors.ts'

const base64url = (text: string) => Buffer.from(text).toString('base64url')

it('reads back the claims of any JWT', () => {
  const seconds = fc.integer({ min: 0, max: 8_640_000_000_000 })
  const claims = fc.record({
    exp: seconds,
    iat: seconds,
    shops: fc.array(fc.string()),
    sub: fc.string({ unit: 'grapheme' }),
  })
  fc.assert(
    fc.property(claims, (written) => {
      const value = `${base64url('{}')}.${base64url(JSON.stringify(written))}.c2ln`
      expect(readToken(`\n ${value}\r\n`)).toEqual({
        value,
        wellFormed: true,
        expiresAt: written.exp * 1000,
        issuedAt: written.iat * 1000,
        shops: written.shops,
        subject: written.sub,
      })
    }),
  )
})

it('a token is accepted, or refused without repeating a part of it', () => {
  const secret = fc.string({ unit: fc.constantFrom(...'QXZ7_-. \n\té'), minLength: 3, maxLength: 40 })
  fc.assert(
    fc.property(secret, (text) => {
      try {
        expect(readToken(text).value).toBe(text.trim())
        expect(text.trim()).toMatch(/^[!-~]+$/)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        expect(error.kind).toBe('auth')
        expect(`${error.message} ${error.hints.join(' ')}`).not.toMatch(/[QXZ7é]/)
      }
    }),
    { numRuns: 500 },
  )
})
