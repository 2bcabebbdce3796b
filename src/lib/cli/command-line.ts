import { flagIn } from '../config/command-words.ts'
import type { Settings } from '../config/settings.ts'
import { quotedWord } from '../errors.ts'
import type { KnownFlags } from './error-report.ts'
import { globalFlags, writeFlags } from './global-flags.ts'

/** True for the first word of a command, a topic, or help. */
export function isOwnWord(word: string | undefined, ids: readonly string[]) {
  return word === 'help' || ids.some((id) => id.split(':', 1)[0] === word)
}

/**
 * Finds the command of a line, the flags before or between its words, and what is `after` it. `stray` is an unknown
 * flag before the command: its value can't be told from a word.
 */
export function readCommandLine(argv: readonly string[], ids: readonly string[]) {
  const words: string[] = []
  const flags: string[] = []
  let next = 0
  while (next < argv.length) {
    const arg = argv[next] ?? ''
    if (arg === '--' || HELP.has(arg)) break
    if (arg.startsWith('-') && arg !== '-') {
      const flag = flagIn(arg, LEADING_FLAGS)
      if (flag === undefined) return { words, id: undefined, flags, after: argv.slice(next), stray: arg }
      const end = next + (flag.takesNext ? 2 : 1)
      flags.push(...argv.slice(next, end))
      next = end
      continue
    }
    words.push(arg)
    next += 1
    if (words[0] === 'help') continue
    const id = words.join(':')
    if (ids.includes(id)) return { words, id, flags, after: argv.slice(next) }
    if (!ids.some((known) => known.startsWith(`${id}:`))) break
  }
  return { words, id: undefined, flags, after: argv.slice(next) }
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

export const LEADING_FLAGS: KnownFlags = { ...globalFlags, ...writeFlags }

/** Quotes a line for a POSIX shell, with the flags that led to the target. */
export function shellLine(
  words: readonly string[],
  shop: string | null | undefined,
  settings: Settings,
): string {
  const { profile, baseUrl, caFile, shop: setShop } = settings
  const given = [
    ['--profile', profile],
    ['--base-url', baseUrl],
    ['--ca-file', caFile],
  ] as const
  const isShopKnown = !shop || (setShop?.value === shop && setShop.source !== 'flag')
  const targetFlags = [
    ...given.flatMap(([flag, setting]) => (setting?.source === 'flag' ? [flag, setting.value] : [])),
    ...(isShopKnown ? [] : ['--shop', shop]),
  ]
  return ['rma', ...words, ...targetFlags].map(quotedWord).join(' ')
}
