import { AppError } from '../../errors.ts'
import type { Return } from '../../wire/returns.ts'
import { returnListSchema, returnSchema } from '../../wire/returns.ts'
import type { SandboxActions } from '../actions/sandbox-actions.ts'

export interface Stage {
  world: SandboxActions
  /** The platform's time, ms since the epoch. */
  now(): number
  /** Codes. */
  shops(): readonly string[]
  /** Answers to a token of that moment for all shops. Paths come after the API's prefix. */
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
}

/** A return by id or RMA name. @throws AppError `not-found`, or `rejected` for a name in several shops */
export async function findReturn(stage: Stage, returnRef: string): Promise<Return> {
  if (/^\d+$/.test(returnRef)) {
    const { status, body } = await stage.request('GET', `/returns/${returnRef}`)
    if (status === 200) return returnSchema.parse(body)
    throw new AppError('not-found', `There is no return ${returnRef}`)
  }
  const { body } = await stage.request('GET', `/returns?${new URLSearchParams({ name: returnRef })}`)
  const [found, another] = returnListSchema.parse(body).returns
  if (found === undefined) throw new AppError('not-found', `There is no return ${returnRef}`)
  if (another === undefined) return found
  throw new AppError('rejected', `Several returns have the name ${returnRef}; name one by its id`)
}

export function idOf({ id, name }: Return): string {
  return id ?? name
}
