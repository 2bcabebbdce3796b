import type { Context } from '../../cli/context.ts'
import { readEnv } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { type AppError, nearest } from '../../errors.ts'
import { allOf, type Examination, failed, found, skipped, well } from './examination.ts'

const VARIABLES = [
  ...['RMA_PROFILE', 'RMA_SHOP', 'RMA_BASE_URL', 'RMA_TOKEN', 'RMA_OUTPUT', 'RMA_TIME_ZONE', 'RMA_TIMEOUT'],
  ...['RMA_RETRIES', 'RMA_DEBUG', 'RMA_DATABASE', 'RMA_CONFIG_DIR', 'RMA_DATA_DIR', 'RMA_CACHE_DIR'],
  'RMA_LOCK_DIR',
]

/** Checks the settings, or says why they can't be read. */
export function settingsExaminations(
  context: Pick<Context, 'io'>,
  settings: Settings | undefined,
  failure: AppError | undefined,
): Examination[] {
  return [
    {
      id: 'settings.values',
      look: async () => (failure ? failed(failure) : settings ? well(summary(settings)) : skipped('')),
    },
    { id: 'settings.overrides', look: async () => overrides(context, settings) },
    { id: 'settings.variables', look: async () => misspelt(context) },
  ]
}

function summary(settings: Settings): string {
  const { profile, baseUrl, isSandbox, shop, isProtected } = settings
  const where = isSandbox ? 'the built-in sandbox' : (baseUrl?.value ?? 'no base URL')
  return [
    profile ? `profile ${profile.value} (${profile.origin})` : 'no profile',
    where,
    ...(shop ? [`shop ${shop.value}`] : []),
    ...(isProtected ? ['protected'] : []),
    ...(isSandbox ? [] : [tokenOrigin(settings)]),
  ].join(', ')
}

function tokenOrigin({ credentialProcess, keyring, token }: Settings): string {
  if (credentialProcess !== undefined) return 'token by a credential process'
  if (keyring !== undefined) return 'token in the keyring'
  if (token === undefined) return 'no token'
  return token.source === 'profile' ? 'token in the settings file' : `token from ${token.origin}`
}

/** A leftover variable is what people look for last. */
function overrides({ io }: Pick<Context, 'io'>, settings: Settings | undefined) {
  if (settings === undefined) return skipped('the settings can not be read')
  const { profile, profileBaseUrl, baseUrl, token, warnings } = settings
  const isAnother =
    profile !== undefined && baseUrl?.source === 'environment' && baseUrl.value !== profileBaseUrl
  const isLost = profile === undefined && token?.source === 'environment' && !readEnv(io.env, 'RMA_PROFILE')
  return allOf(
    [
      ...warnings.map((warning) => found(warning.replace(/\.$/, ''), 'unset RMA_BASE_URL')),
      isAnother && warnings.length === 0
        ? found(
            `RMA_BASE_URL takes precedence over the profile ${profile.value}: requests go to ${baseUrl.value}`,
            'unset RMA_BASE_URL',
          )
        : undefined,
    ],
    well(isLost ? 'address and token come from the environment alone' : 'no variable hides the profile'),
  )
}

function misspelt({ io }: Pick<Context, 'io'>) {
  const unknown = Object.keys(io.env).filter((name) => /^RMA_/i.test(name) && !VARIABLES.includes(name))
  const problems = unknown.sort().map((name) => {
    const near = nearest(name, VARIABLES)
    return found(
      `${name} means nothing to rma`,
      near === undefined ? `unset ${name}` : `did you mean ${near}?`,
    )
  })
  return allOf(problems, well('all variables RMA_… are known'))
}
