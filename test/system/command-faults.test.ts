import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { labelRequest, labelReturn } from '../helpers/label-service.ts'
import { markdownTable } from '../helpers/markdown-table.ts'
import { type CliResult, homeAt, root, runCli } from '../helpers/run-cli.ts'
import { type Answer, pageOf, scriptServer } from '../helpers/script-server.ts'

const PAGE = join(root, 'docs/reliability.md')
const TOKEN = 'canary-token-5d1f'
const CUSTOMER = 'Zebedee Canarias'
const FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml']

const customer = { ...labelRequest('SHP-1').origin, fullName: CUSTOMER, email: 'zebedee@canary.example' }
const records = JSON.stringify(pageOf([{ ...labelReturn('R#-LU1'), customer, origin: customer }]))
const json = (text: string, more: Answer = {}) => ({
  body: text,
  headers: { 'content-type': 'application/json' },
  ...more,
})
const refused = (status: number) =>
  json(JSON.stringify({ errors: [{ code: 'XX01', message: 'Broken' }], status }), { status })
const lists = [
  'returns',
  'pageInfo',
  'returnMethods',
  'transportations',
  'refunds',
  'shippingLabels',
  'pudos',
]

/** Answers to every request of a command, by the column of the page. */
const FAULTS: Record<string, Answer> = {
  silence: { fault: 'hang' },
  'reset before headers': { fault: 'reset' },
  'reset after headers': { body: records, fault: 'cut-body' },
  'HTTP 500': refused(500),
  'HTTP 503': refused(503),
  HTML: { body: '<html><title>Sign in</title></html>', headers: { 'content-type': 'text/html' } },
  'cut JSON': json(records.slice(0, records.length / 2)),
  '`{}`': json('{}'),
  '`null`': json('null'),
  'wrong types': json(
    JSON.stringify({ ...Object.fromEntries(lists.map((name) => [name, 7])), id: {}, name: [] }),
  ),
}
const UNREADABLE = ['HTML', 'cut JSON', '`{}`', '`null`', 'wrong types']

const READS = [
  ...['returns list', 'returns get R#-LU1', 'returns explain R#-LU1', 'returns transportations R#-LU1'],
  ...['returns refunds R#-LU1', 'returns export --out all.csv', 'returns stuck', 'returns reconcile'],
  ...['returns stats', 'search ana', 'mirror sync', 'methods calculate --for R#-LU1', 'pudos search R#-LU1'],
  ...[
    'labels get SHP-1',
    'labels download SHP-1 --out labels',
    'labels print SHP-1 --sheet a4 --out all.pdf',
  ],
  'tracking plan --file updates.csv --out plan.ndjson',
]
const WRITES = [
  ...['labels create --from request.json --out labels', 'labels create --for R#-LU1 --out labels'],
  ...['labels update R#-LU1 --tracking-code NEW', 'tracking push R#-LU1 --status SHIPPING_COMPLETED'],
  ...['tracking push --file updates.csv', 'api POST /shipping_trackings -f shipmentId=R#-LU1'],
]
/** Commands that print what came, or what they made of it. */
const OTHERS = ['api GET /returns', 'conformance']

const COMMANDS = [...READS, ...WRITES, ...OTHERS]

const isInput = (word: string) => /\.\w+$|^labels$/.test(word)

async function runAgainst(fault: string, command: string, format: string) {
  const server = await scriptServer(() => FAULTS[fault] ?? {}, { autoClose: false })
  const place = newFolder()
  writeFileSync(join(place, 'request.json'), JSON.stringify(labelRequest('SHP-1', { origin: customer })))
  writeFileSync(join(place, 'updates.csv'), 'shipmentId,trackingStatus\nR#-LU1,SHIPPING_COMPLETED\n')
  const [topic = '', ...words] = command.split(' ')
  const env = homeAt(server.baseUrl, { RMA_TOKEN: TOKEN })
  const trace = join(place, 'trace.har')
  const argv = [
    ...[topic, ...words.map((word) => (isInput(word) ? join(place, word) : word))],
    ...typed`-o ${format} --timeout ${fault === 'silence' ? 1 : 20} --retries 0 -v --trace ${trace}`,
    ...(WRITES.includes(command) ? ['--yes'] : []),
  ]
  const result = await runCli(argv, { env })
  if (fault !== 'silence') expect(server.requests.length, command).toBeGreaterThan(0)
  await server.close()
  expect(existsSync(trace), command).toBe(true)
  expectNoSecret(result, [place, env.HOME])
  return result
}

