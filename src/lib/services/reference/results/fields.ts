import * as z from 'zod'

/* Fields that many results have. */

export const count = z.int().nonnegative()
export const anyText = z.string()
export const date = z.string().describe('ISO 8601')
