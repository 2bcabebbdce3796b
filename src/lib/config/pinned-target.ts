import { appError } from '../errors.ts'
import { merchantOf } from './merchant.ts'
import type { SettingFlags, Settings } from './settings.ts'

export type PinnedTarget = ReturnType<typeof pinnedTarget>

/** Pins the target of a program that runs many command lines, though a profile may change meanwhile. */
export function pinnedTarget(started: Settings, flags: SettingFlags) {
  let settings = started
  const { profile, environment, baseUrl } = settings
  const named = profile ? `profile ${profile.value} (${environment}), ` : ''
  const target = baseUrl ? named + baseUrl.value : 'the built-in sandbox'
  return {
    /** `profile live (production), https://…` */
    target,
    targetFlags: targetFlags(settings, flags),
    targetEnv: profile ? { RMA_PROFILE: profile.value } : {},
    /** Ignores a token that is not read yet. @throws AppError `config` if the target has changed */
    checkTarget: (current: Settings) => {
      // The first token that is read is pinned.
      if (!settings.token) settings = { ...settings, token: current.token }
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
  const merchant = token && merchantOf({ ...settings, shop: undefined })
  const place = [isSandbox, isProtected, baseUrl?.value, profileBaseUrl, profileShop]
  return JSON.stringify([...place, token?.origin, merchant, credentialProcess, keyring])
}

const TARGET_FLAGS = [
  'profile',
  'base-url',
  'token-file',
  'ca-file',
  'time-zone',
  'api-revision',
  'timeout',
  'retries',
] as const

function targetFlags({ shop }: Settings, flags: SettingFlags) {
  const words = [...TARGET_FLAGS.map((name) => [name, flags[name]]), ['shop', shop?.value]].flatMap(
    ([name, value]) => (value === undefined ? [] : `--${name}=${value}`),
  )
  return [...words, ...(flags.strict ? ['--strict'] : [])]
}
