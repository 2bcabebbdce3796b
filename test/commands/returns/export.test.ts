import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { describe, expect, it } from 'vitest'
import { openRows } from '../../../src/lib/bulk/rows/open.ts'
import { sourceText } from '../../../src/lib/bulk/rows/row.ts'
import { asTyped, expectEnd, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { expectPrivate, newFolder } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { homeAt, runCli } from '../../helpers/run-cli.ts'
import { pageOf, type RecordedRequest, scriptServer } from '../../helpers/script-server.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/returns/export.ts'
import '../../../src/commands/returns/list.ts'

const platform = usePlatform({ returns: 730 })
const { run: rma } = platform
const folder = newFolder()
let files = 0

function nextFile(extension: string) {
  files += 1
  return join(folder, `${files}.${extension}`)
}

const read = (file: string) => readFileSync(file, 'utf8')
const manifestOf = (file: string) => JSON.parse(read(`${file}.manifest.json`))
const namesIn = (text: string) => valuesOf(ndjson(text), 'name')

async function listed(...flags: string[]) {
  const { stdout } = await rma`returns list --all ${flags} --jq .returns[].name`
  return stdout.trimEnd().split('\n')
}

it('returns export writes every return as it was sent, once, and proves that beside it', async () => {
  const out = nextFile('ndjson')
  const { stdout } = expectEnd(await rma`returns export --out ${out} --json`, 0, '')
  const content = read(out)
  expect(namesIn(content).sort()).toEqual((await listed()).sort())
  const manifest = manifestOf(out)
  expect(JSON.parse(stdout)).toEqual(manifest)
  expect(manifest).toMatchObject({
    file: `${files}.ndjson`,
    format: 'ndjson',
    records: 730,
    complete: true,
    totalRecords: 730,
    counted: 730,
    goneMeanwhile: 0,
    differences: [],
    filters: {},
    bytes: Buffer.byteLength(content),
    sha256: createHash('sha256').update(content).digest('hex'),
  })
  expectPrivate(out, `${out}.manifest.json`)
  expect(readdirSync(folder).filter((name) => /partial|tmp/.test(name))).toEqual([])
})

it('returns export writes the same rows as CSV, XLSX and Parquet, with amounts and dates of their own kinds', async () => {
  const rows: Record<string, Record<string, unknown>[]> = {}
  for (const extension of ['csv', 'xlsx', 'parquet']) {
    const out = nextFile(extension)
    expectEnd(await rma`returns export --out ${out} --status received`, 0, '')
    expect(manifestOf(out)).toMatchObject({ complete: true, filters: { status: 'received' } })
    rows[extension] = extension === 'parquet' ? await parquetRows(out) : await tableRows(out)
  }
  const { csv = [], xlsx = [], parquet = [] } = rows
  const names = await listed('--status', 'RECEIVED')
  for (const one of [csv, xlsx, parquet]) expect(valuesOf(one, 'name').sort()).toEqual([...names].sort())
  const [first] = parquet
  expect(first?.created_at).toBeInstanceOf(Date)
  expect(first?.amount_requested).toBeTypeOf('number')
  const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : `${value ?? ''}`)
  const dates = ['created_at', 'updated_at', 'cancelled_at']
  for (const [index, row] of parquet.entries()) {
    for (const [column, value] of Object.entries(row)) {
      expect([column, csv[index]?.[column]]).toEqual([column, plain(value)])
      if (!dates.includes(column)) expect([column, xlsx[index]?.[column]]).toEqual([column, plain(value)])
    }
  }
})

it('returns export has the filters of list, in the zone of the settings', async () => {
  const out = nextFile('ndjson')
  const range = typed`--created-from 2026-11-01 --created-to 2026-11-10T13:00`
  const flags = typed`${range} --time-zone Pacific/Auckland`
  succeeded(await rma`returns export --out ${out} ${flags}`)
  const names = await listed(...flags)
  expect(names.length).toBeGreaterThan(5)
  expect(namesIn(read(out)).sort()).toEqual(names.sort())
})

it('returns export without matches writes an empty file that is complete', async () => {
  const out = nextFile('csv')
  const { code } = await rma`returns export --out ${out} --name R#-NONE`
  expect([code, manifestOf(out).records, manifestOf(out).complete]).toEqual([0, 0, true])
  expect(read(out)).toMatch(/^id,name,[\w,]+\r\n$/)
})

it.each(['returns.txt', 'returns', 'returns.parquet.gz'])(
  'returns export refuses %s before it asks anything',
  async (name) => {
    expectEnd(
      await runCli(typed`returns export --out ${join(folder, name)}`, {
        env: homeAt('http://127.0.0.1:9'),
      }),
      2,
      ['.csv, .ndjson, .xlsx, .parquet'],
    )
  },
)

