import { Command, type Interfaces } from '@oclif/core'
import type { ExtraFormat } from '../config/settings.ts'
import type { ErrorKind } from '../errors.ts'
import type { LineCapturer } from './captured-lines.ts'
import type { CliConfig, CommandResult } from './cli-config.ts'
import { isOwnWord, readCommandLine } from './command-line.ts'
import { Context } from './context.ts'
import { globalFlags } from './global-flags.ts'

type FlagsOf<C extends typeof Command> = Interfaces.InferredFlags<
  (typeof BaseCommand)['baseFlags'] & C['flags']
>
type ArgsOf<C extends typeof Command> = Interfaces.InferredArgs<C['args']>

/** Leaves failures to `execute`, which alone reports them. */
export abstract class BaseCommand<C extends typeof Command> extends Command {
  static override baseFlags = globalFlags
  /** True for a command that ends itself on Ctrl-C, such as a server. */
  static endsOnInterrupt = false
  static interruptHints: readonly string[] = []
  static extraFormats: readonly ExtraFormat[] = []
  /** Exit kinds besides those of every command. */
  static exits: readonly ErrorKind[] = ['auth', 'not-found', 'rejected', 'contract']
  protected static partialExits = [...BaseCommand.exits, 'partial'] as const

  /** Left out of oclif's manifest by the build. */
  static result: CommandResult = {}

  /** View whose columns are checked before the command runs; a service checks the view that it chooses late. */
  protected get checkedView() {
    return (this.ctor as typeof BaseCommand).result.view
  }

  declare config: CliConfig
  protected flags!: FlagsOf<C>
  protected args!: ArgsOf<C>
  protected context!: Context

  async start() {
    await this._run()
  }

  override async init() {
    await super.init()
    const { args, flags } = await this.#parseLine()
    this.flags = flags as FlagsOf<C>
    this.args = args as ArgsOf<C>
    // A global flag that a command defines anew (`profiles add --shop`) is not a setting.
    const own = Object.keys(this.ctor.flags ?? {}).filter((name) => name in globalFlags)
    const settings = Object.fromEntries(Object.entries(this.flags).filter(([name]) => !own.includes(name)))
    const { extraFormats, endsOnInterrupt } = this.ctor as typeof BaseCommand
    this.context = new Context(
      this.config.io,
      {
        ...settings,
        // No pager may hold up a command that prints what it wrote.
        'no-pager': 'out' in (this.ctor.flags ?? {}) || this.flags['no-pager'],
        extraFormats,
        command: this.id?.replaceAll(':', ' '),
      },
      this.config.version,
      this.config.localLookup,
    )
    this.config.context = this.context
    const { context } = this
    const { interrupt } = this.config.io
    if (!endsOnInterrupt) interrupt.addEventListener('abort', () => context.progress.end(), { once: true })
    if (this.checkedView) await context.checkOutput(this.checkedView)
  }

  /** Returns the command that a line begins with; `first` is its first word, if known. */
  protected commandOf = (line: readonly string[]) => {
    const { ids } = this.table
    const { words, id } = readCommandLine(line, ids)
    return { first: isOwnWord(words[0], ids) ? words[0] : undefined, id }
  }

  /** Returns what another command prints: `returns list`. */
  protected resultOf = async (command: string) => (await this.table.load(command.replaceAll(' ', ':'))).result

  /** Returns a function that runs command lines for this command's target. */
  protected capturer = async (agent?: string): Promise<LineCapturer> => {
    const { lineCapturer } = await import('./captured-lines.ts')
    const { io, runLine } = this.config
    return lineCapturer(runLine, { ...io, agent }, await this.context.pinnedTarget())
  }

  protected get table() {
    return this.config.table
  }

  async #parseLine() {
    const { args, flags, strict } = this.ctor
    const options = { args, baseFlags: BaseCommand.baseFlags, flags, strict }
    try {
      const parsed = await this.parse(options, markDashedValues(this.argv))
      const entries = Object.entries(parsed.flags).map(([name, value]) => [name, unmarked(value)])
      return { args: parsed.args, flags: Object.fromEntries(entries) }
    } catch (error) {
      if (error instanceof Error) error.message = unmarked(error.message)
      throw error
    }
  }

  override async catch(error: Error): Promise<never> {
    throw error
  }

  override async finally(error: Error | undefined) {
    await this.context?.close(error)
  }
}

const MARK = '\u{fdd0}'

/** Marks dashed values (`--number=-n1`) with a noncharacter: oclif would read them as flags. */
function markDashedValues(argv: readonly string[]) {
  const end = argv.indexOf('--')
  return argv.map((arg, at) =>
    end !== -1 && at > end ? arg : arg.replace(/^(--[^=]+=)(?=-[^\d])/, `$1${MARK}`),
  )
}

/** Removes the marks from a flag's value, or the words of an error. */
function unmarked<T>(value: T): T
function unmarked(value: unknown) {
  if (Array.isArray(value)) return value.map(unmarked)
  return typeof value === 'string' ? value.replaceAll(MARK, '') : value
}
