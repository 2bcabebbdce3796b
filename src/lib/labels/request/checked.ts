import type * as z from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import { at, pathText } from '../../wire/raw.ts'

/** A valid request, or its problems. */
export type Checked<Request> = (
  | { request: Request; problems: [] }
  | { request?: undefined; problems: ErrorDetail[] }
) & {
  /** Doubts that do not keep the request from being sent. */
  warnings: ErrorDetail[]
}

/** Adds a problem, or a mere warning, at a place such as `parcels[0].weight`. */
export type Note = (path: string, message: string, isCertain?: boolean) => void

/** Returns all problems at once: those of the schema, and those that `look` notes. */
export function checked<S extends z.ZodType>(
  schema: S,
  input: unknown,
  look: (note: Note) => void,
): Checked<z.infer<S>> {
  const problems: ErrorDetail[] = []
  const warnings: ErrorDetail[] = []
  const note: Note = (path, message, isCertain = true) =>
    (isCertain ? problems : warnings).push({ path, message })
  const parsed = schema.safeParse(input)
  for (const issue of parsed.error?.issues ?? []) note(pathText(issue.path), wordsOf(issue, input))
  look(note)
  return parsed.success && problems.length === 0
    ? { request: parsed.data, problems: [], warnings }
    : { problems, warnings }
}

function wordsOf(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>((parent, step) => at(parent, step), input)
  if (value === undefined || value === null) return 'is missing'
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  if (issue.code !== 'invalid_type') return issue.message
  return `must be ${TYPE_WORDS[issue.expected] ?? `a ${issue.expected}`}`
}

const TYPE_WORDS: Readonly<Record<string, string>> = { string: 'text', array: 'a list', object: 'an object' }
