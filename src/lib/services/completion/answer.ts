import { flagIn } from '../../config/command-words.ts'

export interface Answer {
  /** Part of the word before each candidate: `--status=`, `name,`. */
  kept: string
  candidates: readonly Candidate[]
  isOpen: boolean
  areFiles: boolean
}

export interface Candidate {
  value: string
  about?: string
}

export type GivenFlags = Readonly<Record<string, string>>

export interface Lookups {
  live(source: LiveSource, typed: string, flags: GivenFlags): Promise<readonly Candidate[]>
  files(typed: string, extensions: readonly string[] | 'folders'): readonly Candidate[]
}

const NONE: Answer = { kept: '', candidates: [], isOpen: false, areFiles: false }

/** @param words words up to the cursor; the last one is being typed */
export async function completeWords(
  table: CompletionTable,
  words: readonly string[],
  lookups: Lookups,
): Promise<Answer> {
  const typed = words.at(-1) ?? ''
  const line = readLine(table, words.slice(0, -1))
  if (line === undefined) return NONE
  const { flags, expecting } = line
  const valuesFor = (takes: Takes, kept: string) =>
    completeValue(takes, kept, typed, { flags, lookups, table })
  if (expecting !== undefined) return valuesFor(expecting, '')
  if (!line.isLiteral && typed.startsWith('-')) {
    const [kept, name] = /^--([^=]+)=/.exec(typed) ?? []
    if (name === undefined || kept === undefined) return answer(flagCandidates(line), typed)
    const takes = line.known[name]?.takes
    return takes === undefined ? NONE : valuesFor(takes, kept)
  }
  const { command } = line
  if (command === undefined) {
    const aliases = line.path.length === 0 ? await lookups.live('aliases', typed, flags) : []
    return answer([...nextWords(table, line.path), ...aliases], typed)
  }
  const arg = command.args[line.args] ?? command.args.findLast(({ isRepeatable }) => isRepeatable)
  return arg === undefined ? NONE : valuesFor(arg.takes, '')
}

interface Line {
  path: string[]
  command?: CompletedCommand
  known: Readonly<Record<string, CompletedFlag>>
  flags: Record<string, string>
  isHelp: boolean
  args: number
  expecting?: Takes
  isLiteral: boolean
}

function readLine(table: CompletionTable, words: readonly string[]) {
  const line: Line = { path: [], known: table.globals, flags: {}, isHelp: false, args: 0, isLiteral: false }
  let expecting: string | undefined
  for (const word of words) {
    if (expecting !== undefined) {
      line.flags[expecting] = word
      expecting = undefined
    } else if (!line.isLiteral && word === '--') line.isLiteral = true
    else if (!line.isLiteral && /^-./.test(word)) expecting = readFlag(line, word)
    else if (line.command) line.args += 1
    else if (word === 'help' && line.path.length === 0 && !line.isHelp) line.isHelp = true
    else if (!readCommandWord(table, line, word)) return undefined
  }
  if (expecting !== undefined) line.expecting = line.known[expecting]?.takes
  return line
}

function readCommandWord(table: CompletionTable, line: Line, word: string) {
  line.path.push(word)
  const id = line.path.join(':')
  if (line.isHelp || !Object.hasOwn(table.commands, id)) return nextWords(table, line.path).length > 0
  line.command = table.commands[id]
  line.known = { ...table.globals, ...line.command?.flags }
  return true
}

/** Returns the name of a flag whose value is the next word. */
function readFlag({ known, flags }: Line, word: string) {
  const { name, value = '', takesNext } = flagIn(word, known) ?? {}
  if (name !== undefined) flags[name] = value
  return takesNext ? name : undefined
}

function flagCandidates({ known, flags }: Line): Candidate[] {
  return Object.entries(known)
    .filter(([name, { isRepeatable }]) => isRepeatable || !(name in flags))
    .map(([name, { about }]) => ({ value: `--${name}`, about }))
    .concat({ value: '--help', about: 'Show help' })
}

function nextWords(table: CompletionTable, path: readonly string[]): Candidate[] {
  const words = new Map<string, string>()
  for (const [id, { about }] of Object.entries(table.commands)) {
    const parts = id.split(':')
    const next = parts[path.length]
    if (next === undefined || path.some((word, index) => word !== parts[index])) continue
    const isCommand = parts.length === path.length + 1
    if (isCommand || !words.has(next)) words.set(next, isCommand ? about : (table.topics[next] ?? ''))
  }
  if (path.length === 0) words.set('help', 'Show help')
  return [...words].map(([value, about]) => ({ value, about }))
}

interface ValueOptions {
  flags: GivenFlags
  lookups: Lookups
  table: CompletionTable
}

async function completeValue(
  takes: Takes,
  kept: string,
  typed: string,
  { flags, lookups, table }: ValueOptions,
): Promise<Answer> {
  const { isList, words = [], meanings = [], live, files, folders } = takes
  const before = isList ? typed.slice(kept.length).split(',').slice(0, -1) : []
  const all = kept + before.map((word) => `${word},`).join('')
  const rest = typed.slice(all.length)
  const known = live === 'commands' ? nextWords(table, []) : live ? await lookups.live(live, rest, flags) : []
  const candidates = [
    ...words.map((value, at) => ({ value, about: meanings[at] })),
    ...meanings.flatMap((value, at) => {
      const about = words[at]
      return value.toUpperCase() === about ? [] : [{ value, about }]
    }),
    ...known,
  ]
  const found = answer(
    candidates.filter(({ value }) => !before.includes(value)),
    rest,
  )
  if (found.candidates.length > 0 || !(files || folders)) {
    return { ...found, kept: all, isOpen: isList ?? false }
  }
  const paths = lookups.files(rest, folders ? 'folders' : (files ?? []))
  return { kept: all, candidates: paths, isOpen: false, areFiles: true }
}

function answer(candidates: readonly Candidate[], typed: string): Answer {
  const lower = typed.toLowerCase()
  return { ...NONE, candidates: candidates.filter(({ value }) => value.toLowerCase().startsWith(lower)) }
}

/** Written by the build (`completionTable`), read at each key press. */
export interface CompletionTable {
  commands: Record<string, CompletedCommand>
  globals: Record<string, CompletedFlag>
  topics: Record<string, string>
}

interface CompletedCommand {
  about: string
  flags: Record<string, CompletedFlag>
  args: CompletedArg[]
}

export interface CompletedFlag {
  char?: string
  about: string
  takes?: Takes
  isRepeatable: boolean
}

interface CompletedArg {
  takes: Takes
  isRepeatable: boolean
}

/** Sources of candidates for a value. With `isList` it is a list with commas. */
export interface Takes {
  words?: readonly string[]
  /** Meanings of the words, which may be typed as well. */
  meanings?: readonly string[]
  live?: LiveSource
  isList?: true
  /** File extensions. Empty for any. */
  files?: readonly string[]
  folders?: true
}

type LiveSource =
  | 'aliases'
  | 'carrier-services'
  | 'commands'
  | 'jobs'
  | 'mappings'
  | 'printers'
  | 'profiles'
  | 'returns'
  | 'shops'
  | 'zones'
