import { expect, it } from 'vitest'
import { pinnedTarget } from '../../../src/lib/config/pinned-target.ts'
import type { Settings } from '../../../src/lib/config/settings.ts'

/** Settings of a profile whose token is in a keyring; without a subject the token is not read yet. */
function settingsOf(sub?: string, exp = 4e9) {
  const parts = [{}, { sub, exp }, 'x'].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  return {
    isSandbox: false,
    profile: { value: 'live' },
    baseUrl: { value: 'https://platform.example' },
    keyring: { profile: 'live' },
    token: sub && { value: parts.join('.'), origin: 'keyring' },
  } as unknown as Settings
}

it('a pinned target takes a renewed token of the keyring, and no token of another merchant', () => {
  const { checkTarget } = pinnedTarget(settingsOf('shoes'), {})
  for (const same of [settingsOf(), settingsOf('shoes', 5e9)]) expect(() => checkTarget(same)).not.toThrow()
  expect(() => checkTarget(settingsOf('hats'))).toThrow('The settings changed since this was started')
})
