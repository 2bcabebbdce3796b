import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHead } from './received-request.ts'
import type { Reply } from './reply.ts'

export interface ServerExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Aborted when the server begins to close. */
  closing: AbortSignal
}

/** Answers a request. Without a reply, it has done with the connection what was to be done. */
export type Handler = (head: RequestHead, exchange: ServerExchange) => Promise<Reply | undefined>
