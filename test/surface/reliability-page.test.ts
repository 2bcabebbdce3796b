import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CERTAINLY_UNDONE } from '../../src/lib/api/effect.ts'
import { ANSWER_FAULTS, type AnswerFault } from '../helpers/answer-faults.ts'
import { label, labelRequest, PDF } from '../helpers/label-service.ts'
import { httpAnswer, type RawRequest, rawServer } from '../helpers/raw-server.ts'
import { freshHome, root, runCli } from '../helpers/run-cli.ts'

/*
 * Each way to answer badly happens once, to the first POST; the second one and all looks get proper answers.
 */

/** What became of the request before its answer went wrong, and whether a look can show that. */
type Effect = 'done' | 'not done' | 'not shown'
type Command = keyof typeof COMMANDS

interface Seen {
  posts: number
  /** How often it took effect. */
  effects: number
  outcome: string
  code: number
}

const PAGE = join(root, 'docs/reliability.md')
const NOW = Date.parse('2026-11-20T12:00:00Z')
const AT_ONCE = 12
const DATE = '2026-11-19T08:00:00Z'

const COMMANDS = {
  'rma tracking push RETURN': {
    argv: () => ['tracking', 'push', 'R#-1', '--status', 'SHIPPING_IN_PROGRESS', '--date', DATE, '--json'],
    effects: ['done', 'not done', 'not shown'],
  },
  'rma tracking push --file FILE': {
    argv: (folder: string) => {
      const file = join(folder, 'one.csv')
      writeFileSync(file, `shipmentId,trackingStatus,trackingDate\nR#-1,SHIPPING_IN_PROGRESS,${DATE}`)
      return ['tracking', 'push', '--file', file, '-o', 'ndjson']
    },
    effects: ['done', 'not done', 'not shown'],
  },
  'rma labels create': {
    argv: (folder: string) => {
      const file = join(folder, 'one.json')
      writeFileSync(file, JSON.stringify(labelRequest('SHP-1')))
      return ['labels', 'create', '--from', file, '--out', join(folder, 'out'), '--json']
    },
    effects: ['done', 'not done'],
  },
} as const

/** A platform whose first answer to a POST goes wrong. */
async function platform(fault: AnswerFault, effect: Effect) {
  const taken: string[] = []
  let posts = 0
  const answered = ({ path, query }: RawRequest): Buffer => {
    const json = (body: unknown) => httpAnswer(200, JSON.stringify(body), ['Content-Type: application/json'])
    if (path === '/shipping_labels') {
      if (taken.length > 0) return json(taken.map((one) => JSON.parse(one)))
      return httpAnswer(404, JSON.stringify({ errors: [{ code: 'LB03', message: 'none' }], status: 404 }))
    }
    // Where events are not shown, a state that another report may have brought about tells nothing.
    const status = effect === 'not shown' ? 'SHIPPING_COMPLETED' : 'REQUESTED'
    const transport = { id: '70', status: taken.length > 0 ? 'SHIPPING_IN_PROGRESS' : status }
    if (path === '/returns') {
      const record = { id: '7', name: query.get('name'), shopCode: 'S', activeTransportation: transport }
      return json({ returns: [record], pageInfo: { totalRecords: 1, totalPages: 1 } })
    }
    const trackingEvents = taken.map((one) => {
      const { trackingStatus, trackingDate } = JSON.parse(one)
      return { status: trackingStatus, date: trackingDate, applied: true }
    })
    return json({ transportations: [effect === 'not shown' ? transport : { ...transport, trackingEvents }] })
  }
  const server = await rawServer((request, socket) => {
    if (request.method !== 'POST') return void socket.write(answered(request))
    posts += 1
    const isLabel = request.path === '/shipping_labels'
    const set = { clientShipmentId: 'SHP-1', carrierCode: 'T', shippingLabels: [label(PDF)] }
    const good = JSON.stringify(isLabel ? set : { statusCode: 'OK', description: 'Registered' })
    if (posts > 1 || effect === 'done') taken.push(isLabel ? good : request.body)
    if (posts > 1) socket.write(httpAnswer(200, good, ['Content-Type: application/json']))
    else fault.answer(socket, good)
  })
  return { ...server, seen: () => ({ posts, effects: taken.length }) }
}

