import { Config, type Interfaces } from '@oclif/core'
import type { ErrorKind } from '../errors.ts'
import type { LazySchema, View } from '../output/view.ts'
import type { Context, LocalLookup } from './context.ts'
import type { KnownFlags } from './error-report.ts'
import type { Io } from './process-io.ts'

/** Runs another command line in this process, with its own streams; returns the exit code. */
export type RunLine = (argv: readonly string[], io: Io) => Promise<number>

export interface CommandResult {
  view?: View<never>
  json?: LazySchema
}

export interface CommandClass {
  new (argv: string[], config: Config): { start(): Promise<void> }
  id: string
  endsOnInterrupt: boolean
  interruptHints: readonly string[]
  flags?: KnownFlags
  exits?: readonly ErrorKind[]
  result: CommandResult
}

/** All commands by their ids (`returns:list`), loaded late. */
export interface CommandTable {
  ids: readonly string[]
  load(id: string): Promise<CommandClass>
}

/**
 * Passes streams and the command table to commands. `load` is called for help only: manifest and plugins take a
 * quarter of a short command's time.
 */
export class CliConfig extends Config {
  context: Context | undefined

  constructor(
    options: Interfaces.Options,
    readonly io: Io,
    readonly localLookup: LocalLookup,
    readonly runLine: RunLine,
    readonly table: CommandTable,
  ) {
    super(options)
    const { pjson } = options
    if (pjson === undefined) return
    this.pjson = pjson
    this.name = pjson.name
    this.version = pjson.version
    this.bin = pjson.oclif.bin ?? pjson.name
  }

  override async runHook<T extends keyof Interfaces.Hooks>(): Promise<
    Interfaces.Hook.Result<Interfaces.Hooks[T]['return']>
  > {
    return { failures: [], successes: [] }
  }
}
