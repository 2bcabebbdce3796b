import http from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'

const MAX_REST_MS = 250
/** Start of the answer that some proxies send before they close an idle connection. */
const IDLE_END = /^HTTP\/1\.[01] 408 /

export type AnswerOwner = 'own' | 'other' | 'nothing'

/** Code of the failure of an answer that may be another request's. */
export const ANSWER_OUT_OF_TURN = 'ANSWER_OUT_OF_TURN'

interface WatchedRequest {
  startedAt: number
  owner: AnswerOwner
  /** False if the answer may be that of another request. */
  isOwn: Promise<boolean> | undefined
}

/**
 * Detects response desynchronisation on kept-alive connections: an unrequested answer would be taken for that of the
 * next request. So a connection rests before it is used again. If bytes come meanwhile, the last answer may be another
 * request's, and from then on each request gets a new connection.
 */
export class DesyncGuard {
  readonly #agents: readonly http.Agent[]
  readonly #watched = new WeakMap<http.ClientRequest, WatchedRequest>()
  readonly #rests = new WeakMap<Duplex, Promise<unknown>>()
  readonly #unwatch = new WeakMap<Duplex, () => void>()
  #areKept = true
  #longestMs = 0

  constructor(agents: readonly http.Agent[]) {
    this.#agents = agents
    for (const agent of agents) this.#holdBack(agent)
  }

  watch(request: http.ClientRequest): http.ClientRequest {
    const watched: WatchedRequest = { startedAt: performance.now(), owner: 'own', isOwn: undefined }
    this.#watched.set(request, watched)
    return request.on('response', (answer) => {
      answer.on('end', () => {
        // Only kept connections are used again.
        if (request.shouldKeepAlive && request.socket)
          watched.isOwn = this.#rest(request, request.socket, watched)
      })
    })
  }

  /**
   * Resolves to true if a complete answer belongs to the request. An answer without a name is accepted after the
   * connection was quiet for as long as the longest request took: the real answer would have come.
   */
  async isOwn(request: unknown, owner: AnswerOwner) {
    const watched = request instanceof http.ClientRequest ? this.#watched.get(request) : undefined
    if (!(request instanceof http.ClientRequest) || !watched) return true
    watched.owner = owner
    // The first answer on a connection is the request's own, whatever name is in it.
    if (owner === 'other' && request.reusedSocket) {
      this.#separate()
      return false
    }
    return (await watched.isOwn) ?? true
  }

  #separate() {
    this.#areKept = false
    for (const agent of this.#agents) {
      Object.assign(agent, { keepAlive: false })
      for (const sockets of Object.values(agent.freeSockets)) for (const one of sockets ?? []) one.destroy()
    }
  }

  #rest(request: http.ClientRequest, socket: Socket, watched: WatchedRequest) {
    let isQuiet = true
    const onData = (bytes: Buffer) => {
      socket.destroy()
      if (IDLE_END.test(bytes.toString('latin1', 0, 16))) return
      isQuiet = false
      this.#separate()
    }
    // The agent handles errors only after it has the connection back.
    const onError = () => socket.destroy()
    // Node.js closes a connection with two answers in one piece.
    if (socket.destroyed && !socket.readableEnded && socket.errored === null) onData(Buffer.alloc(0))
    socket.on('data', onData).on('error', onError)
    this.#unwatch.set(socket, () => socket.off('data', onData).off('error', onError))
    const isFirst = !request.reusedSocket
    const isOwn = () => isQuiet && (isFirst || this.#areKept)
    this.#longestMs = Math.max(performance.now() - watched.startedAt, this.#longestMs * 0.98)
    const restMs = Math.min(MAX_REST_MS, this.#longestMs)
    // Bytes that have arrived by now are read in the next turns.
    const short = new Promise<void>((resolve) => setImmediate(setImmediate, resolve))
    const rest = short.then(() => (watched.owner === 'nothing' ? delay(restMs) : undefined))
    this.#rests.set(socket, rest)
    return (isFirst ? short : rest).then(isOwn)
  }

  #holdBack(agent: http.Agent) {
    const { emit, reuseSocket } = agent
    agent.emit = (event: string, ...args: unknown[]) => {
      const rest = event === 'free' ? this.#rests.get(args[0] as Duplex) : undefined
      if (rest === undefined) return emit.call(agent, event, ...args)
      rest.then(() => emit.call(agent, event, ...args))
      return true
    }
    agent.reuseSocket = (socket, request) => {
      this.#unwatch.get(socket)?.()
      reuseSocket.call(agent, socket, request)
    }
  }
}
