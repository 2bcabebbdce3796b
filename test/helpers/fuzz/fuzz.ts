import assert from 'node:assert/strict'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { ReceivedRequest } from '../../../src/lib/sandbox/http/received-request.ts'
import type { Sandbox } from '../../../src/lib/sandbox/index.ts'
import { NOW, received, testSandbox } from '../sandbox-client.ts'
import { type Answered, expectDocumented } from './documented.ts'
import {
  CLIENT_SHIPMENTS,
  labelExample,
  type Probe,
  type ProbeGroup,
  probesOf,
  pudosExample,
} from './probes.ts'

/** Limit of CPU time, which a busy machine does not change; far more than any of the requests takes. */
const MAX_CPU_MS = 2000
/** Until there has to be an answer, be the machine as busy as it may. */
const MAX_MS = 15_000

/** A sandbox that is fuzzed, and what has become of it. */
export async function fuzzedSandbox({ returns: count = 40 } = {}) {
  let now = NOW
  const { sandbox, request, allReturns } = await testSandbox({
    returns: count,
    clock: { now: () => now },
    sleep: async () => {},
  })
  const returns = await allReturns()
  const probes = probesOf({ sandbox, returns })
  const firstShop = sandbox.shops()[0]?.code ?? ''
  for (const { code } of sandbox.shops()) {
    for (const id of CLIENT_SHIPMENTS) {
      const body = JSON.stringify(labelExample(code, id))
      expect((await request('/shipping_labels', { method: 'POST', body })).status).toBe(200)
    }
  }
  // The first search makes the points, which takes longer than all others.
  expect(
    (await request('/pudos', { method: 'POST', body: JSON.stringify(pudosExample(firstShop)) })).status,
  ).toBe(200)
  const totalRecords = async () => (await request('/returns?limit=1')).body.pageInfo.totalRecords

  const headers = [['authorization', `Bearer ${sandbox.issueToken()}`]] as const
  const read = async (path: string) =>
    (await sandbox.fetch(received(`http://sandbox.test/integration/v1${path}`, { headers }))).text
  const everything = [
    '/returns?limit=500',
    ...returns.map(({ id }) => `/returns/${id}/transportations`),
    ...CLIENT_SHIPMENTS.map((id) => {
      const search = new URLSearchParams({ client_shipment_id: id, shopCode: firstShop })
      return `/shipping_labels?${search}`
    }),
  ]
  /** Reads everything that a request could change. */
  const state = async () => (await Promise.all(everything.map(read))).join('\n')

  return {
    sandbox,
    close: () => sandbox.close(),
    /** Sends so many probes of a group; gives how often each status came. */
    async fuzz(group: ProbeGroup, numRuns: number): Promise<Map<number, number>> {
      const statuses = new Map<number, number>()
      await fc.assert(
        fc.asyncProperty(probes[group], async (probe) => {
          const answer = await send(sandbox, probe)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          expectDocumented(probe, answer)
        }),
        { numRuns },
      )
      // The probes need the data to show a difference.
      const accepted = statuses.get(200) ?? 0
      expect(accepted).toBeGreaterThan(numRuns / 20)
      expect(numRuns - accepted).toBeGreaterThan(numRuns / 20)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
      expect(await totalRecords()).toBe(returns.length)
      return statuses
    },
    /** Sends probes, and looks whether those refused have changed anything. Gives how many were refused. */
    async fuzzRefused(group: ProbeGroup, numRuns: number): Promise<number> {
      let before = await state()
      let refused = 0
      await fc.assert(
        fc.asyncProperty(fc.array(probes[group], { minLength: 4, maxLength: 4 }), async (several) => {
          // Whatever is touched shows it.
          now += 1000
          for (const probe of several) {
            const { status } = await send(sandbox, probe)
            if (status === 200) before = await state()
            else refused += 1
          }
          expect(await state()).toBe(before)
        }),
        { numRuns: Math.ceil(numRuns / 4) },
      )
      return refused
    },
  }
}

/** The answer to a probe, which has to be there in time. */
export async function send(sandbox: Sandbox, probe: Probe, maxCpuMs = MAX_CPU_MS): Promise<Answered> {
  const before = process.cpuUsage()
  const { status, headers, text } = await answered(sandbox.fetch(receivedProbe(probe)))
  const { user, system } = process.cpuUsage(before)
  assert((user + system) / 1000 < maxCpuMs, `It took ${(user + system) / 1000} ms of computing`)
  return { status, headers, text }
}

/** Answer of the server. */
function receivedProbe({ method, target, headers, body = '' }: Probe): ReceivedRequest {
  const text = Buffer.from(body as string).toString()
  return received(`http://sandbox.test${target}`, {
    // The server itself refuses unknown methods (test/system/fuzz-http.test.ts).
    method: method === 'get' ? 'GET' : method,
    headers,
    body: text.startsWith('\ufeff') ? text.slice(1) : text,
  })
}

async function answered<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('There is no answer')), MAX_MS)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
