import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, expectEnd, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { freshHome, homeAt, type RunOptions, runCli } from '../../helpers/run-cli.ts'
import { pageOf, refusal, type ScriptServer, scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/returns/list.ts'
import { fixture } from '../../helpers/fixture.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

/** A whole record, as in the specification's tables. */
const RECORD = fixture('wire/return.full.json')
const page = (...returns: object[]) => pageOf(returns)
const without = (record: object, key: string) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key))

function list(server: ScriptServer, flags: string[] = [], options: RunOptions = {}) {
  const env = homeAt(server.baseUrl, { RMA_TOKEN: 'secret-token', ...options.env })
  return runCli(typed`returns list ${flags}`, { ...options, env: { RMA_RETRIES: '1', ...env } })
}

it('a platform that ignores --shop is told of, and --strict shows nothing', async () => {
  const body = page({ ...RECORD, shopCode: 'HATS' }, { ...RECORD, id: '2', shopCode: 'SHOES' })
  const server = await scriptServer(() => ({ body }))
  const flags = typed`--shop SHOES --json`
  expectEnd(await list(server, flags), 0, ['1 return was not asked for: shopCode HATS'])
  expectEnd(await list(server, [...flags, '--strict']), 8, ['1 return was not asked for'])
})

it('errors beside the returns of a 200 are told, and fail with --strict', async () => {
  const errors = [{ code: 'SC09', message: 'shop HATS could not be read' }]
  const server = await scriptServer(() => ({ body: { ...page(RECORD), errors } }))
  const told = 'The answer has errors beside the result: SC09 shop HATS could not be read'
  for (const flags of [[], ['-o', 'csv']]) expectEnd(await list(server, flags), 0, [`Warning: ${told}`])
  expectEnd(await list(server, ['--strict']), 8, [told])
})

it('400 with errors is exit 6, with one line each and the request id', async () => {
  const server = await scriptServer([
    {
      status: 400,
      headers: { 'x-request-id': 'req-7' },
      body: {
        errors: [
          { code: 'VA01', message: 'created_from: not a date' },
          { code: 'SC02', message: 'shop ACME' },
        ],
      },
    },
  ])
  const { stdout } = expectEnd(await list(server), 6, [
    /^Error: .*\n.*VA01.*created_from: not a date\n.*SC02.*shop ACME/,
    'req-7',
  ])
  expect(stdout).toBe('')
})

it.each([
  ['401 with an empty body', { status: 401 }, 4, /Try: the token comes from RMA_TOKEN/],
  ['404', refusal('NF01', 'no such path', 404), 5, /NF01/],
  ['another shape', { body: { returns: { a: 1 } } }, 8, /returns/],
])('a failure ends with its exit code and advice: %s', async (_name, answer, exitCode, message) => {
  const server = await scriptServer([answer])
  const { code, stdout, stderr } = await list(server)
  expect(stderr).toMatch(message)
  expect(code).toBe(exitCode)
  expect(stdout).toBe('')
})

it('a read that failed is tried again with a message, then exit 7', async () => {
  const server = await scriptServer([{ fault: 'reset' }, { fault: 'reset' }])
  expect(expectEnd(await list(server), 7, ['Error: ', 'trying again in']).stdout).toBe('')
})

it('no token over plain HTTP beyond this machine', async () => {
  const env = homeAt('http://returns.example/integration/v1')
  expectEnd(await runCli(typed`returns list`, { env }), 3, /http:\/\/|https/)
})

it('a redirect takes no token along', async () => {
  const target = await scriptServer(() => ({ body: page() }))
  const server = await scriptServer([{ status: 307, headers: { location: `${target.baseUrl}/returns` } }])
  ended(await list(server), 8)
  expect(target.requests).toEqual([])
})

it('an unknown status is shown as sent, with one warning', async () => {
  const server = await scriptServer([
    { body: page({ ...RECORD, status: 'ON_HOLD' }, { ...RECORD, id: 'x2', status: 'ON_HOLD' }) },
  ])
  const { stdout, stderr } = expectEnd(
    await list(server),
    0,
    /Warning: 2 returns have values of status .*ON_HOLD/,
  )
  expect(stdout).toContain('ON_HOLD')
  expect(stderr.match(/Warning/g)).toHaveLength(1)
})

it('a missing required field: shown, warned about with a count; --strict makes it exit 8', async () => {
  const records = [
    without(RECORD, 'customer'),
    { ...without(RECORD, 'customer'), id: 'x2' },
    { ...RECORD, id: 'x3' },
  ]
  const server = await scriptServer(() => ({ body: page(...records) }))
  const lenient = succeeded(await list(server, typed`-o ndjson`))
  expect(lenient.stdout.trimEnd().split('\n')).toHaveLength(3)
  expect(lenient.stderr).toMatch('Warning: 2 returns lack customer\n')
  const strict = ended(await list(server, typed`-o ndjson --strict`), 8)
  expect(strict.stderr).toMatch('lack customer')
  const table = succeeded(await list(server, []))
  expect(table.stdout.trimEnd().split('\n')).toHaveLength(4)
})

