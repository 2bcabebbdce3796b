import type { View } from '../columns.ts'

export interface FlagRow {
  name: string
  char?: string | undefined
  /** What it takes; a switch takes nothing. */
  value?: string | undefined
  summary: string
  required: boolean
  repeatable: boolean
  negatable: boolean
  default?: string | undefined
  dependsOn?: string[] | undefined
  exclusive?: string[] | undefined
}

export interface CommandRow {
  /** `returns list`. */
  command: string
  summary: string
  description?: string | undefined
  /** `rma returns list [FLAGS]`. */
  usage: string
  args: { name: string; description: string; required: boolean; repeatable: boolean }[]
  flags: FlagRow[]
  examples: string[]
  formats: string[]
  exitCodes: number[]
}

export const commandsView: View<CommandRow> = {
  columns: [
    { name: 'command', header: 'COMMAND', value: (c) => c.command },
    { name: 'summary', header: 'SUMMARY', value: (c) => c.summary, flexible: true },
  ],
  extra: [
    { name: 'usage', header: 'USAGE', value: (c) => c.usage },
    { name: 'exit-codes', header: 'EXIT CODES', value: (c) => c.exitCodes },
  ],
  paths: ['command', 'summary', 'description', 'usage', 'args', 'flags', 'examples', 'formats', 'exitCodes'],
  empty: 'No commands',
}
