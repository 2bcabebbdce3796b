import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import Ajv from 'ajv/dist/2020.js'
import { beforeEach, expect, it } from 'vitest'
import {
  asTyped,
  ended,
  expectEnd,
  type Home,
  itemsOf,
  jsonOf,
  succeeded,
  typed,
} from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { labelRequest, SHOP } from '../helpers/label-requests.ts'
import { labelService, labelRequest as request } from '../helpers/label-service.ts'
import { signalAfterPosts } from '../helpers/open-purchases.ts'
import { usePlatform } from '../helpers/platform.ts'
import { runCli, runIn } from '../helpers/run-cli.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { BIN, RUNNER, spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/api.ts'
import '../../src/commands/audit/list.ts'
import '../../src/commands/audit/verify.ts'
import '../../src/commands/jobs/retry.ts'
import '../../src/commands/labels/update.ts'

/* The record of writes over real sockets, by the built program where processes meet or end. */

const platform = usePlatform()

let env: Home
beforeEach(() => {
  env = spawnEnv({ ...platform.env(), RMA_SHOP: SHOP })
})

const run = asTyped((argv, stdin: string | undefined) =>
  runCli(argv, { env, ...(stdin === undefined ? {} : { stdin }) }),
)
const list = asTyped(async (flags) => itemsOf(await run`audit list --json ${flags}`))
const verify = () => run`audit verify --json`
const auditDir = () => join(env.RMA_DATA_DIR, 'audit')
const filesIn = (end: string) => readdirSync(auditDir()).filter((name) => name.endsWith(end))
const logFile = () => join(auditDir(), filesIn('.ndjson')[0] ?? '')
const audited = () =>
  readdirSync(auditDir())
    .map((name) => textFile(join(auditDir(), name)))
    .join('')

/** Name of a return of the shop that is on its way. */
async function underWay(at: number) {
  const fits = (await platform.returns()).filter(
    (one) => one.shopCode === SHOP && one.status === 'PENDING' && one.activeTransportation,
  )
  return fits[at]?.name ?? ''
}

/** Words that only request bodies, query strings and tokens hold. */
const CANARY = 'canary.jane@private.example'

it('every write is recorded with outcome and exit code, and without personal data', async () => {
  const [one, other] = [await underWay(0), await underWay(1)]
  const status = typed`--status SHIPPING_IN_PROGRESS --description ${CANARY}`
  const pushed = await run`tracking push ${one} ${status}`
  const request = JSON.stringify(labelRequest({ clientShipmentId: 'SHP-AUDIT' }))
  const label = await run(typed`labels create --from - --out ${env.HOME}`, request)
  const updated = await run`labels update ${other} --tracking-code NEW-CODE -y`
  const called = await run`api POST /shipping_trackings?email=${CANARY} -f shipmentId=${one}`
  const codes = valuesOf([pushed, label, updated, called], 'code')
  expect(codes, pushed.stderr + label.stderr + updated.stderr).toEqual([0, 0, 0, 6])
  for (const address of [CANARY, encodeURIComponent(CANARY)])
    await run`api DELETE /customers/${address} -f shipmentId=${CANARY}`
  const [, gone, ...rows] = await list``
  expect([gone?.operation, gone?.shipmentId]).toEqual(['DELETE /customers/***', '***'])
  expect(rows.map((row) => [row.command, row.operation, row.outcome, row.exitCode])).toEqual([
    ['api', 'POST /shipping_trackings', 'rejected', 6],
    ['labels update', 'PUT /shipping_labels', 'succeeded', 0],
    ['labels create', 'POST /shipping_labels', 'succeeded', 0],
    ['tracking push', 'POST /shipping_trackings', 'succeeded', 0],
  ])
  expect(rows.every(({ bodySha256 }) => /^[0-9a-f]{64}$/.test(bodySha256 ?? ''))).toBe(true)
  expect(rows[0]?.bodySha256).toBe(
    createHash('sha256')
      .update(JSON.stringify({ shipmentId: one }))
      .digest('hex'),
  )
  expect(valuesOf(rows, 'shipmentId')).toEqual([one, expect.stringContaining(other), 'SHP-AUDIT', one])
  expect(valuesOf(await list`--shipment ${one.slice(3).toLowerCase()} --limit 1`, 'command')).toEqual(['api'])
  expectEnd(await verify(), 0, '')
  const schema = jsonOf(await run`schema audit list`)
  expect(new Ajv({ allowUnionTypes: true }).validate(schema, rows)).toBe(true)
  for (const hidden of [
    CANARY,
    encodeURIComponent(CANARY),
    env.RMA_TOKEN ?? '',
    'NEW-CODE',
    labelRequest().origin.fullName,
  ])
    expect(audited()).not.toContain(hidden)
  expect(readdirSync(auditDir()).map((name) => statSync(join(auditDir(), name)).mode & 0o777)).toEqual([
    0o600, 0o600,
  ])
})

