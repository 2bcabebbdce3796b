import { expect, it } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { runCli } from '../helpers/run-cli.ts'
import '../../src/commands/commands.ts'
import '../../src/commands/returns/export.ts'
import '../../src/commands/tracking/push.ts'
import { valuesOf } from '../helpers/values-of.ts'

it('--json lists the flags, arguments, examples and exit codes of each command', async () => {
  const { code, stdout } = await runCli(typed`commands --json`)
  expect(code).toBe(0)
  const { commands, globalFlags, exitCodes, version } = JSON.parse(stdout)
  expect(version).toMatch(/^\d/)
  expect(commands.find(({ command }: { command: string }) => command === 'returns export')).toMatchObject({
    summary: 'Write all returns that match to a file, proven complete',
    usage: 'rma returns export --out FILE [FLAGS]',
    args: [],
    examples: expect.arrayContaining(['rma returns export --out returns.parquet']),
    exitCodes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130],
    flags: expect.arrayContaining([
      {
        name: 'out',
        value: 'FILE',
        summary: expect.any(String),
        required: true,
        repeatable: false,
        negatable: false,
      },
    ]),
  })
  const push = commands.find(({ command }: { command: string }) => command === 'tracking push')
  expect(push.exitCodes).toContain(10)
  expect(push.args).toEqual([expect.objectContaining({ name: 'shipment', required: false })])
  // Global flags are told once.
  expect(valuesOf(push.flags, 'name')).not.toContain('profile')
  expect(globalFlags).toContainEqual(expect.objectContaining({ name: 'profile', char: 'p', value: 'NAME' }))
  expect(valuesOf(exitCodes, 'code')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130])
})

it('the table lists commands and their summaries', async () => {
  const { stdout } = await runCli(['commands'])
  expect(stdout).toMatch(/^COMMAND +SUMMARY\n(?:.*\n)*api +Send any request to the platform\n/)
})
