import { expect, it } from 'vitest'
import type { AppPaths } from '../../../../src/lib/config/paths.ts'
import type { PlatformSettings } from '../../../../src/lib/config/platform-settings.ts'
import { mirrorOrigins } from '../../../../src/lib/services/mirror/mirror-file.ts'

it.each([
  ['A', ['A', 'B'], ['A', 'B']],
  ['A', ['A'], undefined],
  ['A', ['B', 'C'], undefined],
  ['A', [], []],
  [undefined, ['A', 'B'], undefined],
])(
  'the returns of the shop %s with a token of the shops %j may be in the mirror of %j',
  (shop, shops, whole) => {
    const token = ['{}', JSON.stringify({ shops }), 'x'].map((part) =>
      Buffer.from(part).toString('base64url'),
    )
    const settings = {
      baseUrl: { value: 'https://h' },
      shop: shop && { value: shop },
      token: { value: token.join('.') },
    } as PlatformSettings
    expect(mirrorOrigins(settings, {} as AppPaths).allShops?.shops).toEqual(whole)
  },
)
