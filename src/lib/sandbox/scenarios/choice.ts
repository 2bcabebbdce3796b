import * as z from 'zod'
import { nearest } from '../../errors.ts'

/** One of some words; a mistyped one is refused with the nearest. */
export function choice<const T extends readonly string[]>(words: T) {
  return z.enum(words, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearest(input, words) : undefined
      return `must be one of ${words.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`
    },
  })
}
