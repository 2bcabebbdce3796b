import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { defaultedFlag, type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { dataFlags, openControl, type SandboxControl } from './running-sandboxes.ts'
import { requestSchema, requestsView } from './sandbox.result.ts'

export const requestFlags = {
  last: defaultedFlag('N', '50', 'Maximum number of requests'),
  status: textFlag('STATUS', 'Only 404, 5xx, or none: those without an answer'),
  route: textFlag('ROUTE', "Only of a route: 'GET /returns*', '* /shipping_labels'"),
  follow: switchFlag('Print new requests as they come'),
  ...dataFlags,
}

type RequestFlags = FlagValues<typeof requestFlags>

const POLL_MS = 300

export async function readRequests(context: Context, flags: RequestFlags) {
  const control = await openControl(context, flags.data)
  return (await ask(control, flags, { last: flags.last })).requests
}

/** Runs until interrupted or the sandbox ends. */
export async function followRequests(context: Context, flags: RequestFlags) {
  const control = await openControl(context, flags.data)
  const { interrupt } = context.io
  let query: Readonly<Record<string, string>> = { last: flags.last }
  for (let isFirst = true; !interrupt.aborted; await context.io.pause(POLL_MS, interrupt)) {
    const { requests: items, total } = await ask(control, flags, query)
    query = { after: String(total) }
    if (items.length === 0) continue
    await context.render({ kind: 'part', items, view: requestsView, isFirst })
    await context.streams.flush()
    isFirst = false
  }
}

async function ask(
  control: SandboxControl,
  { status, route }: RequestFlags,
  query: Readonly<Record<string, string>>,
) {
  const wanted = new URLSearchParams(query)
  if (status !== undefined) wanted.set('status', status)
  if (route !== undefined) wanted.set('route', route)
  const answer = z.object({ total: z.number(), requests: z.array(await requestSchema()) })
  return answer.parse(await control.call('GET', `/requests?${wanted}`))
}
