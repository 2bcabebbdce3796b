import * as z from 'zod'
import { type ErrorDetail, nearest, nearHints } from '../errors.ts'
import { at, pathText } from '../wire/raw.ts'

/** Suggests one of `keys` for a mistyped key. */
export function problemsOf(
  error: z.ZodError | undefined,
  document: unknown,
  keys: readonly string[] = [],
): ErrorDetail[] {
  return (error?.issues ?? []).flatMap((issue) => {
    const path = pathText(issue.path) || undefined
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const near = nearest(key, keys)
        // An equal key is known elsewhere in the document.
        const hint = near === undefined || near === key ? '' : `; did you mean ${near}?`
        return { path, message: `knows no "${key}"${hint}` }
      })
    }
    const value = issue.path.reduce<unknown>(at, document)
    if (issue.path.length > 0 && value === undefined) return [{ path, message: 'is missing' }]
    if (issue.code === 'invalid_type') return [{ path, message: `must be of type ${issue.expected}` }]
    return [{ path, message: issue.message }]
  })
}

export function choice<const T extends readonly string[]>(words: T) {
  return z.enum(words, {
    error: ({ input }) => {
      const near = typeof input === 'string' ? nearHints(input, words) : []
      return [`must be one of ${words.join(', ')}`, ...near].join('; ')
    },
  })
}
