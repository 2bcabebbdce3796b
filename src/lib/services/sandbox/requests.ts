import type { RequestRow } from '../../output/views/sandbox.ts'
import { type ControlContext, openControl } from './control-client.ts'

interface RequestFlags {
  data?: string | undefined
  last: string
  status?: string | undefined
  route?: string | undefined
}

export async function readRequests(context: ControlContext, flags: RequestFlags): Promise<RequestRow[]> {
  const control = await openControl(context, flags.data)
  const wanted = new URLSearchParams({ last: flags.last })
  if (flags.status !== undefined) wanted.set('status', flags.status)
  if (flags.route !== undefined) wanted.set('route', flags.route)
  const answer = await control.call('GET', `/requests?${wanted}`)
  const list: unknown = Reflect.get(Object(answer), 'requests')
  return Array.isArray(list) ? list : []
}