it('a write of an assistant is recorded with the assistant’s name', async () => {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async () => ({
    action: 'accept',
    content: { confirm: true },
  }))
  const root = join(env.HOME, 'root')
  mkdirSync(root)
  const args = [BIN, 'mcp', '--allow-write', '--root', root]
  await client.connect(new StdioClientTransport({ command: RUNNER, args, env, stderr: 'ignore' }))
  const given = { return: await underWay(0), status: 'SHIPPING_IN_PROGRESS' }
  const answer = await client.callTool({ name: 'report_tracking', arguments: given })
  await client.close()
  expect(answer.isError, JSON.stringify(answer)).toBeFalsy()
  expect(await list``).toMatchObject([
    { command: 'tracking push', agent: 'mcp', outcome: 'succeeded', exitCode: 0, shipmentId: given.return },
  ])
})

it('reads, dry runs and writes to the built-in sandbox are not recorded', async () => {
  const name = await underWay(0)
  const push = typed`tracking push ${name} --status SHIPPING_IN_PROGRESS`
  const { RMA_BASE_URL: _, RMA_TOKEN: __, ...mock } = env
  succeeded(await runIn(mock)`sandbox reset --returns 5 -y`)
  const codes = valuesOf(
    [
      await run`returns list --limit 1`,
      await run`pudos search --lat 41.39 --lon 2.17`,
      await run`${push} --dry-run`,
      await runIn(mock)`api POST /shipping_trackings -f shipmentId=X`,
    ],
    'code',
  )
  expect(codes).toEqual([0, 0, 0, 6])
  expect(await list``).toEqual([])
  expect(readdirSync(env.RMA_DATA_DIR)).not.toContain('audit')
})

it('a write is recorded as unknown if the answer leaves it open', async () => {
  await platform.sandbox.faults.add({ route: 'POST /shipping_labels', kind: '500-after-commit', count: 1 })
  const made = await run`conformance --write --only labels.create --retries 0 -o ndjson`
  expect(made.stdout).toContain('500')
  const [row] = await list`--limit 1`
  expect(row).toMatchObject({ operation: 'POST /shipping_labels', outcome: 'unknown' })
})

it('a killed write is recorded as begun', async () => {
  const server = await scriptServer(() => ({ fault: 'hang' }))
  env = { ...env, RMA_BASE_URL: server.baseUrl }
  const { signal } = await spawnCli(typed`api POST /shipping_trackings -f shipmentId=SHP-9`, {
    env,
    onStart: async (child) => {
      await expect.poll(() => server.requests.length).toBe(1)
      child.kill('SIGKILL')
    },
  })
  expect(signal).toBe('SIGKILL')
  expect(await list``).toMatchObject([{ shipmentId: 'SHP-9', outcome: 'unknown', exitCode: null }])
  succeeded(await verify())
})

it('every write of an interrupted command is recorded with its own outcome and the exit code 130', async () => {
  const service = await labelService({ makingMs: 800 })
  env = { ...env, RMA_BASE_URL: service.baseUrl }
  ended(
    await spawnCli(typed`labels create --from - --out ${join(env.HOME, 'labels')}`, {
      env,
      stdin: JSON.stringify(request('SHP-1')),
      onStart: signalAfterPosts(service, 1, 'SIGTERM'),
    }),
    130,
  )
  expect(await list``).toMatchObject([{ shipmentId: 'SHP-1', outcome: 'succeeded', exitCode: 130 }])
  succeeded(await verify())
})

