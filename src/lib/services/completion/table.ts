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
