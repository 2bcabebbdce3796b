import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, json, Reply, refusal } from '../http/answers.ts'
import type { ServerExchange } from '../http/received-request.ts'
import type { Fault } from './fault.ts'
import { chanceOf, type Hit } from './faults.ts'

interface FaultedRequest {
  hit: Hit
  exchange: ServerExchange
  commit(): Promise<Reply>
  requestId: string
  now: number
  onNoAnswer(): void
}

export async function applyFault(request: FaultedRequest): Promise<Reply | undefined> {
  const { fault } = request.hit
  const reply = await ACTIONS[fault.kind](request)
  if (reply && !reply.headers.has(FAULT_HEADER)) setFaultHeader(reply, fault)
  return reply
}

type FaultAction = (request: FaultedRequest) => Promise<Reply | undefined>

const ACTIONS: Readonly<Record<Fault['kind'], FaultAction>> = {
  late: async ({ commit, exchange, hit }) => {
    const reply = await commit()
    await pause(hit.fault.delayMs ?? 10_000, exchange)
    return reply
  },
  never: keepWaiting,
  'never-after-commit': async (request) => {
    await request.commit()
    return keepWaiting(request)
  },
  reset,
  'reset-after-commit': async (request) => {
    await request.commit()
    return reset(request)
  },
  'cut-body': cutBody,
  401: async (request) =>
    refuse(request, 401, 'AU02', 'The token is invalid', {
      'www-authenticate': 'Bearer error="invalid_token"',
    }),
  429: async (request) =>
    refuse(request, 429, 'RL01', 'Too many requests', {
      ratelimit: `"sandbox";r=0;t=${request.hit.fault.retryAfter ?? 1}`,
      ...retryAfter(request, true),
    }),
  500: async (request) => refuse(request, 500, 'IE01', 'Internal error'),
  503: async (request) =>
    refuse(request, 503, 'UN01', 'The service is unavailable', retryAfter(request, false)),
  '500-after-commit': async (request) => {
    await request.commit()
    return refuse(request, 500, 'IE01', 'Internal error')
  },
  html: async ({ hit }) => new Reply(HTML, hit.fault.status ?? 502, { 'content-type': 'text/html' }),
  'wrong-content-type': async ({ commit }) => {
    const reply = await commit()
    reply.headers.set('content-type', 'text/plain')
    return reply
  },
  'schema-drift': drift,
}

const FAULT_HEADER = 'x-sandbox-fault'

function setFaultHeader({ headers }: Reply, { id, kind }: Fault, more = '') {
  headers.set(FAULT_HEADER, `${id}; kind=${kind}${more}`)
}

const HTML =
  '<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n'

function refuse({ requestId }: FaultedRequest, ...error: Parameters<typeof ApiError.of>) {
  return refusal(ApiError.of(...error), requestId)
}

/** Returns no header for a 503 unless the fault asks for it. */
function retryAfter({ hit, now }: FaultedRequest, isNeeded: boolean): Record<string, string> {
  const { retryAfter: given, retryAfterForm } = hit.fault
  if (given === undefined && retryAfterForm === undefined && !isNeeded) return {}
  const seconds = given ?? 1
  const date = new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString()
  return { 'retry-after': retryAfterForm === 'date' ? date : String(seconds) }
}

async function keepWaiting({ exchange, hit, onNoAnswer }: FaultedRequest): Promise<undefined> {
  onNoAnswer()
  await pause(hit.fault.delayMs ?? 300_000, exchange)
  exchange.incoming.socket.destroy()
}

async function reset({ exchange, onNoAnswer }: FaultedRequest): Promise<undefined> {
  onNoAnswer()
  exchange.incoming.socket.resetAndDestroy()
}

async function cutBody({ commit, exchange, hit }: FaultedRequest) {
  const reply = await commit()
  setFaultHeader(reply, hit.fault)
  const { bytes } = reply
  const { incoming, outgoing } = exchange
  outgoing.writeHead(reply.status, {
    ...Object.fromEntries(reply.headers),
    'content-length': bytes.length,
  })
  // Node.js sends no head before the body, and HEAD has none.
  if (bytes.length < 2 || incoming.method === 'HEAD') return void incoming.socket.destroy()
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve)
    outgoing.write(bytes.subarray(0, bytes.length >> 1), () => incoming.socket.destroy())
  })
}

async function drift({ commit, hit }: FaultedRequest) {
  const reply = await commit()
  const { status, headers, text } = reply
  const drifted =
    headers.get('content-type') === 'application/json' ? driftDocument(JSON.parse(text), hit) : undefined
  if (drifted === undefined) {
    setFaultHeader(reply, hit.fault, '; drift=none')
    return reply
  }
  const changed = json(status, Object(drifted.document), Object.fromEntries(headers))
  setFaultHeader(changed, hit.fault, `; drift=${drifted.drift}; field=${encodeURIComponent(drifted.field)}`)
  return changed
}

async function pause(ms: number, { closing, outgoing }: ServerExchange) {
  const gone = new AbortController()
  outgoing.once('close', () => gone.abort())
  if (outgoing.destroyed) return
  await delay(ms, undefined, { signal: AbortSignal.any([closing, gone.signal]) }).catch(() => {})
}

const DRIFTS = ['renamed', 'missing', 'extra', 'retyped'] as const

function driftDocument(document: unknown, { fault, index }: Hit) {
  const drift = fault.drift ?? pick(DRIFTS, chanceOf(fault, index, 'drift'))
  const field = fault.field ?? pick(fieldsOf(document), chanceOf(fault, index, 'field'))
  if (drift === undefined || field === undefined) return undefined
  const copy = structuredClone(document)
  const path = field.split('.')
  const name = path.at(-1) ?? ''
  let isFound = false
  for (const holder of holdersOf(copy, path.slice(0, -1))) {
    if (!Object.hasOwn(holder, name)) continue
    isFound = true
    change(holder, name, drift)
  }
  return isFound ? { document: copy, drift, field } : undefined
}

function change(holder: object, name: string, drift: NonNullable<Fault['drift']>) {
  const value: unknown = Reflect.get(holder, name)
  if (drift === 'extra') {
    Reflect.set(holder, `${name}V2`, value)
  } else if (drift === 'retyped') {
    Reflect.set(holder, name, retyped(value))
  } else {
    Reflect.deleteProperty(holder, name)
    if (drift === 'renamed') Reflect.set(holder, `new_${name}`, value)
  }
}

function retyped(value: unknown): unknown {
  if (typeof value === 'string') return { value }
  if (typeof value === 'object') return Array.isArray(value) ? { items: value } : [value]
  return String(value)
}

function fieldsOf(value: unknown, path = '', found = new Set<string>()) {
  if (Array.isArray(value)) {
    for (const item of value) fieldsOf(item, path, found)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) {
      const here = path === '' ? name : `${path}.${name}`
      found.add(here)
      fieldsOf(inner, here, found)
    }
  }
  return [...found]
}

function holdersOf(value: unknown, path: readonly string[]): object[] {
  if (Array.isArray(value)) return value.flatMap((item) => holdersOf(item, path))
  if (typeof value !== 'object' || value === null) return []
  const [name, ...rest] = path
  return name === undefined ? [value] : holdersOf(Reflect.get(value, name), rest)
}

function pick<T>(list: readonly T[], chance: number) {
  return list[Math.floor(chance * list.length)]
}
