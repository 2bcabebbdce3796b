import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core'
import type { CliConfig } from '../cli-config.ts'
import { isGlobalFlag } from '../global-flags.ts'
import overview from './overview.json'
import { HELP_TOPICS, type HelpTopic, shownArg, usageOf } from './reference.ts'

const LAST_ROLE = 'DEVELOPERS'
/** Topics and commands by role. The last role also has those that none names. */
const ROLES: Readonly<Record<string, readonly string[]>> = overview.roles

export class PlainHelp extends Help {
  text = ''

  constructor(
    config: CliConfig,
    private readonly isWhole: boolean,
  ) {
    super(config, { docopts: false, flagSortOrder: 'none' })
  }

  showTopic({ summary, blocks }: HelpTopic) {
    this.log(`${summary}\n`)
    for (const block of blocks) {
      if (typeof block === 'string') this.log(`${this.wrap(block, 0)}\n`)
      else if ('heading' in block) this.log(block.heading.toUpperCase())
      else if ('lines' in block) this.log(`${block.lines.map((line) => `  ${line}`).join('\n')}\n`)
      else this.log(`${this.#rows(block.rows)}\n`)
    }
  }

  protected override getCommandHelpClass(command: Command.Loadable): CommandHelp {
    return new CommandPage(command, this.config, this.opts, this.isWhole)
  }

  protected override formatTopic(topic: Interfaces.Topic) {
    return super.formatTopic(topic).replace('COMMAND', 'COMMAND [FLAGS]')
  }

  protected override async showRootHelp() {
    const { pjson, userAgent } = this.config
    const row = (name: string, words = ''): [string, string] => [name, words]
    const known = [
      ...this.sortedTopics.map(({ name, description }) => row(name, description)),
      ...this.sortedCommands.map(({ id, summary }) => row(id, summary)),
    ]
    const roots = known.filter(([name]) => !name.includes(':'))
    const named = Object.values(ROLES).flat()
    const pages = Object.entries(HELP_TOPICS).map(([name, { summary }]) => row(name, summary))
    const first = this.#rows(Object.entries(overview.first))
    this.log(`${first}\n\n${(pjson.description ?? '').replaceAll('. ', '.\n')}\n`)
    this.log(this.section('USAGE', '$ rma COMMAND [FLAGS]\n'))
    for (const [role, names] of Object.entries(ROLES)) {
      const rows = names.flatMap((name) => roots.filter(([root]) => root === name))
      const others = role === LAST_ROLE ? roots.filter(([root]) => !named.includes(root)) : []
      this.log(`${role}\n${this.#rows([...rows, ...others])}\n`)
    }
    const page = row('COMMAND', 'As COMMAND --help; --help twice for all its flags')
    this.log(`MORE BY rma help\n${this.#rows([page, ...pages])}\n\nVERSION\n  ${userAgent}`)
  }

  #rows(rows: [string, string][]) {
    return this.indent(this.renderList(rows, { indentation: 2, spacer: '\n' }))
  }

  override renderList(...[rows, options]: Parameters<Help['renderList']>): string {
    return indentationOf(rows) + super.renderList(rows, options)
  }

  protected override log(...parts: string[]) {
    this.text += `${parts.join(' ')}\n`
  }
}

/** Help of a command: its own flags, and the global ones in one line, or in full. */
class CommandPage extends CommandHelp {
  constructor(
    command: Command.Loadable,
    config: Interfaces.Config,
    options: Interfaces.HelpOptions,
    private readonly isWhole: boolean,
  ) {
    super(command, config, options)
  }

  protected override arg(arg: Command.Arg.Any) {
    return shownArg(arg)
  }

  protected override defaultUsage() {
    return usageOf(this.command)
  }

  protected override description() {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  protected override sections() {
    const globals = { header: 'GLOBAL FLAGS', generate: () => GLOBAL_LINE }
    return super
      .sections()
      .flatMap((section) => (section.header === 'FLAGS' && !this.isWhole ? [section, globals] : [section]))
  }

  protected override groupFlags(flags: Command.Flag.Any[]) {
    if (this.isWhole) return super.groupFlags(flags)
    return { mainFlags: flags.filter((flag) => !isGlobalFlag(flag)), flagGroups: {} }
  }

  override renderList(...[rows, options]: Parameters<CommandHelp['renderList']>) {
    return indentationOf(rows) + super.renderList(rows, options)
  }
}

/** Indentation of the first row, which oclif cuts off. */
function indentationOf([[first = ''] = ['']]: readonly (readonly (string | undefined)[])[]) {
  return ' '.repeat(first.length - first.trimStart().length)
}

const GLOBAL_LINE = '-p PROFILE, -o json, --columns A,B, --jq EXPR, -q, -v, …: rma help flags'
