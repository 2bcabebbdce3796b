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

/** Limit of CPU time, independent of other load and far above the need of any request. */
const MAX_CPU_MS = 2000
/** Limit of elapsed time, even on a busy machine. */
const MAX_MS = 15_000

/** A fuzzed sandbox with checks of its state. */
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
  // The first search creates the points, the slowest step of all.
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
  /** Reads all state that a request could change. */
  const state = async () => (await Promise.all(everything.map(read))).join('\n')

  return {
    sandbox,
    /** Sends probes of a group; returns the count of each status. */
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
      // Probes can show a difference only if the data exist.
      const accepted = statuses.get(200) ?? 0
      expect(accepted).toBeGreaterThan(numRuns / 20)
      expect(numRuns - accepted).toBeGreaterThan(numRuns / 20)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
      expect(await totalRecords()).toBe(returns.length)
      return statuses
    },
    /** Sends probes, and asserts that refused ones change no state. Returns the number of refused ones. */
    async fuzzRefused(group: ProbeGroup, numRuns: number): Promise<number> {
      let before = await state()
      let refused = 0
      await fc.assert(
        fc.asyncProperty(fc.array(probes[group], { minLength: 4, maxLength: 4 }), async (several) => {
          // Any change shows in its time stamp.
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

/** Sends a probe, and asserts the time limit of its answer. */
export async function send(sandbox: Sandbox, probe: Probe, maxCpuMs = MAX_CPU_MS): Promise<Answered> {
  const before = process.cpuUsage()
  const { status, headers, text } = await answered(sandbox.fetch(receivedProbe(probe)))
  const { user, system } = process.cpuUsage(before)
  assert((user + system) / 1000 < maxCpuMs, `It took ${(user + system) / 1000} ms of computing`)
  return { status, headers, text }
}

function receivedProbe({ method, target, headers, body = '' }: Probe): ReceivedRequest {
  const text = Buffer.from(body as string).toString()
  return received(`http://sandbox.test${target}`, {
    // The HTTP server itself refuses unknown methods (test/system/fuzz-http.test.ts).
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
