import { AppError } from '../errors.ts'
import { merchantOf } from './merchant.ts'
import type { Sourced } from './setting-values.ts'
import type { SettingFlags, Settings } from './settings.ts'

/** Place of a program that runs many command lines: a profile that changes meanwhile does not move it. */
export interface PinnedPlace {
  /** For people: `profile live (production), https://…`. */
  place: string
  placeFlags: readonly string[]
  placeEnv: Readonly<Record<string, string>>
  /** @throws AppError `config` if the settings lead to another place by now */
  checkPlace(settings: Settings): void
}

export function pinnedPlace(settings: Settings, flags: SettingFlags): PinnedPlace {
  const place = settings.isSandbox ? 'the built-in sandbox' : placeText(settings)
  const whole = identityOf(settings)
  return {
    place,
    placeFlags: placeFlags(settings, flags),
    placeEnv: settings.profile ? { RMA_PROFILE: settings.profile.value } : {},
    checkPlace: (current) => {
      if (identityOf(current) === whole) return
      throw new AppError(
        'config',
        `The settings changed since this was started for ${place}; nothing was sent.`,
        { hints: ['the person may start it again'] },
      )
    },
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

function placeFlags({ profile, baseUrl, shop }: Settings, flags: SettingFlags): string[] {
  const { strict, timeout, retries } = flags
  const values = {
    ...given({ profile, 'base-url': baseUrl }),
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

/** Flags that the person gave, which printed commands repeat. */
function given(settings: Record<string, Sourced<string> | undefined>): Record<string, string | undefined> {
  const asked = Object.entries(settings).filter(([, setting]) => setting?.source === 'flag')
  return Object.fromEntries(asked.map(([name, setting]) => [name, setting?.value]))
}

function placeText({ profile, baseUrl, environment }: Settings): string {
  const name = profile ? `profile ${profile.value} (${environment}), ` : ''
  return `${name}${baseUrl?.value ?? ''}`
}
