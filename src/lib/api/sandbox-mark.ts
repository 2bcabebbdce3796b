import { SANDBOX_HEADER, SANDBOX_TIME_HEADER } from '../wire/read.ts'
import type { Http } from './http/client.ts'
import type { HttpResponse } from './http/error-map.ts'

/** Identifies a platform by its base URL, or the id of a sandbox's data. */
export function platformName({ baseUrl }: Http, sandboxId: string | undefined): string {
  return sandboxId === undefined ? baseUrl : `sandbox ${sandboxId}`
}

export interface FoundPlatform {
  platform: string
  /** Ms since the epoch by a sandbox's clock; undefined for a live platform. */
  sandboxNow: number | undefined
}

/** Asks with the smallest read (spec §4.7). @throws AppError */
export async function readPlatform(http: Http): Promise<FoundPlatform> {
  const { headers } = await http.probe({ method: 'GET', path: '/returns', query: { limit: 1 } })
  const sandbox = sandboxMarkIn(headers)
  return { platform: platformName(http, sandbox?.id), sandboxNow: sandbox?.now }
}

/** Returns the id of the sandbox's data, which a reset changes, and its time; undefined for a live platform. */
export function sandboxMarkIn(headers: HttpResponse['headers']) {
  const id = headers[SANDBOX_HEADER]
  const now = Date.parse(headers[SANDBOX_TIME_HEADER] ?? '')
  return id === undefined || Number.isNaN(now) ? undefined : { id, now }
}
