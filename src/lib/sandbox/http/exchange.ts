import type { IncomingMessage, ServerResponse } from 'node:http'

export interface ServerExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Aborted when the server begins to close. */
  closing: AbortSignal
}

/** Answers a request. Without a response, it has done with the connection what was to be done. */
export type Handler = (request: Request, exchange: ServerExchange) => Promise<Response | undefined>
