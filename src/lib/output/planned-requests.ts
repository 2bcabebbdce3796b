import { stringifyJson } from '../wire/json.ts'
import type { Result } from './renderer.ts'

export interface PlannedRequest {
  method: string
  /** Relative to the base URL. */
  path: string
  body?: unknown
}

/** Requests that are not sent, under their base URL. As JSON a list, or the one request. */
export function plannedRequests(base: string, requests: readonly PlannedRequest[]): Result<never> {
  const planned = requests.map(({ method, path, body }) => ({ method, url: `${base}${path}`, body }))
  const [only] = planned
  return {
    kind: 'text',
    text: planned.map(asText).join('\n\n'),
    json: planned.length === 1 ? only : planned,
  }
}

function asText({ method, url, body }: { method: string; url: string; body?: unknown }): string {
  return body === undefined ? `${method} ${url}` : `${method} ${url}\n${stringifyJson(body, 2)}`
}
