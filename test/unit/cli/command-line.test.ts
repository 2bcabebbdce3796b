import { expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { freshHome, runCli, runIn } from '../../helpers/run-cli.ts'

const platform = usePlatform({ returns: 10 })

it.each([
  '--json returns list --limit 1',
  '-o json returns list --limit 1',
  '-ojson returns list --limit 1',
  '-qo json returns list --limit 1',
  '--output=json returns list --limit 1',
  'returns --json list --limit 1',
])('flags before the command work as after it: rma %s', async (line) => {
  expect(jsonOf(succeeded(await platform.run(line.split(' ')))).returns).toHaveLength(1)
})

it('a profile flag before the command is respected', async () => {
  const home = freshHome()
  await runIn(home)`profiles add list --base-url ${platform.baseUrl}`
  const given = { ...home, RMA_TOKEN: platform.token }
  for (const flag of [typed`-p list`, ['--profile=list'], typed`--profile list`, ['-plist']]) {
    const argv = [...flag, 'returns', 'list', '-o', 'ndjson', '--limit', '1', '-q']
    const { code, stdout, stderr } = await runCli(argv, { env: given })
    expect([flag, code, stderr]).toEqual([flag, 0, ''])
    expect(JSON.parse(stdout)).toHaveProperty('id')
  }
  ended(await runIn(given)`-p lost returns list`, 3)
})

it('--dry-run before a command that writes sends nothing', async () => {
  const line = typed`-n -y tracking push R#-1 --status SHIPPING_IN_PROGRESS`
  const { stdout } = succeeded(await platform.run(line))
  expect(stdout).toMatch(/^POST .*shipping_trackings/)
})

it.each([
  ['-p live', 'There is no command'],
  ['--json', 'There is no command'],
  ['-q -- returns list', 'There is no command'],
  ['returns -p live', 'There is no command after returns'],
  ['--profle live returns list', /--profle.*--profile/s],
  ['returns --limt 5 list', /--limt.*Try: rma returns list --limit\n/s],
  ['returns list --limt 5', /--limt.*--limit/s],
  ['returns list -P live', /-P.*--profile/s],
  ['--limit 5 returns list', 'stand after it.\nTry: rma returns list --limit\n'],
  ['-Z returns list', '-Z'],
  ['-p returns list', '"list" is not a command'],
  ['retruns list --limit 5', /"retruns".*Try: rma returns list --limit 5\n/s],
  ['-n returns list', '-n'],
  ['returns list -limit 5', /-limit.*Try: --limit\n/s],
  ['retruns lst LU105189 -o csv', 'Try: rma returns list LU105189 -o csv\n'],
  ['returns ex LU105189', 'Try: rma returns explain LU105189\n'],
  ['returns find bianchi', 'Try: rma search bianchi\n'],
  ['labels buy LU105189', 'Try: rma labels\n'],
  ['-p live traking push LU105189 --status X', 'Try: rma tracking push LU105189 --status X -p live\n'],
  ['label create --for LU105189', 'Try: rma labels create --for LU105189\n'],
  ['label', 'Try: rma labels\n'],
  ['returns search TEXT', 'Try: rma search TEXT\n'],
  ['pudos list', 'Try: rma pudos search\n'],
  ['serch doctor', 'Try: rma search doctor\n'],
  ['retrun list', 'Try: rma returns list\n'],
  ['LU105189', 'Try: rma returns get LU105189\n'],
  ["Lucía D'Or", "Try: rma search 'Lucía' 'D'\\''Or'\n"],
  [
    'returns cancel LU105189',
    ': no operation of the platform cancels a return.\nTry: rma returns get LU105189\n',
  ],
  ['refund LU105189', ': no operation of the platform pays a refund.\nTry: rma returns refunds LU105189\n'],
  ['returns open LU105189', 'a command of rma.\nTry: rma returns get LU105189\n'],
  ['track LU105189', 'a command of rma.\nTry: rma returns get LU105189\n'],
  ['list returns', 'Try: rma returns list\n'],
  ['stuck --fail-if-any', 'Try: rma returns stuck --fail-if-any\n'],
  [
    'serch some very long words that a customer said',
    'Try: rma search some very long words that a customer said\n',
  ],
  ['tracking push a-very-long-name-of-a-return --statsu X', 'Try: --status\n'],
  ['labels create --carier-servce=A_LONG_CODE_OF_A_SERVICE', 'Try: --carrier-service\n'],
  ['returns get', /^Error: RETURN is missing\.\n {2}RETURN: R#-LU105189/],
  ['api', /^Error: METHOD and PATH are missing\.\n/],
  ['returns export', /^Error: --out is missing\n/],
  ['returns list --status', /^Error: --status needs a value\n/],
  ['returns explain LU1 --language fr', /^Error: --language goes with --reply only\n/],
  ['audit list --limit 0', 'Error: --limit: "0" is not a whole number from 1 on.\n'],
  ['labels print LU1 --copies=101', 'Error: --copies: "101" is not a whole number up to 100.\n'],
  ['labels create --for LU1 --weight 1.5', 'Error: --weight: "1.5" is not a whole number.\n'],
  ['returns list --all --page 1', /^Error: --page and --all do not go together\n/],
  ['tracking push LU105189', /\n {2}--status is missing\n/],
])('rma %s: exit 2, and no help that looks like success', async (line, said) => {
  const { stdout } = expectEnd(await platform.run(line.split(' ')), 2, [said])
  expect(stdout).toBe('')
})
