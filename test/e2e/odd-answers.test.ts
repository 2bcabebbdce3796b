import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Return } from '../../src/lib/wire/returns.ts'
import { type Bend, placesOf, useBendingPlatform } from '../helpers/bending-platform.ts'
import { ended, expectEnd, jsonOf, succeeded } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { TEST_NOW } from '../helpers/platform.ts'
import { runCli } from '../helpers/run-cli.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { isWhole } from '../helpers/whole.ts'
import '../../src/commands/labels/create.ts'
import '../../src/commands/labels/download.ts'
import '../../src/commands/labels/get.ts'
import '../../src/commands/labels/print.ts'
import '../../src/commands/labels/update.ts'
import '../../src/commands/methods/calculate.ts'
import '../../src/commands/mirror/sync.ts'
import '../../src/commands/pudos/search.ts'
import '../../src/commands/returns/explain.ts'
import '../../src/commands/returns/get.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/returns/refunds.ts'
import '../../src/commands/returns/transportations.ts'
import '../../src/commands/tracking/plan.ts'
import '../../src/commands/tracking/push.ts'

const bending = useBendingPlatform()

/** Fields of the answer; undefined ones are left out. */
const ODD_VALUES = [null, '', 7, 'constructor', true, [], [null], {}, undefined]

type Example = [
  /** Commands, with `; ` between them. NAME, ID, TRANSPORT are those of a return, FILE reports on it; OUT is new. */
  lines: string,
  /** Width of the terminal; undefined: a pipe. */
  columns?: number | undefined,
  /** Tried in each run, since it went wrong once. */
  bend?: Bend,
]

const METHODS =
  'methods calculate --for NAME --tier GOLD --delivered-at 2026-11-10 --fulfillment-center MAD-1'
const SYNC = 'mirror sync --yes --with transports,refunds'

/** Every command that reads, for people and for programs. */
const EXAMPLES: Example[] = [
  ['returns list --limit 3', 120],
  ['returns list --all -o csv --columns name,tracking-url,returnLineItems.sku,order,country,amount'],
  ['returns list -o yaml'],
  ['returns list --all --json'],
  ['returns list -o ndjson'],
  ['returns get NAME', 120],
  ['returns get ID --json'],
  ['returns get NAME ID -o csv'],
  ['returns transportations NAME', 120],
  ['returns transportations ID TRANSPORT'],
  ['returns refunds NAME', 120],
  ['returns explain NAME', 120],
  ['returns explain ID --json'],
  ['returns explain NAME --reply --language es'],
  ['returns explain NAME --html OUT/return.html'],
  [
    [
      SYNC,
      'returns stuck --offline',
      'returns reconcile --offline',
      'returns stats --offline --html OUT/stats.html',
      'search --offline NAME',
    ].join('; '),
    120,
    { operation: 'GET /returns/:id/refunds', path: ['refunds', 0, 'returnId'], value: {} },
  ],
  [
    `${SYNC}; ${SYNC}; returns stuck; returns stats; returns reconcile; search NAME`,
    undefined,
    { operation: 'GET /returns', path: ['returns', 0, 'id'], value: '' },
  ],
  [
    'tracking plan --file FILE --out OUT/plan',
    undefined,
    { operation: 'GET /returns', path: ['returns', 0, 'name'], value: null },
  ],
  ['returns export --out OUT/returns.csv'],
  ['returns export --out OUT/returns.xlsx'],
  ['returns export --out OUT/returns.parquet'],
  [METHODS, 120],
  [`${METHODS} --json`],
  [`${METHODS} --explain`, 120],
  ['pudos search NAME --limit 2', 120],
  ['pudos search NAME --limit 2 --open-at now --map OUT/map.html'],
  [
    'pudos search --lat 40.4 --lon -3.7 --limit 2 --paste',
    undefined,
    { operation: 'GET /returns', path: ['returns', 0], value: {} },
  ],
  ['pudos search NAME --limit 2 -o geojson'],
  ['labels get NAME', 120],
  ['labels get NAME --json'],
  ['labels download NAME --out OUT'],
  ['labels create --for NAME --out OUT'],
  ['labels create --status RECEPTION_IN_PROGRESS --dry-run'],
  ['labels print NAME --out OUT/labels.pdf'],
  ['labels update NAME --tracking-code A1 --dry-run'],
  ['tracking push NAME --status SHIPPING_IN_PROGRESS --dry-run'],
  ['api GET /returns -f limit=5 --paginate --jq .returns[].name'],
  ['doctor', 120, { operation: 'GET /returns', path: ['pageInfo', 'totalRecords'], value: {} }],
]

let words: Record<string, string> = {}

beforeAll(async () => {
  const { returns } = (await bending.platform.get('/returns')) as { returns: Return[] }
  // The one that says most.
  const [most = {} as Return] = returns
    .filter((record) => record.activeTransportation?.carrierReference)
    .sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)
  const { id, name, activeTransportation } = most
  const file = join(newFolder(), 'reports.csv')
  // More than there are pages: the states are read page by page.
  const rows = returns.map((one) => `${one.name},SHIPPING_IN_PROGRESS`)
  writeFileSync(file, ['shipmentId,trackingStatus', ...rows].join('\n'))
  words = { NAME: name, ID: String(id), TRANSPORT: String(activeTransportation?.id), FILE: file }
})

