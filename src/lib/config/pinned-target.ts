import { appError } from '../errors.ts'
import { merchantOf } from './merchant.ts'
import type { Sourced } from './setting-values.ts'
import type { SettingFlags, Settings } from './settings.ts'

export type PinnedTarget = ReturnType<typeof pinnedTarget>

/** Pins the target of a program that runs many command lines: a profile that changes meanwhile does not move it. */
export function pinnedTarget(settings: Settings, flags: SettingFlags) {
  const { profile, environment, baseUrl } = settings
  const named = profile ? `profile ${profile.value} (${environment}), ` : ''
  const target = baseUrl ? named + baseUrl.value : 'the built-in sandbox'
  return {
    /** `profile live (production), https://…` */
    target,
    targetFlags: targetFlags(settings, flags),
    targetEnv: profile ? { RMA_PROFILE: profile.value } : {},
    /** Compares no token before it is read. @throws AppError `config` if the target is another by now */
    checkTarget: (current: Settings) => {
      const pinned = { ...settings, token: current.token && settings.token }
      if (identityOf(current) === identityOf(pinned)) return
      throw appError(
        'config',
        `The settings changed since this was started for ${target}; nothing was sent.`,
        'the person may start it again',
      )
    },
  }
}

function identityOf(settings: Settings) {
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

function targetFlags({ profile, baseUrl, shop }: Settings, flags: SettingFlags) {
  const { strict, timeout, retries } = flags
  const values = {
    profile: given(profile),
    'base-url': given(baseUrl),
    shop: shop?.value,
    'token-file': flags['token-file'],
    'ca-file': flags['ca-file'],
    'time-zone': flags['time-zone'],
    'api-revision': flags['api-revision'],
    timeout,
    retries,
  }
  const words = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : `--${name}=${value}`,
  )
  return [...words, ...(strict ? ['--strict'] : [])]
}

/** Value of a flag that the person gave, which printed commands repeat. */
function given(setting: Sourced<string> | undefined) {
  return setting?.source === 'flag' ? setting.value : undefined
}
