import { Help } from '@oclif/core'
import type { CliConfig } from './cli-config.ts'

export class PlainHelp extends Help {
  text = ''

  constructor(config: CliConfig) {
    super(config, { docopts: false })
  }

  protected override log(...parts: string[]): void {
    this.text += `${parts.join(' ')}\n`
  }
}
