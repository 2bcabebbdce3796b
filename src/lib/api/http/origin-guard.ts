import { appError } from '../../errors.ts'

export function isLoopbackHost(hostname: string) {
  // The URL parser turns `127.1` and `0x7f.0.0.1` into dotted decimals.
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

export function isReadableOnTheWay({ protocol, hostname }: URL) {
  return protocol === 'http:' && !isLoopbackHost(hostname)
}

/** @throws AppError `config` for a bad URL, or a token that would cross a network in the clear */
export function checkedBaseUrl(baseUrl: string, hasSecret: boolean): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  const example =
    'Give a URL such as https://api.example.com/integration/v1 with --base-url or in the profile'
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    // A misplaced secret is not repeated.
    const shown = /^[\w.:/-]{1,200}$/.test(baseUrl) ? ` "${baseUrl}"` : ''
    throw appError('config', `The base URL${shown} is not an http:// or https:// URL`, example)
  }
  if (url.username || url.password) {
    throw appError(
      'config',
      `The base URL for ${url.host} contains a user name or password`,
      'remove the part before "@": the service takes a bearer token (rma auth login)',
    )
  }
  if (url.search || url.hash) {
    throw appError('config', `The base URL for ${url.host} contains a query or a fragment`, example)
  }
  if (hasSecret && isReadableOnTheWay(url)) {
    throw appError(
      'config',
      `The token would travel readable to everyone on the way to http://${url.host}; nothing was sent`,
      `https://${url.host} as the base URL: plain http:// is only for this machine (localhost)`,
    )
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

export function pathHint({ url: { origin, pathname } }: { url: URL }): string[] {
  return /\/v\d/.test(pathname) ? [] : [`a base URL with its path, such as ${origin}/integration/v1`]
}
