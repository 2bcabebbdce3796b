import { Config } from '@oclif/core'
import { expect, it } from 'vitest'
import { globalFlags } from '../../src/lib/cli/global-flags.ts'
import { EXIT_CODES } from '../../src/lib/errors.ts'
import { root } from '../helpers/run-cli.ts'

interface FlagShape {
  char?: string
  type: string
  multiple?: boolean
  required?: boolean
  options?: string[]
}

const flagText = (name: string, flag: FlagShape) =>
  [
    flag.char ? `-${flag.char}, ` : '',
    `--${name}`,
    flag.type === 'option' ? ' VALUE' : '',
    flag.multiple ? '…' : '',
    flag.required ? ' (required)' : '',
    flag.options ? ` [${flag.options.join('|')}]` : '',
  ].join('')

it('the command surface is what scripts rely on', async () => {
  const config = await Config.load(root)
  const shared = new Set(Object.keys(globalFlags))
  const surface = Object.fromEntries(
    config.commands.map((command) => [
      command.id.replaceAll(':', ' '),
      {
        args: Object.entries(command.args).map(
          ([name, arg]) => (arg.required ? name : `[${name}]`) + (arg.multiple ? '…' : ''),
        ),
        flags: Object.entries(command.flags)
          .filter(([name]) => !shared.has(name))
          .map(([name, flag]) => flagText(name, flag as FlagShape))
          .sort(),
      },
    ]),
  )
  const globals = Object.entries(globalFlags).map(([name, flag]) => flagText(name, flag as FlagShape))
  await expect(JSON.stringify({ globals, surface, exitCodes: EXIT_CODES }, null, 2)).toMatchFileSnapshot(
    './surface.json',
  )
})

it('every command has a summary and examples, and no line ends within a paragraph', async () => {
  const config = await Config.load(root)
  for (const command of config.commands) {
    expect(command.summary, command.id).toBeTruthy()
    expect(command.description ?? '', command.id).not.toMatch(/[^\n]\n[^\n]/)
    expect(command.examples?.length, command.id).toBeGreaterThanOrEqual(2)
  }
})
