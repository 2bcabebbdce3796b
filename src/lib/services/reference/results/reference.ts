import * as z from 'zod'
import type { CommandRow } from '../../../output/views/reference.ts'
import { anyText } from './fields.ts'

const exitCode = z.object({ code: z.int(), kind: anyText.nullable(), when: anyText })

const flag = z.object({
  name: anyText,
  char: anyText.optional(),
  value: anyText.optional().describe('What it takes; absent for a switch'),
  summary: anyText,
  required: z.boolean(),
  repeatable: z.boolean(),
  negatable: z.boolean().describe('--no-NAME says the opposite'),
  default: anyText.optional(),
  dependsOn: z.array(anyText).optional(),
  exclusive: z.array(anyText).optional(),
})

const command = z.object({
  command: anyText,
  summary: anyText,
  description: anyText.optional(),
  usage: anyText,
  args: z.array(
    z.object({ name: anyText, description: anyText, required: z.boolean(), repeatable: z.boolean() }),
  ),
  flags: z.array(flag).describe('Its own, besides the global ones'),
  examples: z.array(anyText),
  formats: z.array(anyText).describe('Values of --output'),
  exitCodes: z.array(z.int()),
}) satisfies z.ZodType<CommandRow>

export const REFERENCE_RESULTS: Readonly<Record<string, z.ZodType>> = {
  commands: z.object({
    commands: z.array(command),
    version: anyText,
    globalFlags: z.array(flag),
    exitCodes: z.array(exitCode),
  }),
}
