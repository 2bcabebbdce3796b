import { Config, type Interfaces } from '@oclif/core'
import { AppError } from '../errors.ts'
import type { Io } from './io.ts'

/** A command as this program needs it; `BaseCommand` is one. */
export type CommandClass = (new (
  argv: string[],
  config: Config,
) => { start(): Promise<void> }) & {
  id: string
  endsOnInterrupt: boolean
}

export type LoadCommand = (id: string) => Promise<CommandClass | undefined>

/** oclif's configuration with the outside world attached, so that commands take nothing from globals. */
export class CliConfig extends Config {
  constructor(
    options: Interfaces.Options,
    readonly io: Io,
    private readonly loadCommand?: LoadCommand,
  ) {
    super(options)
  }

  /** The class of a command: from the given loader (tests run the sources), else as oclif finds it. */
  async commandClass(id: string): Promise<CommandClass | undefined> {
    const found = (await this.loadCommand?.(id)) ?? (await this.findCommand(id)?.load())
    if (found === undefined) return undefined
    if (!isOurs(found)) throw new AppError('bug', `The command ${id} is not built as a command of rma.`)
    found.id = id
    return found
  }
}

function isOurs(found: object): found is CommandClass {
  return 'endsOnInterrupt' in found
}
