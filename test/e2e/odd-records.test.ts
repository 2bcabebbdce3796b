import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { at } from '../../src/lib/wire/raw.ts'
import { bentAt, placesOf } from '../helpers/bending-platform.ts'
import { newFolder } from '../helpers/files.ts'
import { fixture } from '../helpers/fixture.ts'
import { homeAt, runCli } from '../helpers/run-cli.ts'
import { scriptServer } from '../helpers/script-server.ts'
import '../../src/commands/mirror/sync.ts'
import '../../src/commands/returns/export.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/returns/reconcile.ts'
import '../../src/commands/returns/stats.ts'
import '../../src/commands/returns/stuck.ts'
import '../../src/commands/tracking/plan.ts'

const WHOLE = fixture('wire/return.full.json')
const NOW = Date.parse('2026-05-02T12:00:00Z')
const iso = (ms: number) => new Date(ms).toISOString().replace('T', ' ')

/** Fields of the answer; undefined ones are left out. */
const oddValues = (value: unknown) => [
  undefined,
  null,
  '',
  ...(typeof value === 'string' ? [7, 'constructor'] : ['odd']),
]

/** One record for each field and each odd value of that field, and one without any. */
function oddRecords() {
  const cases = placesOf(WHOLE)
    .slice(1)
    .flatMap((path) => oddValues(path.reduce(at, WHOLE)).map((value) => ({ path, value })))
  return [undefined, ...cases].map((odd, index) => {
    const date = iso(NOW - (index + 1) * 60_000)
    const name = `R#-${1000 + index}`
    const record = { ...WHOLE, id: `id-${index}`, name, createdAt: date, updatedAt: date }
    return odd ? (bentAt(record, odd.path, odd.value) as typeof record) : record
  })
}

/** Filters by name and dates, and pages, as the platform does. */
async function platformOf(records: readonly Record<string, unknown>[]) {
  const among = (record: object, field: string, query: URLSearchParams, prefix: string) => {
    const ms = Date.parse(String(at(record, field)).replace(' ', 'T'))
    const edge = (name: string) => (query.has(name) ? Date.parse(`${query.get(name)}Z`) : undefined)
    const [from, to] = [edge(`${prefix}_from`), edge(`${prefix}_to`)]
    return (from === undefined || ms >= from) && (to === undefined || ms <= to + 999)
  }
  return scriptServer(({ path, query }) => {
    if (path !== '/returns') return { body: { refunds: [], transportations: [] } }
    const name = query.get('name')
    const found = records.filter(
      (one) =>
        (name === null || one.name === name) &&
        among(one, 'createdAt', query, 'created') &&
        among(one, 'updatedAt', query, 'updated'),
    )
    const [limit, page] = [Number(query.get('limit') ?? 100), Number(query.get('page') ?? 1)]
    const pageInfo = { totalRecords: found.length, totalPages: Math.ceil(found.length / limit) }
    return { body: { returns: found.slice((page - 1) * limit, page * limit), pageInfo } }
  })
}

/** Command lines, and what the JSON of their results says of the records. OUT is a folder, FILE has updates. */
const LINES: readonly (readonly [line: string, result?: (count: number) => object])[] = [
  ['returns list --all'],
  ['returns list --all -o csv'],
  ['returns export --out OUT/returns.csv --json', (records) => ({ records, complete: true })],
  ['returns export --out OUT/returns.xlsx --json', (records) => ({ records, complete: true })],
  ['returns export --out OUT/returns.parquet --json', (records) => ({ records, complete: true })],
  ['mirror sync --yes --json', (held) => ({ held, added: held, refused: 0, isComplete: true })],
  ['mirror sync --yes --json', (held) => ({ held, added: 0, refused: 0, isComplete: true })],
  ['returns stuck --offline --json', () => ({ unread: 0 })],
  ['returns stats --offline --json'],
  ['returns reconcile --offline --json'],
  ['search --offline lucia@example.com --json'],
  ['tracking plan --file FILE --out OUT/plan --json'],
]

it('a list in which each record is odd in one field faults no reading command, and loses no record', {
  timeout: 120_000,
}, async () => {
  const records = oddRecords()
  const { baseUrl } = await platformOf(records)
  const out = newFolder()
  const file = join(out, 'updates.csv')
  const rows = records.map((_one, index) => `R#-${1000 + index},SHIPPING_IN_PROGRESS`)
  writeFileSync(file, ['shipmentId,trackingStatus', ...rows].join('\n'))
  const env = homeAt(baseUrl)
  for (const [line, result] of LINES) {
    const argv = line.replace('OUT', out).replace('FILE', file).split(' ')
    const { code, stdout, stderr } = await runCli(argv, { env, now: NOW, columns: 120 })
    expect([0, 9], `${line}: ${stderr}`).toContain(code)
    expect(`${line}: ${stdout}${stderr}`).not.toMatch(/fault of rma|\[object Object\]|\bNaN\b|\bundefined\b/)
    if (result) expect(JSON.parse(stdout), line).toMatchObject(result(records.length))
    if (/list|export/.test(line)) expect(stderr, line).toMatch(/returns? ha(s|ve) createdAt in another type/)
  }
})
