import * as z from 'zod'
import type { CommandRow } from '../../../output/views/reference.ts'
import { text } from './fields.ts'

const exitCode = z.object({ code: z.int(), kind: text.nullable(), when: text })

const flag = z.object({
  name: text,
  char: text.optional(),
  value: text.optional().describe('What it takes; absent for a switch'),
  summary: text,
  required: z.boolean(),
  repeatable: z.boolean(),
  negatable: z.boolean().describe('--no-NAME says the opposite'),
  default: text.optional(),
  dependsOn: z.array(text).optional(),
  exclusive: z.array(text).optional(),
})

const command = z.object({
  command: text,
  summary: text,
  description: text.optional(),
  usage: text,
  args: z.array(z.object({ name: text, description: text, required: z.boolean(), repeatable: z.boolean() })),
  flags: z.array(flag).describe('Its own, besides the global ones'),
  examples: z.array(text),
  formats: z.array(text).describe('Values of --output'),
  exitCodes: z.array(z.int()),
}) satisfies z.ZodType<CommandRow>

export const REFERENCE_RESULTS: Readonly<Record<string, z.ZodType>> = {
  commands: z.object({
    commands: z.array(command),
    version: text,
    globalFlags: z.array(flag),
    exitCodes: z.array(exitCode),
  }),
}