it('returns export replaces an export, and no other file', async () => {
  const out = nextFile('csv')
  writeFileSync(out, 'mine')
  const refused = await rma`returns export --out ${out}`
  expect([refused.code, read(out)]).toEqual([2, 'mine'])
  const own = nextFile('csv')
  await rma`returns export --out ${own}`
  succeeded(await rma`returns export --out ${own}`)
  const nowhere = await rma`returns export --out ${join(folder, 'no/such/x.csv')}`
  expectEnd(nowhere, 2, ['no such folder'])
})

describe('returns export from a platform in trouble', () => {
  const RECORDS = times(1200, (index) => ({
    id: `${index}`,
    name: `R#-${index}`,
    createdAt: new Date(Date.parse('2026-05-01T00:00:00Z') - index * 60_000).toISOString(),
  }))
  const LIE_MS = Date.parse('2026-04-30T12:00:00Z')
  /** Answers like a platform; `lie` is what it counts besides. */
  const answer = ({ query }: RecordedRequest, lie = 0) => {
    const edge = (name: string) => (query.has(name) ? Date.parse(`${query.get(name)}Z`) : undefined)
    const [from = 0, to = Number.POSITIVE_INFINITY] = [edge('created_from'), edge('created_to')]
    const matching = RECORDS.filter(
      ({ createdAt }) => Date.parse(createdAt) >= from && Date.parse(createdAt) <= to,
    )
    const [limit, page] = [Number(query.get('limit')), Number(query.get('page'))]
    const totalRecords = matching.length + (from <= LIE_MS && to > LIE_MS ? lie : 0)
    const returns = matching.slice((page - 1) * limit, page * limit)
    return { body: { returns, pageInfo: { totalRecords, totalPages: 1 } } }
  }
  const run = asTyped(([baseUrl = '', out, ...more]) =>
    runCli(typed`returns export --out ${out} ${more}`, {
      env: homeAt(baseUrl, { RMA_RETRIES: '0' }),
    }),
  )

  it('an interrupted export continues, and has each return once', async () => {
    const out = nextFile('ndjson')
    let isDead = false
    const { baseUrl } = await scriptServer((request, index) => {
      if (index >= 3) isDead = true
      return isDead ? { fault: 'reset' } : answer(request)
    })
    const cut = await run`${baseUrl} ${out}`
    expectEnd(cut, 7, /goes on/)
    expect(existsSync(out)).toBe(false)
    expectPrivate(`${out}.partial`)
    const again = await scriptServer((request) => answer(request))
    const moved = await run`${again.baseUrl} ${out}`
    expectEnd(moved, 2, ['--restart'])
    writeFileSync(`${out}.partial`, `${read(`${out}.partial`).replaceAll(baseUrl, again.baseUrl)}{"id":"half`)
    const second = await run`${again.baseUrl} ${out}`
    expectEnd(second, 0, /Going on after \d+ returns/)
    expect(namesIn(read(out))).toEqual(valuesOf(RECORDS, 'name'))
    const walked = again.requests.filter(({ query }) => query.get('limit') === '500')
    expect(walked.length).toBeLessThan(3)
  })

  it('returns export replaces no export of another platform, shop or merchant', async () => {
    const out = nextFile('csv')
    const [own, other] = [await scriptServer((one) => answer(one)), await scriptServer((one) => answer(one))]
    succeeded(await run`${own.baseUrl} ${out}`)
    const before = [read(out), read(`${out}.manifest.json`)]
    const otherToken = join(folder, 'other-token')
    writeFileSync(otherToken, 'other-merchant', { mode: 0o600 })
    for (const [baseUrl, whose, more] of [
      [other.baseUrl, 'profile and token .*', []],
      [own.baseUrl, 'shops S', typed`--shop S`],
      [own.baseUrl, 'profile and token .*', typed`--token-file ${otherToken}`],
    ]) {
      expectEnd(
        await run`${baseUrl} ${out} ${more} --restart`,
        2,
        new RegExp(
          `${out} is an export of ${own.baseUrl}, profile and token .*, not of ${baseUrl}, ${whose}\\.\nTry: move`,
        ),
      )
    }
    expect([read(out), read(`${out}.manifest.json`)]).toEqual(before)
    succeeded(await run`${own.baseUrl} ${out}`)
  })

  it('returns export names texts that do not fit into a workbook', async () => {
    const long = { ...RECORDS[0], merchantReturnName: 'x'.repeat(32_768) }
    const { baseUrl } = await scriptServer(() => ({ body: pageOf([long]) }))
    const [workbook, table] = [nextFile('xlsx'), nextFile('csv')]
    expectEnd(await run`${baseUrl} ${workbook}`, 0, [
      'Warning: 1 text is cut to 32,767 characters, all that a cell of a workbook holds.',
    ])
    expect((await tableRows(workbook))[0]?.merchant_return_name).toHaveLength(32_767)
    expect((await run`${baseUrl} ${table}`).stderr).not.toContain('cut')
  })

  it('returns export names dates and amounts that a Parquet file can not hold', async () => {
    const odd = { ...RECORDS[0], cancelledAt: 'yesterday', totalTax: 'unknown' }
    const server = await scriptServer(() => ({ body: pageOf([odd]) }))
    expectEnd(await run`${server.baseUrl} ${nextFile('parquet')}`, 0, [
      "Warning: 2 values are empty, since a column of dates or numbers can't hold what was sent.",
    ])
  })

  it('returns export does not continue an export in another time zone', async () => {
    const out = nextFile('ndjson')
    let isDead = false
    const { baseUrl } = await scriptServer((request, index) => {
      if (index === 3) isDead = true
      return isDead ? { fault: 'reset' } : answer(request)
    })
    const day = typed`--created-from 2026-04-30 --created-to 2026-04-30 --time-zone`
    expectEnd(await run`${baseUrl} ${out} ${day} Asia/Tokyo`, 7, /goes on/)
    isDead = false
    expectEnd(await run`${baseUrl} ${out} ${day} America/Los_Angeles`, 2, [
      'is of another export: ',
      '--created-to 2026-04-30, --time-zone Asia/Tokyo.',
    ])
    succeeded(await run`${baseUrl} ${out} ${day} Asia/Tokyo`)
    expect(manifestOf(out).filters['time-zone']).toBe('Asia/Tokyo')
  })

  it('returns export tells that the export begun in its file has no filters', async () => {
    const out = nextFile('ndjson')
    let isDead = false
    const { baseUrl } = await scriptServer((request, index) => {
      if (index === 3) isDead = true
      return isDead ? { fault: 'reset' } : answer(request)
    })
    expectEnd(await run`${baseUrl} ${out}`, 7, /goes on/)
    isDead = false
    expectEnd(await run`${baseUrl} ${out} --status CLOSED`, 2, [
      /is of another export: .*, without filters\./,
    ])
  })

  it('a corrected export replaces a refused one that holds nothing yet', async () => {
    const out = nextFile('csv')
    const correct = typed`returns export --out ${out} --created-from 2026-01-01 --status`
    expectEnd(await rma([...correct, 'RECIEVED']), 6, ['VA01'])
    succeeded(await rma([...correct, 'RECEIVED']))
    expect(manifestOf(out)).toMatchObject({ complete: true, filters: { status: 'RECEIVED' } })
  })

  it('returns export tells how many returns are missing from the platform’s count', async () => {
    const out = nextFile('csv')
    const server = await scriptServer((request) => answer(request, 2))
    const { stderr } = expectEnd(await run`${server.baseUrl} ${out}`, 9, [
      'Not proven complete: 1200 returns are in the file, the platform counts 1202',
    ])
    // The time up to now is halved until a page shows it, so that the edges of what is named depend on the clock.
    const [, from = '', to = '', here = '', there = ''] =
      stderr.match(/created from (\S+) to (\S+): (\d+) in the file, the platform counts (\d+)/) ?? []
    expect(Date.parse(from)).toBeLessThanOrEqual(LIE_MS)
    expect(Date.parse(to)).toBeGreaterThan(LIE_MS)
    expect(Number(there)).toBeLessThanOrEqual(500)
    expect(Number(there) - Number(here)).toBe(2)
    expect(manifestOf(out)).toMatchObject({ complete: false, records: 1200, totalRecords: 1202 })
    expect(manifestOf(out).differences).toHaveLength(1)
  })

  it('an export from a platform without counts is not called complete', async () => {
    const out = nextFile('csv')
    const server = await scriptServer((request) => ({ body: { returns: answer(request).body.returns } }))
    expectEnd(await run`${server.baseUrl} ${out}`, 9, ['does not count'])
  })
})

async function parquetRows(path: string) {
  const { buffer, byteOffset, length } = readFileSync(path)
  return parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + length) })
}

async function tableRows(path: string) {
  const found: Record<string, unknown>[] = []
  for await (const rows of (await openRows(path, { name: path })).rows()) {
    for (const { columns, cells } of rows) {
      found.push(Object.fromEntries(columns.map((name, index) => [name, sourceText(cells[index] ?? '')])))
    }
  }
  return found
}
