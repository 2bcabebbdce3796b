import type { Settings } from '../config/settings.ts'
import { quotedWord } from '../output/visible.ts'

/** Quoted for a POSIX shell, with the flags that alone led to the place; `shop` is what the command is about. */
export function shellLine(words: readonly string[], shop: string | undefined, settings: Settings): string {
  const { profile, baseUrl, caFile, shop: setShop } = settings
  const given = [
    ['--profile', profile],
    ['--base-url', baseUrl],
    ['--ca-file', caFile],
  ] as const
  const isShopKnown = shop === undefined || (setShop?.value === shop && setShop.source !== 'flag')
  const place = [
    ...given.flatMap(([flag, setting]) => (setting?.source === 'flag' ? [flag, setting.value] : [])),
    ...(isShopKnown ? [] : ['--shop', shop]),
  ]
  return ['rma', ...words, ...place].map(quotedWord).join(' ')
}
