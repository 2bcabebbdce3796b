/** What a key press may offer, made by the build out of all commands (`completionTable`), and read at every press. */
export interface CompletionTable {
  /** By ids: `returns:list`. */
  commands: Record<string, CompletedCommand>
  /** Flags of all commands, which stand before a command, too. */
  globals: Record<string, CompletedFlag>
  /** Topics by their names, with what they are about. */
  topics: Record<string, string>
}

interface CompletedCommand {
  about: string
  /** But for those that it takes as all commands do. */
  flags: Record<string, CompletedFlag>
  args: CompletedArg[]
}

export interface CompletedFlag {
  char?: string | undefined
  about: string
  /** Undefined: it takes no value. */
  takes?: Takes | undefined
  isRepeatable: boolean
}

interface CompletedArg {
  takes: Takes
  isRepeatable: boolean
}

/** What a value is completed to; nothing where neither is there. A list is apart by commas. */
export interface Takes {
  words?: readonly string[] | undefined
  live?: LiveSource | undefined
  isList?: true | undefined
  /** Names of files end so, without the dot; of none: any. Folders are offered as well. */
  files?: readonly string[] | undefined
  folders?: true | undefined
}

/** What only this machine's files tell. */
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
