import type { View } from '../../output/columns.ts'
import { lazySchema, type RecordOf } from '../../output/lazy-schema.ts'

const flagSchema = lazySchema((z) =>
  z.object({
    name: z.string(),
    char: z.string().optional(),
    value: z.string().optional().describe('What it takes; absent for a switch'),
    summary: z.string(),
    required: z.boolean(),
    repeatable: z.boolean(),
    negatable: z.boolean().describe('--no-NAME says the opposite'),
    default: z.string().optional(),
    dependsOn: z.array(z.string()).optional(),
    exclusive: z.array(z.string()).optional(),
  }),
)

const commandSchema = lazySchema(async (z) =>
  z.object({
    command: z.string(),
    summary: z.string(),
    description: z.string().optional(),
    usage: z.string(),
    args: z.array(
      z.object({ name: z.string(), description: z.string(), required: z.boolean(), repeatable: z.boolean() }),
    ),
    flags: z.array(await flagSchema()).describe('Its own, besides the global ones'),
    examples: z.array(z.string()),
    formats: z.array(z.string()).describe('Values of --output'),
    exitCodes: z.array(z.int()),
  }),
)

export const commandsSchema = lazySchema(async (z) =>
  z.object({
    commands: z.array(await commandSchema()),
    version: z.string(),
    globalFlags: z.array(await flagSchema()),
    exitCodes: z.array(z.object({ code: z.int(), kind: z.string().nullable(), when: z.string() })),
  }),
)

export type FlagRow = RecordOf<typeof flagSchema>
export type CommandRow = RecordOf<typeof commandSchema>

export const commandsView: View<CommandRow> = {
  columns: [{ name: 'command' }, { name: 'summary', flexible: true }],
  extra: [{ name: 'usage' }, { name: 'exit-codes', value: (c) => c.exitCodes }],
  schema: commandSchema,
  empty: 'No commands',
}