/** Token and customer of the answers are in no output, trace, log or file but for the input. */
function expectNoSecret({ stdout, stderr }: CliResult, folders: readonly string[]) {
  const files = folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'request.json')
    .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'latin1')])
  for (const [name, text = ''] of [['stdout', stdout], ['stderr', stderr], ...files])
    for (const secret of [TOKEN, CUSTOMER, customer.email])
      expect(text.includes(secret), `${secret} in ${name}`).toBe(false)
}

/** Output that is there is whole. */
function expectWhole(stdout: string, format: string) {
  expect(stdout).toMatch(/\n$/)
  if (format === 'json') JSON.parse(stdout)
  if (format === 'ndjson') for (const line of stdout.trimEnd().split('\n')) JSON.parse(line)
}

/**
 * Two formats for a fault of a command: over the faults each command prints all formats, and over the commands each
 * fault is told in all of them.
 */
const formatsOf = (command: string, fault: string) =>
  [0, 2].map(
    (step) => FORMATS[(COMMANDS.indexOf(command) + Object.keys(FAULTS).indexOf(fault) + step) % 5] ?? '',
  )

const codes = new Map<string, string[]>()

it.each(COMMANDS)(
  '%s ends as its contract says, whatever is answered and printed',
  {
    timeout: 120_000,
  },
  async (command) => {
    const cells = await Promise.all(
      Object.keys(FAULTS).map(async (fault) => {
        const formats = formatsOf(command, fault)
        const results = await Promise.all(formats.map((format) => runAgainst(fault, command, format)))
        const [code = -1, ...others] = new Set(results.map((result) => result.code))
        expect(others, `${command}, ${fault}: the code depends on the format`).toEqual([])
        if (READS.includes(command))
          expect([fault, code]).toEqual([fault, UNREADABLE.includes(fault) ? 8 : 7])
        const hasReport =
          code === 0 || command === 'conformance' || command.startsWith('tracking push --file')
        for (const [at, { stdout }] of results.entries()) {
          if (stdout !== '') expectWhole(stdout, formats[at] ?? '')
          if (!hasReport) expect(stdout).toBe('')
        }
        return String(code)
      }),
    )
    codes.set(command, cells)
  },
)

it('docs/reliability.md shows how each command ends', async () => {
  const columns = new Map<string, string[]>()
  for (const [command, cells] of codes) {
    const isUsual = READS.includes(command) || command.startsWith('labels ')
    const [, api, push] = /^(api \w+|conformance)|^tracking (push)/.exec(command) ?? []
    const name = push && (command.includes('--file') ? 'push --file' : 'tracking push')
    const header = isUsual ? 'reads, labels' : `\`${api ?? name}\``
    expect(columns.get(header) ?? cells, header).toEqual(cells)
    columns.set(header, cells)
  }
  const rows = Object.keys(FAULTS).map((fault, at) => [
    fault,
    ...[...columns.values()].map((cells) => cells[at] ?? ''),
  ])
  const table = markdownTable(['Every answer', ...columns.keys()], rows)
  const page = readFileSync(PAGE, 'utf8').replace(
    /(<!-- command-faults -->\n\n).*?(\n\n##|$)/s,
    (_, mark: string, next: string) => `${mark}${table}${next}`,
  )
  await expect(page).toMatchFileSnapshot(PAGE)
})
