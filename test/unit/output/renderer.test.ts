import { describe, expect, test } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { Money } from '../../../src/lib/output/formats/cell.ts'
import type { Section } from '../../../src/lib/output/formats/details.ts'
import { createRenderer, type Result } from '../../../src/lib/output/renderer.ts'
import type { OutputFormat, RendererOptions } from '../../../src/lib/output/result.ts'
import { lazySchema, type View } from '../../../src/lib/output/view.ts'
import { memoryStreams } from '../../helpers/memory-streams.ts'

interface Thing {
  id: number
  name: string
  at: string
  amount: number
  nested?: unknown
}

const VIEW: View<Thing> = {
  columns: [
    { name: 'name', header: 'NAME', value: (r) => r.name, flexible: true },
    { name: 'at', header: 'AT', value: (r) => r.at, kind: 'date' },
    { name: 'amount', header: 'AMOUNT', value: (r) => new Money(r.amount, 'EUR'), kind: 'money' },
  ],
  extra: [{ name: 'id', header: 'ID', value: (r) => r.id, kind: 'number' }],
  schema: lazySchema((z) => {
    const any = z.unknown()
    return z.object({ id: any, name: any, at: any, amount: any, nested: any })
  }),
  empty: 'No things match',
}
const THINGS: Thing[] = [
  { id: 1, name: 'A\x1b[31m', at: '2026-03-01 10:00:00Z', amount: 12.5 },
  { id: 20, name: '北京', at: '2026-03-01 11:00:00+01:00', amount: 7, nested: { size: 3 } },
]

function list(items: Thing[], withEnvelope = false): Result<Thing> {
  async function* arriving() {
    yield* items
  }
  const envelope = { key: 'things', rest: () => ({ pageInfo: { totalRecords: items.length } }) }
  return { kind: 'list', items: arriving(), view: VIEW, ...(withEnvelope && { envelope }) }
}

const RECORD: Result<Thing> = {
  kind: 'record',
  record: { id: 1, name: 'A', at: 'soon', amount: 1 },
  view: VIEW,
}
const TEXT: Result<never> = { kind: 'text', text: 'abc\x1b\ndef', json: { token: 'abc' } }

async function render<T>(
  result: Result<T>,
  {
    columns: width,
    ...options
  }: Partial<Omit<RendererOptions, 'columns'>> & {
    columns?: number
    select?: string[]
  } = {},
) {
  const memory = memoryStreams(width === undefined ? {} : { columns: width })
  const renderer = createRenderer({
    streams: memory.streams,
    format: 'table',
    headers: true,
    timeZone: 'Europe/Madrid',
    ...options,
    columns: options.select,
  })
  await renderer.render(result)
  return memory.written()
}

test('a table has dates in the zone, amounts with currency, and visible escapes', async () => {
  expect((await render(list(THINGS))).out).toBe(
    [
      'NAME       AT                   AMOUNT',
      'A\\x1b[31m  2026-03-01 11:00  12.50 EUR',
      '北京       2026-03-01 11:00   7.00 EUR',
      '',
    ].join('\n'),
  )
})

test.each(['ndjson', 'json', 'yaml'] as const)('%s of records of megabytes is whole', async (format) => {
  const { parseAllDocuments } = await import('yaml')
  const records = ['', 'x'].map((start) => ({ ...RECORD.record, name: start + '😀'.repeat(2 ** 20) }))
  const { out } = await render(list(records), { format })
  const lines = format === 'ndjson' ? out.trim().split('\n') : [out]
  const read = lines.flatMap((text) => parseAllDocuments(text).flatMap((document) => document.toJS()))
  expect(read.map(({ name }) => name === records.shift()?.name)).toEqual([true, true])
})

test('CSV has every column by its name, values as sent, and lines that end with CRLF', async () => {
  expect((await render(list(THINGS), { format: 'csv' })).out).toBe(
    'name,at,amount,id\r\nA\x1b[31m,2026-03-01 10:00:00Z,12.5,1\r\n北京,2026-03-01 11:00:00+01:00,7,20\r\n',
  )
})

test('CSV on a terminal has visible escapes', async () => {
  const { out } = await render(list(THINGS), { format: 'csv', columns: 80, select: ['name'] })
  expect(out).toBe('name\r\nA\\x1b[31m\r\n北京\r\n')
})

test('JSON is the document, like record by record', async () => {
  const { out } = await render(list(THINGS, true), { format: 'json' })
  expect(JSON.parse(out)).toEqual({ things: THINGS, pageInfo: { totalRecords: 2 } })
  expect(JSON.parse((await render(list(THINGS), { format: 'json' })).out)).toEqual(THINGS)
})

