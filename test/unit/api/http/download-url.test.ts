import { hostname } from 'node:os'
import { expect, it } from 'vitest'
import { createUrlFetcher, isInsideHost } from '../../../../src/lib/api/http/download-url.ts'
import { caFile, leafTls as tls } from '../../../helpers/leaf-tls.ts'
import { expectRejection } from '../../../helpers/rejections.ts'
import { scriptServer } from '../../../helpers/script-server.ts'

type FetchLimits = Parameters<ReturnType<typeof createUrlFetcher>['fetch']>[1]

type UrlFetcherOptions = Parameters<typeof createUrlFetcher>[0]

async function read(
  url: string,
  limits: Partial<FetchLimits> = {},
  options: Partial<UrlFetcherOptions> = {},
) {
  const platform = new URL(url).origin
  const common = {
    userAgent: 'test',
    platform,
    timeoutMs: 1000,
    retries: 1,
    env: {},
    now: Date.now,
    random: () => 0,
  }
  const fetcher = createUrlFetcher({ ...common, ...options })
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of fetcher.fetch(url, { maxBytes: 1000, timeoutMs: 5000, ...limits }))
      chunks.push(chunk)
  } finally {
    fetcher.close()
  }
  return Buffer.concat(chunks).toString()
}

it('download retries a failed attempt', async () => {
  const server = await scriptServer([{ status: 503 }, { body: 'label' }])
  expect(await read(`${server.baseUrl}/x`)).toBe('label')
})

it('each download attempt has its own time limit', async () => {
  const server = await scriptServer([{ fault: 'hang' }, { body: 'label' }])
  expect(await read(`${server.baseUrl}/x`, {}, { timeoutMs: 200 })).toBe('label')
})

it.each([
  ['expired', [{ status: 403 }], 'rejected', /HTTP 403/],
  ['gone', [{ status: 404 }], 'not-found', /HTTP 404/],
  ['sent in part', [{ status: 206, body: 'lab' }], 'rejected', /HTTP 206/],
  ['failing', [{ status: 500 }, { status: 500 }], 'unavailable', /HTTP 500/],
  ['too large', [{ body: 'x'.repeat(2000) }], 'contract', /more than 1000 bytes/],
  ['cut', [{ body: 'x'.repeat(500), fault: 'cut-body' }], 'unavailable', /broke off|aborted/],
  ['never ending', [{ fault: 'hang' }, { fault: 'hang' }], 'unavailable', /more than 0\.3 s/],
  ['another protocol', [{ status: 302, headers: { location: 'file:///etc/passwd' } }], 'contract', /https/],
] as const)('%s', async (name, script, kind, message) => {
  const server = await scriptServer(script)
  const [limits, options] = name === 'never ending' ? [{ timeoutMs: 300 }, { timeoutMs: 200 }] : []
  await expect(read(`${server.baseUrl}/x`, limits, options)).rejects.toMatchObject({
    kind,
    message: expect.stringMatching(message),
  })
})

it('download stops at a redirect loop', async () => {
  const server = await scriptServer(() => ({ status: 301, headers: { location: '/again' } }))
  await expectRejection(read(`${server.baseUrl}/x`), 'contract')
  expect(server.requests.length).toBeLessThan(10)
})

it('download ends on an abort', async () => {
  const server = await scriptServer([{ fault: 'hang' }])
  const signal = AbortSignal.timeout(100)
  await expectRejection(read(`${server.baseUrl}/x`, { signal }), 'interrupted')
})

it('a redirect from https:// to http:// is not followed, since anybody on the way could put another label there', async () => {
  const plain = await scriptServer([])
  const secure = await scriptServer([{ status: 302, headers: { location: `${plain.baseUrl}/label` } }], {
    tls,
  })
  await expectRejection(
    read(`${secure.baseUrl}/x`, {}, { caFile }),
    'contract',
    `127.0.0.1:${secure.port} redirects from https:// to http:// (127.0.0.1:${plain.port}); not followed.`,
  )
  expect(plain.requests).toEqual([])
})

it('a redirect from http:// of the platform to https://, and on to another host, is followed', async () => {
  const last = await scriptServer([{ body: 'label' }], { tls })
  const middle = await scriptServer([{ status: 307, headers: { location: `${last.baseUrl}/2` } }], { tls })
  const first = await scriptServer([{ status: 301, headers: { location: `${middle.baseUrl}/1` } }])
  const labelHosts = [`127.0.0.1:${middle.port}`, `127.0.0.1:${last.port}`]
  expect(await read(`${first.baseUrl}/0`, {}, { caFile, labelHosts })).toBe('label')
})

const platform = 'https://platform.example'

