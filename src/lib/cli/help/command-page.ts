import { type Command, CommandHelp, type Interfaces } from '@oclif/core'
import { isGlobalFlag } from '../global-flags.ts'
import { shownArg, usageOf } from './reference.ts'

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

  protected override arg(arg: Command.Arg.Any): string {
    return shownArg(arg)
  }

  protected override defaultUsage(): string {
    return usageOf(this.command)
  }

  /** The summary stands above. */
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  protected override sections(): ReturnType<CommandHelp['sections']> {
    const globals = { header: 'GLOBAL FLAGS', generate: () => GLOBAL_LINE }
    const comesBefore = ({ header }: { header: string }) => header === 'FLAGS' && !this.isWhole
    return super.sections().flatMap((section) => (comesBefore(section) ? [section, globals] : [section]))
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
