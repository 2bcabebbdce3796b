import http from 'node:http'
import { expect, it } from 'vitest'
import { openLine } from '../../../../src/lib/api/http/line.ts'
import type { Transport } from '../../../../src/lib/api/http/transport.ts'
import { scriptServer } from '../../../helpers/script-server.ts'

it('gives Node.js what is used of a request, and none of the forty other options of got', async () => {
  const server = await scriptServer([{ body: '{}' }, { body: '{}' }])
  const given: string[][] = []
  const request: Transport['request'] = (url, { method, headers, ...others }) => {
    given.push(Object.keys(others))
    return http.request(url, { method, headers })
  }
  const { signal } = new AbortController()
  const line = await openLine(Promise.resolve({ request, close() {} }), { timeoutMs: 5000, signal })
  const url = new URL(`${server.baseUrl}/x`)
  for (const method of ['GET', 'POST'] as const) {
    const body = method === 'POST' ? '{}' : undefined
    const sent = { method, url, headers: { accept: 'text/plain' }, body, attempt: 1, startedAt: 0 }
    expect(await line.receive(sent, { maxBytes: 1000 })).toMatchObject({ status: 200, text: '{}' })
  }
  expect(given).toEqual([[], []])
  expect(server.requests.map((one) => [one.method, one.headers.accept])).toEqual([
    ['GET', 'text/plain'],
    ['POST', 'text/plain'],
  ])
})
