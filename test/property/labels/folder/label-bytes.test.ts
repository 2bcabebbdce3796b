import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase64 } from '../../../../src/lib/labels/folder/label-bytes.ts'
import { BASE64_STYLES } from '../../../helpers/base64-styles.ts'

it('10,000 random labels in base64 come back byte for byte, in every notation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(...BASE64_STYLES), (content, style) => {
      const text = style(Buffer.from(content).toString('base64'))
      const decoded = decodeBase64(text)
      expect(decoded.equals(content), `${text} became ${decoded.toString('hex')}`).toBe(true)
    }),
    { numRuns: 10_000 },
  )
})

it('cut base64 of a label is noticed, unless the rest is whole', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), (content, at) => {
      const text = Buffer.from(content).toString('base64')
      const cut = text.slice(0, at % text.length)
      let decoded: Buffer | undefined
      try {
        decoded = decodeBase64(cut)
      } catch {
        return
      }
      // No reader could tell: it is the encoding of fewer bytes.
      const left = decoded.toString('base64')
      expect([left, left.replace(/=+$/, '')]).toContain(cut)
    }),
  )
})
