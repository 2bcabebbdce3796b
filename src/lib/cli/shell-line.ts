import type { Context } from './context.ts'

/**
 * A command line for people to run next: its words quoted for a POSIX shell, and the flags that lead to the same place
 * where nothing but this command line's own flags did.
 *
 * @param shop that the command is about
 */
export async function shellLine(
  words: readonly string[],
  shop: string | undefined,
  context: Context,
): Promise<string> {
  const { profile, baseUrl, caFile, shop: setShop } = await context.settings()
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

/** A word of a command line, for a POSIX shell. */
export function quotedWord(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