test('NDJSON has one record a line and no envelope', async () => {
  const { out } = await render(list(THINGS, true), { format: 'ndjson' })
  expect(out).toBe(THINGS.map((thing) => `${JSON.stringify(thing)}\n`).join(''))
})

test('YAML is the same document as JSON', async () => {
  const { out } = await render(list(THINGS.slice(1), true), { format: 'yaml', select: [] })
  expect(out).toMatch(/^things:\n {2}- id: 20\n.*pageInfo:\n {2}totalRecords: 1\n$/s)
})

test('--jq reads the whole document and prints strings raw', async () => {
  const jq = '.things[].name, .pageInfo.totalRecords'
  expect((await render(list(THINGS, true), { jq })).out).toBe('A\x1b[31m\n北京\n2\n')
  expect((await render(list(THINGS, true), { jq, columns: 80 })).out).toBe('A\\x1b[31m\n北京\n2\n')
})

test('chosen columns get their kinds from the records', async () => {
  const { out } = await render(list(THINGS), { select: ['id', 'nested.size', 'nested', 'amount'] })
  expect(out).toBe(
    [
      'ID  nested.size  nested         AMOUNT',
      ' 1                           12.50 EUR',
      '20            3  {"size":3}   7.00 EUR',
      '',
    ].join('\n'),
  )
  expect((await render(list(THINGS), { select: ['nested', 'id'], format: 'csv', headers: false })).out).toBe(
    ',1\r\n"{""size"":3}",20\r\n',
  )
})

test('a list of numbers found by path is aligned on the right', async () => {
  const things = [
    { ...THINGS[0]!, nested: 5 },
    { ...THINGS[0]!, nested: 10 },
  ]
  expect((await render(list(things), { select: ['nested'], headers: false })).out).toBe(' 5\n10\n')
})

test.each<[OutputFormat, boolean, string, string]>([
  ['table', false, '', 'No things match\n'],
  ['csv', false, 'name,at,amount,id\r\n', ''],
  ['json', false, '[]\n', ''],
  ['json', true, '{\n  "things": [],\n  "pageInfo": {\n    "totalRecords": 0\n  }\n}\n', ''],
  ['ndjson', true, '', ''],
  ['yaml', false, '[]\n', ''],
  ['yaml', true, 'things: []\npageInfo:\n  totalRecords: 0\n', ''],
])('an empty list as %s (envelope: %s)', async (format, withEnvelope, out, err) => {
  expect(await render(list([], withEnvelope), { format })).toEqual({ out, err })
})

test('quiet says nothing about an empty list', async () => {
  expect(await render(list([]), { quiet: true })).toEqual({ out: '', err: '' })
})

test.each<[OutputFormat, string]>([
  ['table', 'NAME    A\nAT      soon\nAMOUNT  1.00 EUR\nID      1\n'],
  ['csv', 'name,at,amount,id\r\nA,soon,1,1\r\n'],
  ['json', '{\n  "id": 1,\n  "name": "A",\n  "at": "soon",\n  "amount": 1\n}\n'],
  ['ndjson', '{"id":1,"name":"A","at":"soon","amount":1}\n'],
  ['yaml', 'id: 1\nname: A\nat: soon\namount: 1\n'],
])('a record as %s', async (format, out) => {
  expect((await render(RECORD, { format })).out).toBe(out)
})

test('a record has its own details, and is a table of one row when columns are chosen', async () => {
  const record = {
    ...RECORD,
    details: (r: Thing) => [{ title: 'Thing', fields: [{ label: 'Id', value: r.id }] }],
  }
  expect((await render(record)).out).toBe('Thing\n  Id  1\n')
  expect((await render(record, { select: ['id'] })).out).toBe('ID\n 1\n')
})

test.each<[OutputFormat, string]>([
  ['table', 'abc\\x1b\ndef\n'],
  ['csv', 'abc\\x1b\ndef\n'],
  ['json', '{\n  "token": "abc"\n}\n'],
  ['ndjson', '{"token":"abc"}\n'],
  ['yaml', 'token: abc\n'],
])('a text as %s', async (format, out) => {
  expect((await render(TEXT, { format })).out).toBe(out)
})

const check = (options: Partial<RendererOptions>) =>
  createRenderer({
    streams: memoryStreams().streams,
    format: 'table',
    headers: true,
    timeZone: 'UTC',
    ...options,
  }).check(VIEW)