it('numbers as text, and numbers too large for a double, are printed as sent', async () => {
  const items = [{ quantity: 1 }]
  const sent = page({ ...RECORD, totalRefund: '12.50', orderNumber: 0, returnLineItems: items })
  const text = JSON.stringify(sent)
    .replace('"orderNumber":0', '"orderNumber":12345678901234567890.10')
    .replace('"quantity":1', '"quantity":1e400')
  const server = await scriptServer(() => ({ headers: { 'content-type': 'application/json' }, body: text }))
  const { stdout } = succeeded(await list(server, typed`-o ndjson`))
  expect(stdout).toContain('"quantity":1e400')
  expect(stdout).toContain('"totalRefund":"12.50"')
  expect(stdout).toContain('"orderNumber":12345678901234567890.10')
  expect(succeeded(await list(server, [])).stdout).toContain('12.50')
})

it('escape sequences of the service are made visible in every human format', async () => {
  const evil = 'Eve\u001b[2J\u001b]0;owned\u0007\u202e\r\nroot'
  const record = { ...RECORD, customer: { ...RECORD.customer, fullName: evil } }
  const server = await scriptServer(() => ({ body: page(record) }))
  for (const flags of [[], typed`-o yaml`, typed`-o json`, ['-v']]) {
    const { stdout, stderr } = await list(server, flags, { columns: 200 })
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
  }
  const csv = await list(server, typed`-o csv --columns customer`, { columns: 200 })
  expect(csv.stdout).not.toContain('\u001b')
  const errors = await scriptServer(() => refusal('XX01', evil))
  expect((await list(errors)).stderr).not.toContain('\u001b')
})

const records = (from: number, count: number) =>
  times(count, (index) => ({
    ...RECORD,
    id: `id-${from + index}`,
    name: `R#-${from + index}`,
  }))

it('duplicates on pages that shift are dropped, with a warning', async () => {
  const info = (total: number) => ({ totalRecords: total, totalPages: 2 })
  const server = await scriptServer([
    { body: { returns: records(0, 500), pageInfo: info(700) } },
    { body: { returns: records(497, 203), pageInfo: info(703) } },
  ])
  const { stdout, stderr } = succeeded(await list(server, typed`--all -o ndjson`))
  const ids = valuesOf(ndjson(stdout), 'id')
  expect(ids).toHaveLength(700)
  expect(new Set(ids).size).toBe(700)
  expect(stderr).toMatch(/Warning: .*changed while they were read: .*703.*3 came twice/)
})

it('a failure in the middle ends with its exit code, after the pages before it', async () => {
  const server = await scriptServer([
    { body: pageOf(records(0, 500), 900) },
    { status: 500 },
    { status: 500 },
  ])
  const { stdout } = ended(await list(server, typed`--all -o ndjson`), 7)
  expect(stdout.trimEnd().split('\n')).toHaveLength(500)
})

it('--verbose shows requests and answers, private data masked', async () => {
  const server = await scriptServer([{ body: page(RECORD) }])
  const { stderr } = await list(server, typed`-v --name R#-77`)
  expect(stderr).toMatch(/> GET .*\/returns\?name=R%23-77/)
  expect(stderr).toMatch('< 200')
  for (const secret of ['secret-token', RECORD.customer.email]) expect(stderr).not.toContain(secret)
})

it('--trace writes the same as HAR', async () => {
  const home = freshHome()
  const file = join(home.HOME, 'trace.har')
  const server = await scriptServer([{ status: 503 }, { body: page(RECORD) }])
  succeeded(await list(server, typed`--trace ${file}`, { env: home }))
  const text = readFileSync(file, 'utf8')
  const { log } = JSON.parse(text)
  expect(log.version).toBe('1.2')
  expect(log.entries.map((entry: { response: { status: number } }) => entry.response.status)).toEqual([
    503, 200,
  ])
  for (const secret of ['secret-token', RECORD.customer.email, RECORD.accountHolderName])
    expect(text).not.toContain(secret)
})

it('--quiet leaves out warnings and notes, not errors', async () => {
  const server = await scriptServer([{ status: 503 }, { body: page({ ...RECORD, status: 'ON_HOLD' }) }])
  expect((await list(server, ['-q'])).stderr).toBe('')
  const failing = await scriptServer([{ status: 400 }])
  expect((await list(failing, ['-q'])).stderr).toMatch(/^Error: /)
})
