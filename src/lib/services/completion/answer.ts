/** Replacements for the word that is being typed. */
export interface Answer {
  /** Part of the word that stays before each candidate: `--status=`, `name,`. */
  kept: string
  candidates: readonly Candidate[]
  /** More may follow within the word: no space after it. */
  isOpen: boolean
  /** The candidates are files and folders, these with a slash at their ends. */
  areFiles: boolean
}

export interface Candidate {
  value: string
  about?: string | undefined
}

/** Flags given before on the line, by their names. */
export type GivenFlags = Readonly<Record<string, string>>

export interface Lookups {
  live(source: LiveSource, typed: string, flags: GivenFlags): Promise<readonly Candidate[]>
  files(typed: string, extensions: readonly string[] | 'folders'): readonly Candidate[]
}

const NONE: Answer = { kept: '', candidates: [], isOpen: false, areFiles: false }

/** `words` are those behind `rma` up to the cursor, the last of them the one that is being typed, perhaps empty. */
export async function completeWords(
  table: CompletionTable,
  words: readonly string[],
  lookups: Lookups,
): Promise<Answer> {
  const typed = words.at(-1) ?? ''
  const line = readLine(table, words.slice(0, -1))
  if (line === undefined) return NONE
  const { flags, expecting } = line
  const takenBy = (takes: Takes, kept: string) => completeValue(takes, kept, typed, { flags, lookups, table })
  if (expecting !== undefined) return takenBy(expecting, '')
  if (!line.isLiteral && typed.startsWith('-')) {
    const [kept, name] = /^--([^=]+)=/.exec(typed) ?? []
    if (name === undefined || kept === undefined) return answer(flagCandidates(line), typed)
    const takes = line.known[name]?.takes
    return takes === undefined ? NONE : takenBy(takes, kept)
  }
  const { command } = line
  if (command === undefined) {
    const aliases = line.path.length === 0 ? await lookups.live('aliases', typed, flags) : []
    return answer([...nextWords(table, line.path), ...aliases], typed)
  }
  const arg = command.args[line.args] ?? command.args.findLast(({ isRepeatable }) => isRepeatable)
  return arg === undefined ? NONE : takenBy(arg.takes, '')
}

interface Line {
  path: string[]
  command?: CompletedCommand | undefined
  known: Readonly<Record<string, CompletedFlag>>
  flags: Record<string, string>
  /** Help is asked for, so that words name a command only. */
  isHelp: boolean
  /** How many arguments are there. */
  args: number
  /** Value that the flag before the cursor takes. */
  expecting?: Takes | undefined
  /** Behind `--`. */
  isLiteral: boolean
}

/** Returns undefined if no command continues like that. */
function readLine(table: CompletionTable, words: readonly string[]): Line | undefined {
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

/** Returns false if no command has this word at this place. */
function readCommandWord(table: CompletionTable, line: Line, word: string): boolean {
  line.path.push(word)
  const id = line.path.join(':')
  if (line.isHelp || !Object.hasOwn(table.commands, id)) return nextWords(table, line.path).length > 0
  line.command = table.commands[id]
  line.known = { ...table.globals, ...line.command?.flags }
  return true
}

/** Returns the flag's name if its value is still to come. */
function readFlag({ known, flags }: Line, word: string): string | undefined {
  const [, long, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? []
  const name = long ?? shortFlag(word, known)
  if (name === undefined) return undefined
  const takesValue = known[name]?.takes !== undefined
  // Of `-pES` the value follows the character.
  const rest = long === undefined && word.slice(word.indexOf(known[name]?.char ?? '') + 1)
  flags[name] = value ?? (rest || '')
  return takesValue && value === undefined && !rest ? name : undefined
}

/** Returns the first short flag that takes a value, else the last: `-p` of `-qpES`. */
function shortFlag(word: string, known: Line['known']): string | undefined {
  const names = [...word.slice(1)].map((char) =>
    Object.keys(known).find((flag) => known[flag]?.char === char),
  )
  return names.find((name) => name && known[name]?.takes) ?? names.at(-1)
}

function flagCandidates({ known, flags }: Line): Candidate[] {
  return Object.entries(known)
    .filter(([name, { isRepeatable }]) => isRepeatable || !(name in flags))
    .map(([name, { about }]) => ({ value: `--${name}`, about }))
    .concat({ value: '--help', about: 'Show help' })
}

/** Lists the commands and topics under the path; at its begin `help` as well. */
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
  const { isList, words = [], live, files, folders } = takes
  const before = isList ? typed.slice(kept.length).split(',').slice(0, -1) : []
  const all = kept + before.map((word) => `${word},`).join('')
  const rest = typed.slice(all.length)
  const known = live === 'commands' ? nextWords(table, []) : live ? await lookups.live(live, rest, flags) : []
  const candidates = [...words.map((value) => ({ value })), ...known]
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

/** Matches case-sensitively first, then case-insensitively. */
function answer(candidates: readonly Candidate[], typed: string): Answer {
  const exact = candidates.filter(({ value }) => value.startsWith(typed))
  const lower = typed.toLowerCase()
  const found =
    exact.length > 0 ? exact : candidates.filter(({ value }) => value.toLowerCase().startsWith(lower))
  return { ...NONE, candidates: found }
}

/** Words and values of all commands, made by the build (`completionTable`) and read at each key press. */
export interface CompletionTable {
  /** Keys are ids: `returns:list`. */
  commands: Record<string, CompletedCommand>
  /** Flags of all commands, which stand before a command, too. */
  globals: Record<string, CompletedFlag>
  /** Topics by their names, with what they are about. */
  topics: Record<string, string>
}

interface CompletedCommand {
  about: string
  /** Leaves out the global flags. */
  flags: Record<string, CompletedFlag>
  args: CompletedArg[]
}

export interface CompletedFlag {
  char?: string | undefined
  about: string
  /** Absent for a flag without a value. */
  takes?: Takes | undefined
  isRepeatable: boolean
}

interface CompletedArg {
  takes: Takes
  isRepeatable: boolean
}

/** Candidates for a value. A list is separated by commas. */
export interface Takes {
  words?: readonly string[] | undefined
  live?: LiveSource | undefined
  isList?: true | undefined
  /** Names of files end so, without the dot; of none: any. Folders are offered as well. */
  files?: readonly string[] | undefined
  folders?: true | undefined
}

/** Values that only files of this machine tell. */
export type LiveSource =
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
