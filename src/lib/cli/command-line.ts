import { AppError, nearest } from '../errors.ts'
import { globalFlags, writeFlags } from './global-flags.ts'

/** As far as can be told without the command itself. */
export interface CommandLine {
  /** Words that name a command or a topic, or neither: `['returns', 'list']`. */
  words: readonly string[]
  /** `returns:list`; undefined where the words name no command. */
  id: string | undefined
  /** All else in its order: the flags that stood before or between the words, then what came after them. */
  rest: readonly string[]
  /** How many of these stood before. */
  leading: number
}

/** Whether a line that begins so is about a command, a topic, or help. */
export function isOwnWord(word: string | undefined, ids: readonly string[]): boolean {
  return word === 'help' || ids.some((id) => id.split(':', 1)[0] === word)
}

/** Flags may stand before the command; `ids` are of all. @throws AppError `usage` for one that can't */
export function readCommandLine(argv: readonly string[], ids: readonly string[]): CommandLine {
  const words: string[] = []
  const flags: string[] = []
  let next = 0
  while (next < argv.length) {
    const arg = argv[next] ?? ''
    if (arg === '--' || HELP.has(arg)) break
    if (isFlag(arg)) {
      const length = readFlag(arg)
      flags.push(...argv.slice(next, next + length))
      next += length
      continue
    }
    words.push(arg)
    next += 1
    if (words[0] === 'help') continue
    const id = words.join(':')
    if (ids.includes(id)) return { words, id, rest: [...flags, ...argv.slice(next)], leading: flags.length }
    if (!ids.some((known) => known.startsWith(`${id}:`))) break
  }
  return { words, id: undefined, rest: [...flags, ...argv.slice(next)], leading: flags.length }
}

const HELP: ReadonlySet<string> = new Set(['--help', '-h'])

type KnownFlags = Readonly<Record<string, { type: string; char?: string | undefined }>>

const LEADING: KnownFlags = { ...globalFlags, ...writeFlags }

function isFlag(arg: string): boolean {
  return arg.startsWith('-') && arg !== '-'
}

/** How many words a flag takes up: its value is a word of its own, or follows it (`--shop=ES`, `-pES`, `-qpES`). */
function readFlag(arg: string): 1 | 2 {
  if (arg.startsWith('--')) {
    const [name = '', value] = arg.slice(2).split('=', 2)
    if (!Object.hasOwn(LEADING, name)) throw unknownFlag(arg)
    return LEADING[name]?.type === 'option' && value === undefined ? 2 : 1
  }
  const chars = [...arg.slice(1)]
  for (const [index, char] of chars.entries()) {
    const flag = Object.values(LEADING).find((known) => known.char === char)
    if (flag === undefined) throw unknownFlag(arg)
    if (flag.type === 'option') return index === chars.length - 1 ? 2 : 1
  }
  return 1
}

function unknownFlag(arg: string): AppError {
  const name = arg.split('=', 1)[0] ?? arg
  return new AppError('usage', `There is no global flag ${name}; a command's own flags stand after it.`, {
    hints: [...nearestFlags([arg], LEADING), 'rma --help lists the commands'],
  })
}

/** What was probably meant by flags that do not exist, for `Try: …` lines: `--limit`. */
export function nearestFlags(given: readonly string[], known: KnownFlags): string[] {
  const near = given.map((arg) => {
    const name = arg.replace(/^-+/, '').split('=', 1)[0] ?? ''
    if (arg.startsWith('--')) return nearest(name, Object.keys(known))
    return Object.keys(known).find((flag) => known[flag]?.char?.toLowerCase() === name.toLowerCase())
  })
  return [...new Set(near)].filter((name) => name !== undefined).map((name) => `--${name}`)
}
