import { type Command, type CommandHelp, Help, type Interfaces } from '@oclif/core'
import type { CliConfig } from '../cli-config.ts'
import { CommandPage, leadOf } from './command-page.ts'
import { HELP_TOPICS, type HelpTopic } from './topics.ts'

export interface HelpOptions {
  /** With the global flags of a command, each with what it does. */
  isWhole: boolean
}

/** Help pages as one text. */
export class PlainHelp extends Help {
  text = ''

  constructor(config: CliConfig, { isWhole }: HelpOptions) {
    super(config, { docopts: false, flagSortOrder: 'none' })
    this.#isWhole = isWhole
  }

  readonly #isWhole: boolean

  showTopic({ summary, blocks }: HelpTopic): void {
    this.log(`${summary}\n`)
    for (const block of blocks) {
      if (typeof block === 'string') this.log(`${this.wrap(block, 0)}\n`)
      else if ('heading' in block) this.log(block.heading.toUpperCase())
      else if ('lines' in block) this.log(`${block.lines.map((line) => `  ${line}`).join('\n')}\n`)
      else this.log(`${this.indent(this.renderList(block.rows, { indentation: 2, spacer: '\n' }))}\n`)
    }
  }

  protected override getCommandHelpClass(command: Command.Loadable): CommandHelp {
    return new CommandPage(command, this.config, this.opts, this.#isWhole)
  }

  override formatRoot(): string {
    return super.formatRoot().replace('[COMMAND]', 'COMMAND [FLAGS]')
  }

  protected override formatTopic(topic: Interfaces.Topic): string {
    return super.formatTopic(topic).replace('COMMAND', 'COMMAND [FLAGS]')
  }

  protected override async showRootHelp(): Promise<void> {
    await super.showRootHelp()
    const pages = Object.entries(HELP_TOPICS).map(([name, { summary }]): [string, string] => [name, summary])
    const list = this.renderList(
      [['COMMAND', 'A command, as COMMAND --help; --help twice for all its flags'], ...pages],
      {
        indentation: 2,
        spacer: '\n',
      },
    )
    this.log(this.section('MORE BY rma help', list))
  }

  override renderList(...[rows, options]: Parameters<Help['renderList']>): string {
    return leadOf(rows) + super.renderList(rows, options)
  }

  protected override log(...parts: string[]): void {
    this.text += `${parts.join(' ')}\n`
  }
}
