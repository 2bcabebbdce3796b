import { Flags, type Interfaces } from '@oclif/core'
import type { Context, ContextFlags } from '../../cli/context.ts'
import { switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { merchantOf } from '../../config/merchant.ts'
import type { Sourced } from '../../config/setting-values.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError } from '../../errors.ts'
import type { Terms } from './session.ts'
import { flags as asFlags } from './tools.ts'

export const mcpFlags = {
  'allow-write': switchFlag('Also make labels (with --root) and report tracking; you are asked each time'),
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

export type McpFlags = ContextFlags & Interfaces.InferredFlags<typeof mcpFlags>

/** Pins the place: a profile that changes does not move a running server. @throws AppError `usage` */
export async function readTerms(context: Context, flags: McpFlags): Promise<Terms> {
  if (flags['token-file'] === '-')
    throw new AppError('usage', '--token-file -: standard input is the protocol.', {
      hints: ['--token-file FILE, or RMA_TOKEN'],
    })
  if (flags.trace !== undefined)
    throw new AppError('usage', '--trace does not go with mcp: each call would replace the file.')
  const settings = await context.settings()
  if (flags['allow-write'] && settings.isProtected) {
    throw new AppError(
      'usage',
      `The profile ${settings.profile?.value ?? ''} is protected: nothing is written under it.`,
      {
        hints: ['leave out --allow-write'],
      },
    )
  }
  const place = settings.isSandbox ? 'the built-in sandbox' : placeText(settings)
  const whole = identityOf(settings)
  return {
    reveal: flags.reveal,
    customerText: flags['customer-text'],
    placeFlags: placeFlags(settings, flags),
    placeEnv: settings.profile ? { RMA_PROFILE: settings.profile.value } : {},
    place,
    checkPlace: (current) => {
      if (identityOf(current) === whole) return
      throw new AppError(
        'config',
        `The settings changed since this server was started for ${place}; nothing was sent.`,
        {
          hints: ['the person may start the server again'],
        },
      )
    },
    maxWrites: flags['max-writes'],
  }
}

function identityOf(settings: Settings): string {
  const { isSandbox, isProtected, baseUrl, profileBaseUrl, profileShop, token, credentialProcess, keyring } =
    settings
  const urls = [baseUrl?.value, profileBaseUrl]
  const tokens = [
    token?.origin,
    token && merchantOf({ ...settings, shop: undefined }),
    credentialProcess,
    keyring,
  ]
  return JSON.stringify([isSandbox, isProtected, urls, profileShop, tokens])
}

function placeFlags({ profile, baseUrl, shop }: Settings, flags: McpFlags): string[] {
  const { timeout, retries, strict } = flags
  return [
    ...asFlags({
      ...given({ profile, 'base-url': baseUrl }),
      shop: shop?.value,
      'token-file': flags['token-file'],
      'ca-file': flags['ca-file'],
      'time-zone': flags['time-zone'],
      'api-revision': flags['api-revision'],
      timeout,
      retries,
    }),
    ...(strict ? ['--strict'] : []),
  ]
}

/** Flags that the person gave, which printed commands repeat. */
function given(settings: Record<string, Sourced<string> | undefined>): Record<string, string | undefined> {
  const asked = Object.entries(settings).filter(([, setting]) => setting?.source === 'flag')
  return Object.fromEntries(asked.map(([name, setting]) => [name, setting?.value]))
}

function placeText({ profile, baseUrl, environment }: Settings): string {
  const name = profile ? `profile ${profile.value} (${environment}), ` : ''
  return `${name}${baseUrl?.value ?? ''}`
}
