import * as z from 'zod'
import { nearest } from '../../errors.ts'

/** One of some words; of a mistyped one it is said which is likely to be meant. */
export function choice<const T extends readonly string[]>(words: T) {
  return z.enum(words, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearest(input, words) : undefined
      return `must be one of ${words.join(', ')}${near === undefined ? '' : `; did you mean ${near}?`}`
    },
  })
}