it.each([
  ...['127.0.0.1', '127.9.9.9', '0.0.0.0', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254'],
  ...['100.64.0.1', '100.127.255.255', '2130706433', '0x7f.1', '[::1]', '[::]', '[::ffff:127.0.0.1]'],
  ...[
    '[::ffff:a9fe:a9fe]',
    '[fe80::1]',
    '[fd00::1]',
    '[64:ff9b::7f00:1]',
    '[2002:0a00:0001::]',
    '[::7f00:1]',
  ],
  ...['localhost', 'localhost.', 'shop.localhost'],
])('the inside address %s is not requested', async (host) => {
  await expect(read(`https://${host}/x`, {}, { platform })).rejects.toMatchObject({
    kind: 'contract',
    message: expect.stringContaining('its own network'),
    hints: [expect.stringContaining('--label-host')],
  })
})

it('a name that leads to an inside address is not connected to', async () => {
  const server = await scriptServer([], { tls })
  // The address belongs to this machine, like its own name.
  const url = `https://${hostname()}:${server.port}/x`
  await expectRejection(read(url, {}, { platform, caFile }), 'contract')
  const named = read(url, { timeoutMs: 2000 }, { platform, caFile, labelHosts: [hostname()], retries: 0 })
  // Asked now: whatever listens there, if anything does.
  await expectRejection(named, 'unavailable')
})

it('a redirect to an inside address or to plain http is not followed', async () => {
  const server = await scriptServer((_request, index) => ({
    status: 302,
    headers: { location: ['https://[::ffff:169.254.169.254]/latest', 'http://example.com/x'][index] ?? '' },
  }))
  await expect(read(`${server.baseUrl}/a`)).rejects.toMatchObject({
    message: expect.stringContaining('a9fe:a9fe'),
  })
  await expect(read(`${server.baseUrl}/b`)).rejects.toMatchObject({
    message: expect.stringContaining('https'),
  })
})

it.each(['8.8.8.8', '[2606:4700::1111]', '100.128.0.1', '172.32.0.1', '[64:ff9b::808:808]'])(
  '%s is an address outside',
  (host) => expect(isInsideHost(host)).toBe(false),
)

it('a proxy resolves names itself, but inside addresses are still refused', async () => {
  const server = await scriptServer(() => ({ status: 503 }))
  const env = { HTTPS_PROXY: server.baseUrl }
  const limits = { timeoutMs: 1000 }
  const named = read(`https://${hostname()}/x`, limits, { platform, env, retries: 0 })
  await expectRejection(named, 'unavailable')
  const literal = read('https://10.0.0.1/x', limits, { platform, env, retries: 0 })
  await expectRejection(literal, 'contract')
})

/** A proxy is asked for whole URLs; it answers itself, so that nothing leaves this machine. */
const proxy = () => scriptServer(() => ({ body: 'by proxy' }))
const withCredentials = (baseUrl: string) => baseUrl.replace('//', '//user:secret@')

it('HTTP_PROXY gets the whole address', async () => {
  const server = await proxy()
  const env = { HTTP_PROXY: withCredentials(server.baseUrl) }
  expect(await read('http://labels.example/a?b=c', {}, { env })).toBe('by proxy')
  expect(server.requests[0]).toMatchObject({
    url: 'http://labels.example/a?b=c',
    headers: {
      host: 'labels.example',
      'proxy-authorization': `Basic ${Buffer.from('user:secret').toString('base64')}`,
    },
  })
  expect(server.requests[0]?.headers.authorization).toBeUndefined()
})

it('NO_PROXY is checked for each redirect, and then the host never sees the proxy’s credentials', async () => {
  const direct = await scriptServer([{ body: 'direct' }], { tls })
  const server = await scriptServer([{ status: 302, headers: { location: `${direct.baseUrl}/label` } }])
  const env = { HTTP_PROXY: withCredentials(server.baseUrl), NO_PROXY: '127.0.0.1' }
  const labelHosts = ['127.0.0.1']
  expect(await read('http://labels.example/a', {}, { env, caFile, labelHosts })).toBe('direct')
  expect(direct.requests[0]).toMatchObject({ url: '/label', headers: { host: `127.0.0.1:${direct.port}` } })
  expect(Object.keys(direct.requests[0]?.headers ?? {})).not.toContain('proxy-authorization')
})

it('HTTPS_PROXY that opens no tunnel is an error, and nothing is requested in the clear', async () => {
  const server = await proxy()
  const env = { HTTPS_PROXY: server.baseUrl }
  const failure = read('https://labels.example/a', { timeoutMs: 1000 }, { env, retries: 0 })
  await expectRejection(failure, 'unavailable', /^labels\.example can't be read/)
  expect(server.requests).toEqual([])
})
