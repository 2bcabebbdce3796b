import { Flags } from '@oclif/core'
import { stringifyJson } from '../wire/json.ts'
import type { Context } from './context.ts'
import { ask, canAsk, nobodyToAsk } from './question.ts'

/** What every command that writes takes. */
export const writeFlags = {
  'dry-run': Flags.boolean({ char: 'n', summary: 'Print the request that would be sent, and send nothing' }),
  yes: Flags.boolean({ char: 'y', summary: 'Answer the question that a protected profile asks' }),
}

export interface PlannedRequest {
  method: string
  /** Relative to the base URL. */
  path: string
  body?: unknown
}

/** What a request's path comes after; the built-in sandbox has an address only while a command runs. */
export async function requestBase(context: Context): Promise<string> {
  const { baseUrl, isSandbox } = await context.settings()
  return isSandbox ? '' : (baseUrl?.value.replace(/\/+$/, '') ?? '')
}

/** Prints requests instead of sending them. As JSON a list, or the one request. */
export async function showRequests(context: Context, requests: readonly PlannedRequest[]): Promise<void> {
  const base = await requestBase(context)
  const planned = requests.map(({ method, path, body }) => ({ method, url: `${base}${path}`, body }))
  const [only] = planned
  await context.render({
    kind: 'text',
    text: planned.map(asText).join('\n\n'),
    json: planned.length === 1 ? only : planned,
  })
  await context.note(`Dry run: nothing was sent.`)
}

function asText({ method, url, body }: { method: string; url: string; body?: unknown }): string {
  return body === undefined ? `${method} ${url}` : `${method} ${url}\n${stringifyJson(body, 2)}`
}

/**
 * To be called before the first write: under a profile marked `protected`, asks whether this is meant. From here on the
 * command goes on to its end, whatever becomes of its output.
 *
 * @throws AppError `usage` if the answer is no, or if there is nobody to ask
 */
export async function confirmWrite(context: Context, what: string, yes: boolean | undefined): Promise<void> {
  context.streams.outliveReader()
  const { isProtected, profile } = await context.settings()
  if (!isProtected || yes) return
  const name = profile?.value ?? ''
  if (!canAsk(context))
    throw nobodyToAsk(`The profile ${name} is protected`, '--dry-run shows what would be sent')
  await ask(context, `${what} under the protected profile ${name}?`, 'nothing was sent')
}