/** The last line that was run. */
async function run(lines: string, columns: number | undefined) {
  const [env, out] = [bending.env(), newFolder()]
  let all = { code: 0, stdout: '', stderr: '' }
  for (const line of lines.split('; ')) {
    const argv = line.replace(/NAME|ID|TRANSPORT|FILE|OUT/g, (word) => words[word] ?? out).split(' ')
    const result = await runCli(argv, {
      env,
      now: TEST_NOW,
      ...(columns ? { columns } : {}),
    })
    all = {
      code: all.code === 1 ? 1 : result.code,
      stdout: all.stdout + result.stdout,
      stderr: all.stderr + result.stderr,
    }
  }
  return all
}

/** Text that must not be shown to anybody. */
const GIBBERISH =
  /fault of rma|is not an id|\[object Object\]|\bNaN\b|\bundefined\b|Invalid Date|\n\s+at .*:\d+/

test.each(EXAMPLES)(
  'commands survive an answer with one value of another kind: %s',
  { timeout: isWhole ? 600_000 : 30_000 },
  async (lines, columns, known) => {
    bending.bend(undefined)
    bending.takeAnswered()
    const straight = await run(lines, columns)
    expect([straight.code, straight.stderr]).toEqual([
      expect.any(Number),
      expect.not.stringMatching(GIBBERISH),
    ])
    expect([0, 2, 5, 6, 9]).toContain(straight.code)
    const bends = [...bending.takeAnswered()].flatMap(([operation, document]) =>
      placesOf(document).flatMap((path) => ODD_VALUES.map((value) => ({ operation, path, value }))),
    )
    const ofLists = bends.filter(({ path, value }) => typeof path.at(-1) === 'number' || Array.isArray(value))
    const some = (all: readonly Bend[], count: number) => fc.sample(fc.constantFrom(...all), count)
    const tried = isWhole ? bends : [...(known ? [known] : []), ...some(ofLists, 1), ...some(bends, 1)]
    for (const bend of tried) {
      bending.bend(bend)
      const { code, stdout, stderr } = await run(lines, columns)
      const isBad = code === 1 || GIBBERISH.test(stdout + stderr)
      expect(isBad ? { bend, code, said: GIBBERISH.exec(stdout + stderr)?.[0], stderr } : {}).toEqual({})
    }
  },
)

describe('items of a list that are not objects', () => {
  const LEFT_OUT = '3 items in returns are not objects: only JSON shows them'
  const ODD_ITEMS = [null, 'x', []]

  /** A platform whose list has such items beside its two returns; it counts them all, or the returns alone. */
  async function oddPlatform(totalRecords: number) {
    const { returns } = (await bending.platform.get('/returns?limit=2')) as { returns: Return[] }
    const pageInfo = { totalRecords, totalPages: 1 }
    const server = await scriptServer(({ path, query }) => {
      if (path !== '/returns') return { body: { refunds: ODD_ITEMS, transportations: ODD_ITEMS } }
      const [from, to] = ['created_from', 'created_to'].map((name) => query.get(name)?.replace('T', ' '))
      const among = (one: Return) =>
        (!from || `${one.createdAt}` >= from) && (!to || `${one.createdAt}` <= `${to}Z`)
      const found = returns.filter(among)
      const odd = found.length === returns.length ? ODD_ITEMS : []
      const total = found.length === returns.length ? totalRecords : found.length
      return { body: { returns: [...odd, ...found], pageInfo: { ...pageInfo, totalRecords: total } } }
    })
    const env = { ...bending.env(), RMA_BASE_URL: server.baseUrl }
    return (...argv: string[]) => runCli(argv, { env, now: TEST_NOW })
  }

  test('items that are not objects are kept in JSON, and left out of tables and CSV', async () => {
    const rma = await oddPlatform(5)
    const [json, ndjson] = [
      await rma('returns', 'list', '--json'),
      await rma('returns', 'list', '-o', 'ndjson'),
    ]
    expect(jsonOf(json).returns.slice(0, 3)).toEqual(ODD_ITEMS)
    expect(ndjson.stdout.split('\n').slice(0, 3)).toEqual(ODD_ITEMS.map((item) => JSON.stringify(item)))
    const csv = await rma('returns', 'list', '-o', 'csv', '--no-headers', '--columns', 'name')
    const table = await rma('returns', 'list', '--no-headers', '--columns', 'name')
    for (const { code, stdout, stderr } of [csv, table]) {
      expect([code, stdout.trim().split('\n').length]).toEqual([0, 2])
      expect(stderr).toBe(`Warning: ${LEFT_OUT}\n`)
    }
    ended(await rma('returns', 'list', '--strict', '-o', 'csv'), 8)
    for (const what of ['refunds', 'transportations']) {
      const { stdout } = expectEnd(await rma('returns', what, '1'), 0, [`3 items in ${what} are not objects`])
      expect(stdout).toBe('')
    }
  })

  test.each([
    [2, true, 0],
    [5, false, 9],
  ])(
    'items that are not objects are not exported; complete if the platform counts %i: %j',
    async (total, complete, code) => {
      const rma = await oddPlatform(total)
      const file = join(newFolder(), 'returns.csv')
      const done = await rma('returns', 'export', '--out', file, '--json')
      expect(jsonOf(done)).toMatchObject({ records: 2, complete, totalRecords: total })
      expectEnd(done, code, ['are not objects: only JSON shows them'])
    },
  )

  test.each([
    [2, true],
    [5, false],
  ])('are not in the mirror, which is complete if the platform counts %i: %j', async (total, complete) => {
    const rma = await oddPlatform(total)
    const { stdout, stderr } = succeeded(await rma('mirror', 'sync', '--yes', '--json'))
    expect(JSON.parse(stdout)).toMatchObject({ held: 2, isComplete: complete })
    expect(stderr).toEqual(expect.stringContaining('are not objects: only JSON shows them'))
  })
})
