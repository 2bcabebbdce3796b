import type { IncomingMessage, ServerResponse } from 'node:http'

/** A request with its connection. */
export interface Exchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Aborted when the server begins to close. */
  closing: AbortSignal
}

/** @returns undefined if the connection was dealt with otherwise */
export type Handler = (request: Request, exchange: Exchange) => Promise<Response | undefined>
