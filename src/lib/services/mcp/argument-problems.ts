import type * as z from 'zod'
import { visible } from '../../output/visible.ts'
import { pathText } from '../../wire/raw.ts'

const SHOWN = 5

/** Describes bad arguments, a line each: `return: is missing`. */
export function argumentProblems(error: z.ZodError): string {
  return error.issues
    .slice(0, SHOWN)
    .map((issue) => `${pathText(issue.path) || 'arguments'}: ${visible(wordsFor(issue))}`)
    .join('\n')
}

/** In place of zod's, which are for developers. */
function wordsFor({ message, ...issue }: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`
  if (issue.code === 'unrecognized_keys') return `nothing is known as ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  return message
}