it('writes of one moment are listed latest first', async () => {
  const ids = ['S-1', 'S-2', 'S-3']
  const stdin = ids.map((clientShipmentId) => JSON.stringify(labelRequest({ clientShipmentId }))).join('\n')
  const now = Date.now()
  succeeded(await runCli(typed`labels create --from - --out ${newFolder()} --yes`, { env, stdin, now }))
  const sent = textFile(logFile()).match(/(?<="shipmentId":")S-\d/g)
  expect(sent).toHaveLength(3)
  expect(valuesOf(await list``, 'shipmentId')).toEqual(sent?.reverse())
})

it('two processes can record writes at once', async () => {
  const server = await scriptServer(() => ({ delayMs: 200, body: {} }))
  env = { ...env, RMA_BASE_URL: server.baseUrl }
  const ids = ['A', 'B']
  await Promise.all(
    ids.map((id) => spawnCli(typed`api POST /shipping_trackings -f shipmentId=${id}`, { env })),
  )
  expect((await list``).map(({ shipmentId, exitCode }) => [shipmentId, exitCode]).sort()).toEqual(
    ids.map((id) => [id, 0]),
  )
  expect(jsonOf(await verify())).toMatchObject({ files: 1, lines: 6, chains: 2, broken: [] })
})

it.runIf(process.getuid?.() === 0)(
  'a write that can’t be recorded is not sent: exit 3 names RMA_DATA_DIR',
  async () => {
    const server = await scriptServer([])
    mkdirSync(env.RMA_DATA_DIR, { mode: 0o755 })
    chmodSync(env.HOME, 0o755)
    expectEnd(
      await spawnCli(typed`api POST /shipping_trackings -f shipmentId=X`, {
        env: { ...env, RMA_BASE_URL: server.baseUrl },
        uid: 12_345,
      }),
      3,
      /^Error: Not sent. Data can't be kept in .*audit \(EACCES\)\.\nTry: .*RMA_DATA_DIR=DIR\n$/,
    )
    expect(server.requests).toEqual([])
  },
)

const file = async () => {
  const path = join(env.HOME, 'rows.csv')
  const rows = [await underWay(0), await underWay(1), 'R#-NOWHERE']
  writeFileSync(
    path,
    `shipmentId,trackingStatus,trackingStatusDescription\n${rows.map((name) => `${name},SHIPPING_IN_PROGRESS,${CANARY}\n`).join('')}`,
  )
  return path
}

it('rows of a job are recorded by the digest of its journal, which is kept longer', async () => {
  ended(await run`tracking push --file ${await file()}`, 9)
  const [row, ...others] = await list``
  expect(others).toEqual([])
  const jobId = row?.jobId ?? ''
  const journal = join(env.RMA_DATA_DIR, 'jobs', jobId, 'journal')
  expect(row).toMatchObject({
    command: 'tracking push',
    outcome: 'partial',
    exitCode: 9,
    rows: { succeeded: 2, failed: 1, unknown: 0, remaining: 0 },
    journalSha256: createHash('sha256').update(readFileSync(journal)).digest('hex'),
  })
  expect(audited()).not.toContain(CANARY)
  // A run that goes on makes the journal longer, and has a digest of its own.
  ended(await run`jobs retry ${jobId}`, 9)
  expect(
    (await list``).map(({ command, journalSha256 }) => [command, journalSha256 !== row?.journalSha256]),
  ).toEqual([
    ['jobs retry', true],
    ['tracking push', false],
  ])
  succeeded(await verify())
  const bytes = readFileSync(journal)
  bytes[bytes.length >> 1] = 0
  writeFileSync(journal, bytes)
  const spoilt = await verify()
  expect([spoilt.code, jsonOf(spoilt).broken[0].message]).toEqual([9, expect.stringContaining(jobId)])
  succeeded(await run`jobs prune --older-than 0s --force`)
  succeeded(await verify())
  expect((await list``).at(-1)?.journalSha256).toBe(row?.journalSha256)
})

it('audit list refuses an empty --shipment', async () => {
  expectEnd(await run`audit list --shipment=`, 2, ['--shipment is empty'])
})

it.each([
  [
    'a changed byte',
    (lines: string[]) => lines.with(1, (lines[1] ?? '').replace('succeeded', 'succeedeD')),
    2,
  ],
  ['a removed line', (lines: string[]) => lines.toSpliced(1, 1), 2],
  ['a removed last line', (lines: string[]) => lines.slice(0, -1), 2],
  ['a removed file', () => undefined, null],
])('audit verify finds %s: exit 9 names file and line', async (_, tamper, line) => {
  const server = await scriptServer(() => ({ body: {} }))
  env = { ...env, RMA_BASE_URL: server.baseUrl }
  await run`api POST /shipping_trackings -f shipmentId=A`
  succeeded(await verify())
  const file = logFile()
  const lines = tamper(textFile(file).trimEnd().split('\n'))
  if (lines === undefined) rmSync(file)
  else writeFileSync(file, `${lines.join('\n')}\n`)
  const { code, stdout, stderr } = await verify()
  const [broken] = JSON.parse(stdout).broken
  expect([code, broken.file, broken.line]).toEqual([9, file.slice(auditDir().length + 1), line])
  expect(JSON.parse(stderr).error).toMatchObject({
    kind: 'partial',
    message: expect.stringContaining(broken.file),
  })
})
