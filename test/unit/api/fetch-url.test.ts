import { expect, it } from 'vitest'
import { createUrlFetcher } from '../../../src/lib/api/fetch-url.ts'
import { scriptServer } from '../../helpers/script-server.ts'

async function read(
  url: string,
  limits: { maxBytes?: number; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const fetcher = createUrlFetcher({ userAgent: 'test', retries: 1, env: {}, now: Date.now, random: () => 0 })
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of fetcher.fetch(url, { maxBytes: 1000, timeoutMs: 5000, ...limits }))
      chunks.push(chunk)
  } finally {
    fetcher.close()
  }
  return Buffer.concat(chunks).toString()
}

it('reads, after another attempt where one helps', async () => {
  const server = await scriptServer([{ status: 503 }, { body: 'label' }])
  expect(await read(`${server.baseUrl}/x`)).toBe('label')
})

it.each([
  ['expired', [{ status: 403 }], 'rejected', /HTTP 403/],
  ['gone', [{ status: 404 }], 'not-found', /HTTP 404/],
  ['failing', [{ status: 500 }, { status: 500 }], 'unavailable', /HTTP 500/],
  ['too large', [{ body: 'x'.repeat(2000) }], 'contract', /more than 0 KiB/],
  ['cut', [{ body: 'x'.repeat(500), fault: 'cut-body' }], 'unavailable', /broke off|aborted/],
  ['never ending', [{ fault: 'hang' }], 'unavailable', /more than 0\.3 s/],
  ['another protocol', [{ status: 302, headers: { location: 'file:///etc/passwd' } }], 'contract', /https/],
] as const)('%s', async (name, script, kind, message) => {
  const server = await scriptServer(script)
  const limits = name === 'never ending' ? { timeoutMs: 300 } : {}
  await expect(read(`${server.baseUrl}/x`, limits)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  })
})

it('does not go round in circles', async () => {
  const server = await scriptServer(() => ({ status: 301, headers: { location: '/again' } }))
  await expect(read(`${server.baseUrl}/x`)).rejects.toMatchObject({ kind: 'contract' })
  expect(server.requests.length).toBeLessThan(10)
})

it('ends on an abort', async () => {
  const server = await scriptServer([{ fault: 'hang' }])
  const signal = AbortSignal.timeout(100)
  await expect(read(`${server.baseUrl}/x`, { signal })).rejects.toMatchObject({ kind: 'interrupted' })
})