test.each([{ columns: ['name', 'nmae'] }, { jq: '.[' }])(
  'output with %j is refused before any request',
  async (options) => {
    await expect(check(options)).rejects.toMatchObject({ name: AppError.name, kind: 'usage' })
  },
)

test.each([{}, { columns: ['name', 'nested.x'] }, { jq: '.a' }])('output with %j passes', async (options) => {
  await expect(check(options)).resolves.toBeUndefined()
})

const things = Array.from({ length: 1200 }, (_, id) => ({ id, name: `n${10_000 + id}`, at: '', amount: 1 }))

test('a long list keeps its header and its columns', async () => {
  const lines = (await render(list(things))).out.split('\n')
  expect(lines).toHaveLength(1202)
  expect(new Set(lines.slice(0, -1).map((line) => line.length)).size).toBe(1)
  expect(lines.filter((line) => line.startsWith('NAME'))).toHaveLength(1)
})

test.each<[OutputFormat, number]>([
  ['ndjson', 1],
  ['csv', 1],
  ['json', 1],
  ['yaml', 1],
  ['table', 500],
])('a long list as %s is written when %i have arrived', async (format, heldBack) => {
  const memory = memoryStreams()
  let arrived = 0
  let arrivedAtFirstWrite = 0
  memory.streams.out.write = async () => {
    arrivedAtFirstWrite ||= arrived
  }
  async function* items() {
    for (const thing of things) {
      arrived += 1
      yield thing
    }
  }
  const renderer = createRenderer({ streams: memory.streams, format, headers: false, timeZone: 'UTC' })
  await renderer.render({ kind: 'list', items: items(), view: VIEW })
  expect(arrivedAtFirstWrite).toBeLessThanOrEqual(heldBack)
  expect(arrived).toBe(1200)
})

describe('on a terminal', () => {
  const view: View<{ name: string; status: string; note: string }> = {
    columns: [
      { name: 'name', header: 'NAME', value: (r) => r.name },
      { name: 'status', header: 'STATUS', value: (r) => r.status, kind: 'status', words: 'returnStatus' },
      { name: 'note', header: 'NOTE', value: (r) => r.note },
    ],
    leastImportant: ['note'],
    empty: 'Nothing',
  }
  const record = { name: 'R#-1001', status: 'PENDING', note: 'x'.repeat(60) }
  const show = async (options: { columns?: number; asked?: string[]; format?: 'table' | 'csv' }) => {
    const memory = memoryStreams(options.columns === undefined ? {} : { columns: options.columns })
    const { asked, format = 'table' } = options
    const { streams } = memory
    const renderer = createRenderer({ streams, format, columns: asked, headers: false, timeZone: 'UTC' })
    await renderer.render({ kind: 'list', items: [record], view })
    const { out, err } = await memory.written()
    return { out: out.replaceAll(/\x1b\[\d+m/g, ''), err }
  }

  test('codes are shown in words on a terminal, and as sent in pipes, CSV and chosen columns', async () => {
    expect((await show({ columns: 120 })).out).toContain('waiting for the parcel')
    for (const { out } of [
      await show({}),
      await show({ columns: 120, format: 'csv' }),
      await show({ columns: 120, asked: ['status'] }),
    ]) {
      expect(out).toContain('PENDING')
    }
  })

  test('columns without room are named on standard error', async () => {
    expect(await show({ columns: 70 })).toEqual({
      out: 'R#-1001  waiting for the parcel\n',
      err: 'Not shown at this width: note; --columns shows them\n',
    })
    expect((await show({ columns: 120 })).err).toBe('')
  })

  test('chosen columns are all shown', async () => {
    const { out, err } = await show({ columns: 62, asked: ['name', 'note'] })
    expect([out, err]).toEqual([`R#-1001\n${record.note}\n`, ''])
  })
})

const columns = [{ header: 'AT', kind: 'date' as const }]
const field = (value: string | undefined) => ({ fields: [{ label: 'AT', value, kind: 'date' as const }] })
const sections: [string, Section[], number][] = [
  ['a date', [field('2026-03-01 10:00:00Z')], 1],
  ['an empty date', [field(undefined)], 0],
  ['a list with dates', [{ columns, rows: [['2026-03-01 10:00:00Z']] }], 1],
  ['an empty list with a column of dates', [{ columns, rows: [] }], 0],
  ['no date', [{ fields: [{ label: 'ID', value: '1' }] }], 0],
]

test.each(sections)('the time zone note comes as often as needed: %s', async (_, shown, times) => {
  let notes = 0
  const details = async () => shown
  await render({ ...RECORD, details } as Result<Thing>, { onLocalTime: async () => notes++ })
  expect(notes).toBe(times)
})
