import type { Context } from './context.ts'

/**
 * A command line for people to run next: its words quoted for a POSIX shell, and the flags that lead to the same place
 * where nothing but this command line's own flags did.
 *
 * @param shop that the command is about
 */
export async function commandLine(
  words: readonly string[],
  shop: string | undefined,
  context: Context,
): Promise<string> {
  const settings = await context.settings()
  const { profile, baseUrl } = settings
  const isShopKnown = shop === undefined || (settings.shop?.value === shop && settings.shop.source !== 'flag')
  const place = [
    ...(profile?.source === 'flag' ? ['--profile', profile.value] : []),
    ...(baseUrl?.source === 'flag' ? ['--base-url', baseUrl.value] : []),
    ...(isShopKnown ? [] : ['--shop', shop]),
  ]
  return ['rma', ...words, ...place].map(shellWord).join(' ')
}

function shellWord(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
