import { expect, it } from 'vitest'
import { type ProxyEnv, proxyFor } from '../../../../src/lib/api/http/proxy.ts'

const P = 'http://proxy.corp:3128'

it.each<[string, ProxyEnv, string | undefined]>([
  ['https://api.example.com/x', {}, undefined],
  ['https://api.example.com/x', { HTTPS_PROXY: P }, P],
  ['https://api.example.com/x', { HTTPS_PROXY: 'http://upper', https_proxy: P }, P],
  ['https://api.example.com/x', { HTTP_PROXY: P }, undefined],
  ['http://api.example.com/x', { HTTP_PROXY: P }, P],
  ['https://api.example.com/x', { ALL_PROXY: P }, P],
  ['https://api.example.com/x', { HTTPS_PROXY: 'proxy.corp:3128' }, P],
  ['https://api.example.com/x', { HTTPS_PROXY: '' }, undefined],
  ['https://api.example.com', { HTTPS_PROXY: P, NO_PROXY: '*' }, undefined],
  ['https://api.example.com', { HTTPS_PROXY: P, NO_PROXY: 'a.com, example.com' }, undefined],
  ['https://api.example.com', { HTTPS_PROXY: P, no_proxy: '.example.com' }, undefined],
  ['https://api.example.com', { HTTPS_PROXY: P, no_proxy: '*.EXAMPLE.com' }, undefined],
  ['https://api.example.com', { HTTPS_PROXY: P, no_proxy: 'ample.com' }, P],
  ['https://api.example.com', { HTTPS_PROXY: P, no_proxy: 'api.example.com:443' }, undefined],
  ['https://api.example.com', { HTTPS_PROXY: P, no_proxy: 'api.example.com:8443' }, P],
  ['https://10.1.2.3', { HTTPS_PROXY: P, no_proxy: '10.0.0.0/8' }, undefined],
  ['https://11.1.2.3', { HTTPS_PROXY: P, no_proxy: '10.0.0.0/8,nonsense/8,10.0.0.0/99' }, P],
  ['https://[fd00::1]', { HTTPS_PROXY: P, no_proxy: 'fd00::/8' }, undefined],
  ['https://[fd00::1]', { HTTPS_PROXY: P, no_proxy: '[fd00::1]' }, undefined],
  // A loopback address means another machine to the proxy, unless it is on this one.
  ['http://127.0.0.1:4010', { HTTP_PROXY: P }, undefined],
  ['http://localhost:4010', { HTTP_PROXY: 'http://127.0.0.1:8888' }, 'http://127.0.0.1:8888'],
])('the proxy for %s with %o → %s', (target, env, expected) => {
  expect(proxyFor(new URL(target), env)?.origin).toBe(expected)
})

it.each(['socks5://127.0.0.1:1080', 'http://', 'http://u:pa%ss@127.0.0.1:1'])(
  'proxyFor refuses %s, naming the variable',
  (value) => {
    expect(() => proxyFor(new URL('https://api.example.com'), { https_proxy: value })).toThrow(
      expect.objectContaining({ kind: 'config', message: expect.stringContaining('https_proxy') }),
    )
  },
)
