import * as z from 'zod'

const MAX_LENGTH = 200

/** One line, and not `-`, which would stand for standard input: that is the protocol's. */
export const oneLine = (what: string) =>
  z
    .string()
    .min(1)
    .max(MAX_LENGTH)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line without control characters')
    .refine((value) => value.trim() !== '' && value.trim() !== '-', 'must say something')
    .describe(what)

export const returnName = oneLine(
  'A return as people name it: LU105189, R#-LU105189, an id, a client reference, a tracking code',
)

export const dates = (what: string) =>
  z
    .string()
    .max(40)
    .regex(/^[\w:.+ -]+$/, 'must be a date')
    .optional()
    .describe(`${what}: a date, a date and time, or how long ago (7d, 12h)`)

export const limited = (max: number) =>
  z.int().min(1).max(max).optional().describe(`How many, at most ${max}`)
