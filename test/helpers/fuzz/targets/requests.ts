import fc from 'fast-check'
import { openSandbox, type Sandbox } from '../../../../src/lib/sandbox/index.ts'
import { clientOf, NOW, received } from '../../sandbox-requests.ts'
import { expectDocumented } from '../documented.ts'
import type { FuzzTarget } from '../play.ts'
import { PROBE_GROUPS, probesOf } from '../probes.ts'

/** Requests to one sandbox before it is replaced. */
const REQUESTS_OF_ONE = 20_000
/** A list of more takes most of the time of all requests. */
const RETURNS = 12
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** Pages that do not depend on the request. */
const OF_NO_INPUT = /^\/(?:openapi\.json)?(?:[?#]|$)/
const PLAIN = /^\/integration\/v1(?:\/[\w-]+)*(?:\?|$)/

let open: { sandbox: Sandbox; token: string; left: number } | undefined

async function theSandbox() {
  if (open && open.left > 0) return open
  open?.sandbox.close()
  const clock = { now: () => NOW }
  const sandbox = await openSandbox({ file: ':memory:', clock, returns: RETURNS, sleep: async () => {} })
  open = { sandbox, token: sandbox.issueToken(), left: REQUESTS_OF_ONE }
  return open
}

/** Every answer to `METHOD TARGET`, a line feed and a body matches the documentation. */
export const requests: FuzzTarget = {
  kinds: [],
  async check(bytes) {
    const place = await theSandbox()
    place.left -= 1
    const [head = '', ...lines] = bytes.toString().split('\n')
    const [word = '', target = '/'] = head.split(' ')
    const url = `http://sandbox.test${target}`
    if (!target.startsWith('/') || !URL.canParse(url) || OF_NO_INPUT.test(target)) return
    const method = METHODS.includes(word) ? word : 'GET'
    const headers = [['authorization', `Bearer ${place.token}`]] as [string, string][]
    const request = received(url, { method, headers, body: lines.join('\n').replace(/^\ufeff/, '') })
    const probe = { method, target, headers, isAuthentic: true, isPlain: PLAIN.test(target) }
    const answer = await place.sandbox.fetch(request)
    expectDocumented(probe, answer)
    return `${method} ${answer.status} ${/"code":"(\w+)"/.exec(answer.text)?.[1]}`
  },
  async inputs() {
    const { sandbox } = await theSandbox()
    const probes = probesOf({ sandbox, returns: await clientOf(sandbox).allReturns() })
    return fc
      .oneof(...PROBE_GROUPS.map((group) => probes[group]))
      .map(({ method, target, body = '' }) =>
        Buffer.concat([Buffer.from(`${method} ${target}\n`), Buffer.from(body as string)]),
      )
  },
}
