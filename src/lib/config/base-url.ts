/** Ends a sentence that begins with its name; undefined for a good one. */
export function baseUrlProblem(text: string): string | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return 'is not a URL; it looks like https://api.example.com'
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://'
  if (url.username || url.password)
    return 'must not hold a user name or password; the token is given on its own'
  if (url.search || url.hash) return 'must not have a query (?) or a fragment (#)'
  return undefined
}

export function labelHostProblem(text: string): string | undefined {
  const isHost = /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`https://${text}`)
  return isHost ? undefined : 'is not a host, such as labels.example.com or 10.0.0.5:8443'
}

/** Returns the base of request paths. The built-in sandbox has an address only while a command runs. */
export function requestBase({
  baseUrl,
  isSandbox,
}: {
  baseUrl?: { value: string } | undefined
  isSandbox: boolean
}): string {
  return isSandbox ? '' : (baseUrl?.value.replace(/\/+$/, '') ?? '')
}
