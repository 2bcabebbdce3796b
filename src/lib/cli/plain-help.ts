import { Help } from '@oclif/core'
import type { CliConfig } from './cli-config.ts'

/** oclif's help as a text, so that printing it can fail like any other result. */
export class PlainHelp extends Help {
  text = ''

  constructor(config: CliConfig) {
    super(config, { docopts: false })
  }

  protected override log(...parts: string[]): void {
    this.text += `${parts.join(' ')}\n`
  }
}
