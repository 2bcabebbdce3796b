import { ApiError, json, Reply, refusal } from '../http/answers.ts'
import type { ServerExchange } from '../http/received-request.ts'
import { driftDocument } from './drift.ts'
import type { Fault } from './fault.ts'
import type { Hit } from './faults.ts'

export interface Scene {
  hit: Hit
  exchange: ServerExchange
  commit(): Promise<Reply>
  /** Request id of answers that the platform did not make. */
  requestId: string
  /** Ms since the epoch. */
  now: number
  onSilence(): void
}

const DEFAULT_LATE_MS = 10_000
const DEFAULT_HOLD_MS = 300_000
const DEFAULT_RETRY_AFTER_SECONDS = 1

export async function inflict(scene: Scene): Promise<Reply | undefined> {
  const { fault } = scene.hit
  const reply = await ACTS[fault.kind](scene)
  if (reply && !reply.headers.has(FAULT_HEADER)) mark(reply, fault)
  return reply
}

type Act = (scene: Scene) => Promise<Reply | undefined>

const ACTS: Readonly<Record<Fault['kind'], Act>> = {
  late: async ({ commit, exchange, hit }) => {
    const reply = await commit()
    await pause(hit.fault.delayMs ?? DEFAULT_LATE_MS, exchange)
    return reply
  },
  never: hold,
  'never-after-commit': async (scene) => {
    await scene.commit()
    return hold(scene)
  },
  reset,
  'reset-after-commit': async (scene) => {
    await scene.commit()
    return reset(scene)
  },
  'cut-body': cutBody,
  401: async (scene) =>
    refuse(scene, 401, 'AU02', 'The token is invalid', {
      'WWW-Authenticate': 'Bearer error="invalid_token"',
    }),
  429: async (scene) => refuse(scene, 429, 'RL01', 'Too many requests', retryAfter(scene, true)),
  500: async (scene) => refuse(scene, 500, 'IE01', 'Internal error'),
  503: async (scene) => refuse(scene, 503, 'UN01', 'The service is unavailable', retryAfter(scene, false)),
  '500-after-commit': async (scene) => {
    await scene.commit()
    return refuse(scene, 500, 'IE01', 'Internal error')
  },
  html: async ({ hit }) => new Reply(HTML, hit.fault.status ?? 502, { 'Content-Type': 'text/html' }),
  'wrong-content-type': async ({ commit }) => {
    const reply = await commit()
    reply.headers.set('Content-Type', 'text/plain')
    return reply
  },
  'schema-drift': drift,
}

const FAULT_HEADER = 'X-Sandbox-Fault'

function mark({ headers }: Reply, { id, kind }: Fault, more = ''): void {
  headers.set(FAULT_HEADER, `${id}; kind=${kind}${more}`)
}

const HTML =
  '<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n'

function refuse(
  { requestId }: Scene,
  status: 401 | 429 | 500 | 503,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): Reply {
  return refusal(ApiError.of(status, code, message, headers), requestId)
}

/** A 503 says when to come back only if the fault does. */
function retryAfter({ hit, now }: Scene, isNeeded: boolean): Record<string, string> {
  const { retryAfter: given, retryAfterForm } = hit.fault
  if (given === undefined && retryAfterForm === undefined && !isNeeded) return {}
  const seconds = given ?? DEFAULT_RETRY_AFTER_SECONDS
  const date = new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString()
  return { 'Retry-After': retryAfterForm === 'date' ? date : String(seconds) }
}

async function hold({ exchange, hit, onSilence }: Scene): Promise<undefined> {
  onSilence()
  await pause(hit.fault.delayMs ?? DEFAULT_HOLD_MS, exchange)
  exchange.incoming.socket.destroy()
}

async function reset({ exchange, onSilence }: Scene): Promise<undefined> {
  onSilence()
  exchange.incoming.socket.resetAndDestroy()
}

async function cutBody({ commit, exchange, hit }: Scene): Promise<undefined> {
  const reply = await commit()
  mark(reply, hit.fault)
  const { bytes } = reply
  const { incoming, outgoing } = exchange
  outgoing.writeHead(reply.status, {
    ...Object.fromEntries(reply.headers),
    'Content-Length': bytes.length,
  })
  // The head is held back if there is no body (HEAD).
  if (bytes.length < 2 || incoming.method === 'HEAD') return void incoming.socket.destroy()
  await new Promise<void>((resolve) => {
    outgoing.once('close', resolve)
    outgoing.write(bytes.subarray(0, bytes.length >> 1), () => incoming.socket.destroy())
  })
}

async function drift({ commit, hit }: Scene): Promise<Reply> {
  const reply = await commit()
  const { status, headers, text } = reply
  const drifted =
    headers.get('Content-Type') === 'application/json' ? driftDocument(JSON.parse(text), hit) : undefined
  if (drifted === undefined) {
    mark(reply, hit.fault, '; drift=none')
    return reply
  }
  const changed = json(status, Object(drifted.document), Object.fromEntries(headers))
  mark(changed, hit.fault, `; drift=${drifted.drift}; field=${encodeURIComponent(drifted.field)}`)
  return changed
}

function pause(ms: number, { closing, outgoing }: ServerExchange): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', end)
      outgoing.off('close', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    closing.addEventListener('abort', end)
    outgoing.on('close', end)
    if (closing.aborted || outgoing.destroyed) end()
  })
}
