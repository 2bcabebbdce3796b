import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv from 'ajv/dist/2020.js'
import { beforeAll, expect, it } from 'vitest'
import { asTyped, expectEnd, itemsOf, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { TEST_NOW } from '../helpers/platform.ts'
import { freshHome, runCli } from '../helpers/run-cli.ts'
import { valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/schema.ts'

const ajv = new Ajv({ allowUnionTypes: true })

const known = new Map<string, ReturnType<typeof makeValidator>>()

/** The schema as it is published, but that it takes no key which it does not name. */
function validatorOf(command: string) {
  const validator = known.get(command) ?? makeValidator(command)
  known.set(command, validator)
  return validator
}

const schemas = new Map<string, ReturnType<typeof runCli>>()

/** `rma schema`, run once for each command. */
function schemaOf(command: string) {
  const shown = schemas.get(command) ?? runCli(typed`schema ${command.split(' ')}`)
  schemas.set(command, shown)
  return shown
}

async function makeValidator(command: string) {
  const { stdout } = succeeded(await schemaOf(command))
  // Apart from these keywords the published schema accepts everything that the closed one does.
  expect(stdout).not.toMatch(/"(?:oneOf|not|if)":/)
  const closed = JSON.parse(stdout, (_key, value) =>
    value?.properties && value.additionalProperties === undefined
      ? { ...value, additionalProperties: false }
      : value,
  )
  return ajv.compile(closed)
}

async function expectValid(command: string, result: unknown) {
  const isValid = await validatorOf(command)
  expect(isValid(result), JSON.stringify(isValid.errors)).toBe(true)
  expect(isValid(Array.isArray(result) ? [...result, 1] : 1)).toBe(false)
}

it('every command has a schema, except those whose result has no fixed shape', async () => {
  const commands: { command: string }[] = jsonOf(await runCli(typed`commands --json`)).commands
  const without: string[] = []
  for (const { command } of commands) {
    const { code } = await schemaOf(command)
    if (code === 5) without.push(command)
    else expect([command, code]).toEqual([command, 0])
  }
  expect(without).toEqual(['api', 'desk', 'mcp', 'schema'])
})

it('a command that does not exist: the nearest is named', async () => {
  expectEnd(await runCli(typed`schema returns lst`), 2, ['Try: rma schema returns list\n'])
})

const env = { ...freshHome(), RMA_TIME_ZONE: 'UTC', RMA_SHOP: 'LUMBRE-ES' }
const dir = newFolder()
const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text)
  return join(dir, name)
}
const run = asTyped((argv) => runCli(typed`${argv} -q --json`, { env, now: TEST_NOW }))
const names: { open: string[]; labelled: string } = { open: [], labelled: '' }

beforeAll(async () => {
  await run`sandbox reset --returns 300`
  const listed = jsonOf(await run`returns list --status PENDING`).returns
  names.open = valuesOf(listed, 'name')
  await run`mirror sync --yes`
})

const open = (at = 0) => names.open[at] ?? ''
const rows = asTyped((lines) => ['shipmentId,trackingStatus', ...lines].join('\n'))

const CASES: [command: string, argv: () => string[] | Promise<string[]>][] = [
  ['returns list', () => typed`--limit 20`],
  ['returns get', () => [open()]],
  ['returns get', () => [open(), open(1)]],
  ['returns refunds', () => [open()]],
  ['returns transportations', () => [open()]],
  ['returns explain', () => [open()]],
  ['returns explain', () => [open(), '--reply']],
  ['returns stuck', () => []],
  ['returns reconcile', () => []],
  ['returns stats', () => []],
  ['returns export', () => typed`--out ${join(dir, 'all.csv')}`],
  ['search', () => [open()]],
  ['methods calculate', () => typed`--for ${open()} --tier gold`],
  ['pudos search', () => typed`--city Madrid --country ES --carrier-service SBX_STANDARD`],
  ['pudos search', () => typed`--city Madrid --country ES --carrier-service SBX_STANDARD --paste`],
  ['labels create', () => typed`--for ${open()} --out ${join(dir, 'labels')}`],
  ['labels get', () => [open()]],
  ['labels download', () => [open(), '--out', join(dir, 'again')]],
  ['labels verify', () => [join(dir, 'labels')]],
  ['labels print', () => [open(), '--sheet', 'a4', '--out', join(dir, 'sheet.pdf')]],
  ['labels update', () => [open(), '--tracking-code', 'ABC123']],
  [
    'tracking plan',
    () => ['--file', file('plan.csv', rows`${open(1)},SHIPPING_IN_PROGRESS`), '--out', join(dir, 'p')],
  ],
  ['printers add', () => typed`zebra 127.0.0.1 --dpi 203`],
  ['printers list', () => []],
  ['printers test', () => typed`zebra --dry-run`],
  ['labels print', () => [open(), '--printer', 'zebra', '--dry-run']],
  ['printers remove', () => ['zebra']],
  ['alias set', () => ['late', 'returns stuck --offline']],
  ['alias list', () => []],
  ['alias remove', () => ['late']],
  ['completion', () => ['bash']],
  ['completion', () => typed`bash --install`],
  ['doctor', () => []],
  ['samples', () => [join(dir, 'samples')]],
  ['tracking push', () => [open(2), '--status', 'SHIPPING_IN_PROGRESS']],
  [
    'tracking push',
    () => ['--file', file('push.csv', rows`${open(1)},SHIPPING_IN_PROGRESS R#-NONE,SHIPPING_COMPLETED`)],
  ],
  ['jobs list', () => []],
  ['jobs show', () => ['--last']],
  ['jobs retry', () => ['--last']],
  ['jobs merge', async () => valuesOf(itemsOf(await run`jobs list`), 'jobId')],
  ['jobs prune', () => typed`--older-than 1s --force`],
  [
    'mappings init',
    () => [file('dpd.csv', 'Reference,Status,Date\nR#-1,Delivered,2026-11-18 09:30\n'), '--name', 'dpd'],
  ],
  ['mappings list', () => []],
  ['mappings show', () => ['dpd']],
  ['mappings check', () => ['dpd', join(dir, 'dpd.csv')]],
  ['mirror status', () => []],
  ['mirror sync', () => []],
  ['mirror forget', () => typed`--email nobody@example.com --yes`],
  ['profiles add', () => typed`staging --base-url https://returns.example/v1 --label-hosts 10.0.0.5`],
  ['profiles list', () => []],
  ['profiles show', () => ['staging']],
  ['auth logout', () => typed`-p staging`],
  ['profiles remove', () => typed`staging --yes`],
  ['auth status', () => []],
  ['audit list', () => []],
  ['audit verify', () => []],
  ['conformance', () => typed`--only filter`],
  ['sandbox advance', () => ['1d']],
  ['sandbox token', () => []],
  [
    'sandbox play',
    () => [
      file(
        'play.json',
        JSON.stringify({ steps: [{ do: 'create', as: 'one', orderName: 'one', shop: 'LUMBRE-ES' }] }),
      ),
    ],
  ],
  ['sandbox reset', () => typed`--returns 5 --yes`],
  ['commands', () => []],
]

it.each(CASES)('the JSON Schema of a result holds for what is printed: rma %s', async (command, argv) => {
  const { code, stdout, stderr } = await run`${command.split(' ')} ${await argv()}`
  if (code !== 9) expect([code, stderr]).toEqual([0, ''])
  await expectValid(command, JSON.parse(stdout))
})
