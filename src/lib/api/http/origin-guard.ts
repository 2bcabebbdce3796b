import { appError } from '../../errors.ts'

export function isLoopbackHost(hostname: string) {
  // The URL parser turns `127.1` and `0x7f.0.0.1` into dotted decimals.
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}

export function isSentUnencrypted({ protocol, hostname }: URL) {
  return protocol === 'http:' && !isLoopbackHost(hostname)
}

/**
 * Takes a URL that the settings have checked (`baseUrlProblem`).
 * @throws AppError `config` for a token that would cross a network in the clear
 */
export function checkedBaseUrl(baseUrl: string, hasSecret: boolean): URL {
  const url = new URL(baseUrl)
  if (hasSecret && isSentUnencrypted(url)) {
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
