import type { SandboxActions } from '../actions/sandbox-actions.ts'
import type { StoredFaults } from '../faults/stored-faults.ts'
import type { Platform } from '../http/operation.ts'
import type { RequestLog } from '../http/request-log.ts'
import type { PlayedStep } from '../scenarios/play.ts'

export interface Controlled {
  platform: Platform
  world: SandboxActions
  faults: StoredFaults
  log: RequestLog
  /** Makes a bearer token. @throws AppError `usage` for a shop that there is not */
  issueToken(wanted: { shops?: readonly string[] | undefined; lifetimeSeconds?: number | undefined }): string
  /** Replaces all data. @throws AppError `usage` for a number out of range */
  reset(wanted: { seed?: number | undefined; returns?: number | undefined }): Promise<void>
  /** Plays a scenario. @throws AppError `usage` that names all that is wrong with it */
  play(scenario: unknown): Promise<PlayedStep[]>
}

export interface ControlCall extends Controlled {
  params: URLSearchParams
  part(name: string): string
  /** The body as JSON, undefined without one. @throws ApiError 400 if it is not JSON */
  body(): Promise<unknown>
  server: ServerFacts
}

export interface ServerFacts {
  /** ISO 8601. */
  startedAt: string
  /** `200/1s`; undefined without a limit. */
  rateLimit?: string | undefined
}

export interface ControlOperation {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** After `/__sandbox`, its parts named as `:faultId`. */
  path: string
  /** The body of the answer. @throws ApiError, or AppError: `usage` and `rejected` become a 400, `not-found` a 404 */
  answer(call: ControlCall): object | Promise<object>
}
