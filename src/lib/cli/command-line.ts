import type { Settings } from '../config/settings.ts'
import { quotedWord } from '../output/visible.ts'
import type { KnownFlags } from './error-report.ts'
import { globalFlags, writeFlags } from './global-flags.ts'

/** Parts of a command line that are known without loading the command. */
interface CommandLine {
  /** Words that name a command or a topic, or neither: `['returns', 'list']`. */
  words: readonly string[]
  /** `returns:list`; undefined where the words name no command. */
  id: string | undefined
  /** The flags that stood before or between the words, with their values. */
  flags: readonly string[]
  /** Words after the command's name. */
  after: readonly string[]
  /** A flag before the command that can't stand there, so that nothing after it can be told. */
  stray?: string
}

/** Whether a line that begins so is about a command, a topic, or help. */
export function isOwnWord(word: string | undefined, ids: readonly string[]): boolean {
  return word === 'help' || ids.some((id) => id.split(':', 1)[0] === word)
}

/** Flags may stand before the command; `ids` are of all. */
export function readCommandLine(argv: readonly string[], ids: readonly string[]): CommandLine {
  const words: string[] = []
  const flags: string[] = []
  let next = 0
  while (next < argv.length) {
    const arg = argv[next] ?? ''
    if (arg === '--' || HELP.has(arg)) break
    if (isFlag(arg)) {
      const length = lengthOf(arg)
      if (length === undefined) return { words, id: undefined, flags, after: argv.slice(next), stray: arg }
      flags.push(...argv.slice(next, next + length))
      next += length
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

/** Flags that may stand before the command. */
export const LEADING_FLAGS: KnownFlags = { ...globalFlags, ...writeFlags }

function isFlag(arg: string): boolean {
  return arg.startsWith('-') && arg !== '-'
}

/**
 * How many words a flag takes up: its value is a word of its own, or follows it (`--shop=ES`, `-pES`, `-qpES`);
 * undefined if it is none that may stand before the command.
 */
function lengthOf(arg: string): 1 | 2 | undefined {
  if (arg.startsWith('--')) {
    const [name = '', value] = arg.slice(2).split('=', 2)
    if (!Object.hasOwn(LEADING_FLAGS, name)) return undefined
    return LEADING_FLAGS[name]?.type === 'option' && value === undefined ? 2 : 1
  }
  const chars = [...arg.slice(1)]
  for (const [index, char] of chars.entries()) {
    const flag = Object.values(LEADING_FLAGS).find((known) => known.char === char)
    if (flag === undefined) return undefined
    if (flag.type === 'option') return index === chars.length - 1 ? 2 : 1
  }
  return 1
}

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
