import { Flags } from '@oclif/core'
import type { Context } from '../../cli/context.ts'
import type { ContextFlags } from '../../cli/local-context.ts'
import { type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { usageError } from '../../errors.ts'
import type { Terms } from './session.ts'

export const mcpFlags = {
  'allow-write': switchFlag(
    'Also make labels (with --root) and send tracking updates; you are asked each time',
  ),
  'max-writes': Flags.integer({
    helpValue: 'N',
    default: 20,
    min: 1,
    max: 1000,
    summary: 'How many writes in a session, 20 by default',
  }),
  reveal: switchFlag('Show personal data as they are'),
  'customer-text': switchFlag('Also what customers and carriers wrote, marked as untrusted'),
  root: textFlag('DIR', 'Folder below which labels may be saved'),
}

export type McpFlags = ContextFlags & FlagValues<typeof mcpFlags>

/** @throws AppError `usage` */
export async function readTerms(context: Context, flags: McpFlags): Promise<Terms> {
  if (flags['token-file'] === '-')
    throw usageError('--token-file -: standard input is the protocol.', '--token-file FILE, or RMA_TOKEN')
  if (flags.trace !== undefined)
    throw usageError('--trace does not go with mcp: each call would replace the file.')
  const settings = await context.settings()
  if (flags['allow-write'] && settings.isProtected) {
    throw usageError(
      `The profile ${settings.profile?.value ?? ''} is protected: nothing is written under it.`,
      'leave out --allow-write',
    )
  }
  return {
    reveal: flags.reveal,
    customerText: flags['customer-text'],
    target: (await context.pinnedTarget()).target,
    maxWrites: flags['max-writes'],
  }
}
