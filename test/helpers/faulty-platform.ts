import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AnswerFault } from './answer-faults.ts'
import { type Env, typed } from './command-line.ts'
import { newFolder } from './files.ts'
import { label, labelRequest, labelReturn, PDF } from './label-service.ts'
import { httpAnswer, type RawRequest, rawServer } from './raw-server.ts'
import { type CliResult, homeAt } from './run-cli.ts'
import { pageOf } from './script-server.ts'

/** Effect of a request whose answer failed, and whether a later read can show it. */
export type Effect = 'done' | 'not done' | 'not shown'
export type Command = keyof typeof COMMANDS

export interface Seen {
  sent: number
  effects: number
  outcome: string
  code: number | null
}

const DATE = '2025-11-19T08:00:00Z'

export const COMMANDS = {
  'rma tracking push RETURN': {
    method: 'POST',
    argv: () => typed`tracking push R#-1 --status SHIPPING_IN_PROGRESS --date ${DATE} --json`,
    effects: ['done', 'not done', 'not shown'],
  },
  'rma tracking push --file FILE': {
    method: 'POST',
    argv: (folder: string) => {
      const file = join(folder, 'one.csv')
      writeFileSync(file, `shipmentId,trackingStatus,trackingDate\nR#-1,SHIPPING_IN_PROGRESS,${DATE}`)
      return typed`tracking push --file ${file} -o ndjson`
    },
    effects: ['done', 'not done', 'not shown'],
  },
  'rma labels create': {
    method: 'POST',
    argv: (folder: string) => {
      const file = join(folder, 'one.json')
      writeFileSync(file, JSON.stringify(labelRequest('SHP-1')))
      return typed`labels create --from ${file} --out ${join(folder, 'out')} --json`
    },
    effects: ['done', 'not done'],
  },
  'rma labels create --for RETURN': {
    method: 'POST',
    argv: (folder: string) => typed`labels create --for R#-1 --out ${join(folder, 'out')} --json`,
    effects: ['done', 'not done'],
  },
  'rma labels update': {
    method: 'PUT',
    argv: () => typed`labels update R#-1 --additional-tracking-code NEW --json`,
    effects: ['done', 'not done', 'not shown'],
  },
} as const

/** A platform that answers the first write badly. */
async function platform(method: 'POST' | 'PUT', fault: AnswerFault, effect: Effect) {
  const taken: string[] = []
  let writes = 0
  const answered = ({ path, query }: RawRequest): Buffer => {
    const json = (body: unknown) => httpAnswer(200, JSON.stringify(body), ['Content-Type: application/json'])
    if (path === '/shipping_labels') {
      if (taken.length > 0) return json(taken.map((one) => JSON.parse(one)))
      return httpAnswer(404, JSON.stringify({ errors: [{ code: 'LB03', message: 'none' }], status: 404 }))
    }
    // If events are hidden, the state may stem from another update.
    const status = effect === 'not shown' ? 'SHIPPING_COMPLETED' : 'REQUESTED'
    const transport = {
      id: '70',
      carrierServiceCode: 'TEST',
      status: taken.length > 0 ? 'SHIPPING_IN_PROGRESS' : status,
    }
    const record = {
      ...labelReturn('R#-1'),
      id: '7',
      name: query.get('name') ?? 'R#-1',
      shopCode: 'S',
      activeTransportation: transport,
    }
    if (path === '/returns') return json(pageOf([record]))
    if (path === '/returns/7') return json(record)
    if (path === '/returns/7/transportations/70' && effect !== 'not shown') {
      const { shippingLabels } = JSON.parse(taken.at(-1) ?? '{"shippingLabels":[]}')
      return json({ ...transport, shippingLabels })
    }
    const trackingEvents = taken.map((one) => {
      const { trackingStatus, trackingDate } = JSON.parse(one)
      return { status: trackingStatus, date: trackingDate, applied: true }
    })
    return json({ transportations: [effect === 'not shown' ? transport : { ...transport, trackingEvents }] })
  }
  const server = await rawServer((request, socket) => {
    if (request.method !== method) return void socket.write(answered(request))
    writes += 1
    const isLabel = method === 'POST' && request.path === '/shipping_labels'
    const set = { carrierCode: 'T', shippingLabels: [label(PDF)] }
    const good = JSON.stringify(isLabel ? set : { statusCode: 'OK', description: 'Registered' })
    if (writes > 1 || effect === 'done') taken.push(isLabel ? good : request.body)
    if (writes > 1) socket.write(httpAnswer(200, good, ['Content-Type: application/json']))
    else fault.answer(socket, good)
  })
  return { ...server, seen: () => ({ sent: writes, effects: taken.length }) }
}

/** Runs a command whose first write gets a bad answer. All other requests get correct ones. */
export async function tried(
  command: Command,
  fault: AnswerFault,
  effect: Effect,
  run: (argv: string[], env: Env) => Promise<Pick<CliResult, 'stdout' | 'stderr'> & { code: number | null }>,
): Promise<Seen> {
  const { baseUrl, close, seen } = await platform(COMMANDS[command].method, fault, effect)
  const env = homeAt(baseUrl)
  const timeout = fault.isSilent ? '1' : '10'
  const argv = [...COMMANDS[command].argv(newFolder()), '--timeout', timeout]
  try {
    const { code, stdout, stderr } = await run(argv, env)
    return { ...seen(), code, outcome: outcomeIn(stdout, stderr) }
  } finally {
    await close()
  }
}

/** Outcome as a script would read it. */
function outcomeIn(stdout: string, stderr: string): string {
  const result = stdout.trim() === '' ? undefined : JSON.parse(stdout)
  const word = result?.outcome ?? result?.status ?? result?.files?.[0]?.outcome
  if (word !== undefined) return word
  const error = stderr.split('\n').find((line) => line.startsWith('{"error"'))
  return error === undefined ? 'nothing' : JSON.parse(error).error.kind
}