async function tried(command: Command, fault: AnswerFault, effect: Effect): Promise<Seen> {
  const { baseUrl, close, seen } = await platform(fault, effect)
  const home = freshHome()
  const env = { ...home, RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token', RMA_TIME_ZONE: 'UTC' }
  const timeout = fault.isSilent ? '1' : '10'
  const argv = [...COMMANDS[command].argv(mkdtempSync(join(tmpdir(), 'rma-fault-'))), '--timeout', timeout]
  try {
    const { code, stdout, stderr } = await runCli(argv, { env, now: NOW })
    return { ...seen(), code, outcome: outcomeIn(stdout, stderr) }
  } finally {
    await close()
  }
}

/** The word that a script would find. */
function outcomeIn(stdout: string, stderr: string): string {
  const result = stdout.trim() === '' ? undefined : JSON.parse(stdout)
  const word = result?.outcome ?? result?.status ?? result?.files?.[0]?.outcome
  if (word !== undefined) return word
  const error = stderr.split('\n').find((line) => line.startsWith('{"error"'))
  return error === undefined ? 'nothing' : JSON.parse(error).error.kind
}

/** What must hold for every way, whatever the page says. */
function expectHonest({ says }: AnswerFault, command: Command, effect: Effect, seen: Seen): void {
  expect(seen.effects).toBeLessThanOrEqual(1)
  expect(seen.code === 0).toBe(seen.effects === 1)
  if (effect === 'done') expect(seen).toMatchObject({ posts: 1, code: 0 })
  if (effect === 'not shown') expect(seen).toMatchObject({ posts: 1, code: 10, outcome: 'unknown' })
  if (says === 'open' && effect === 'not done' && command !== 'rma labels create') {
    expect(seen).toMatchObject({ posts: 2, code: 0 })
  }
}

const effectsOf = (command: Command, { says }: AnswerFault): readonly Effect[] => {
  if (says === 'open') return COMMANDS[command].effects
  return [says === 'refused' ? 'not done' : 'done']
}

const cellOf = ({ posts, outcome, code }: Seen) =>
  `${posts} POST${posts === 1 ? '' : 's'}, ${outcome}, exit ${code}`

function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headers.map((_, i) => Math.max(3, ...[headers, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(headers), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** What stands below the mark is made of what the commands do here; `npx vitest run -u` writes it anew. */
it('docs/reliability.md shows what becomes of every way to answer a write badly', {
  timeout: 240_000,
}, async () => {
  const mark = '<!-- written by test/surface/reliability-page.test.ts -->'
  const [prose = ''] = readFileSync(PAGE, 'utf8').split(mark)
  const commands = Object.keys(COMMANDS) as Command[]
  const cells = commands.flatMap((command) =>
    ANSWER_FAULTS.flatMap((fault) =>
      effectsOf(command, fault).map((effect) => ({
        command,
        fault,
        effect,
        key: `${command}|${fault.name}|${effect}`,
      })),
    ),
  )
  const seen = new Map<string, Seen>()
  await inTurn(cells, async ({ command, fault, effect, key }) => {
    const one = await tried(command, fault, effect)
    expect.soft(() => expectHonest(fault, command, effect, one), key).not.toThrow()
    seen.set(key, one)
  })
  const sections = commands.map((command) => {
    const { effects } = COMMANDS[command]
    const rows = ANSWER_FAULTS.map(({ name }) => [
      name,
      ...effects.map((effect) => {
        const one = seen.get(`${command}|${name}|${effect}`)
        return one ? cellOf(one) : ''
      }),
    ])
    const headers = ['Answer', ...effects.map((effect) => HEADERS[effect])]
    return `## \`${command}\`\n\n${table(headers, rows)}\n`
  })
  const list = [
    'Certainly undone is a request when',
    '',
    ...CERTAINLY_UNDONE.map(({ when }) => `- ${when}`),
    '',
  ]
  await expect([`${prose}${mark}`, '', ...list, ...sections].join('\n')).toMatchFileSnapshot(PAGE)
})

const HEADERS: Readonly<Record<Effect, string>> = {
  done: 'Carried out',
  'not done': 'Not carried out',
  'not shown': 'Nobody can tell',
}
