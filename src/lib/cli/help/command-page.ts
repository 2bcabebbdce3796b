import { type Command, CommandHelp, type Interfaces } from '@oclif/core'
import { isGlobalFlag } from '../global-flags.ts'

/** Help of a command: its own flags in the order of its file, the global ones in one line, or in full. */
export class CommandPage extends CommandHelp {
  constructor(
    command: Command.Loadable,
    config: Interfaces.Config,
    options: Interfaces.HelpOptions,
    private readonly isWhole: boolean,
  ) {
    super(command, config, options)
  }

  protected override arg({ name, required, multiple }: Command.Arg.Any): string {
    const shown = `${name.toUpperCase()}${multiple ? '…' : ''}`
    return required ? shown : `[${shown}]`
  }

  protected override defaultUsage(): string {
    const { args, flags, id } = this.command
    const required = Object.entries(flags)
      .filter(([, flag]) => flag.required)
      .map(([name, flag]) => `--${name}${flag.type === 'option' ? ` ${flag.helpValue}` : ''}`)
    return [id, ...Object.values(args).map((arg) => this.arg(arg)), ...required, '[FLAGS]'].join(' ')
  }

  protected override sections(): ReturnType<CommandHelp['sections']> {
    return super
      .sections()
      .flatMap((section) =>
        section.header === 'FLAGS'
          ? [section, { header: 'GLOBAL FLAGS', generate: () => GLOBAL_LINE }]
          : [section],
      )
  }

  protected override groupFlags(flags: Command.Flag.Any[]): ReturnType<CommandHelp['groupFlags']> {
    if (this.isWhole) return super.groupFlags(flags)
    return { mainFlags: flags.filter((flag) => !isGlobalFlag(flag)), flagGroups: {} }
  }

  override renderList(...[rows, options]: Parameters<CommandHelp['renderList']>): string {
    return leadOf(rows) + super.renderList(rows, options)
  }
}

/** The indentation of the first row, which oclif cuts off. */
export function leadOf([[first = ''] = ['']]: readonly (readonly (string | undefined)[])[]): string {
  return ' '.repeat(first.length - first.trimStart().length)
}

const GLOBAL_LINE = '-p PROFILE, -o json, --columns A,B, --jq EXPR, -q, -v, …: rma help flags'
