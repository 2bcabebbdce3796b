/** After so many an answer is taken as it is, or for a failure. */
export const MAX_REDIRECTS = 5

/** Returns the target of a redirect, with `to` undefined if `location` is no address; undefined for other answers. */
export function redirectIn(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  from: URL,
): { location: string; to: URL | undefined } | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  return { location, to: URL.canParse(location, from.href) ? new URL(location, from) : undefined }
}

/** Sends to `url`, and on to where `next` says that the answer leads. */
export async function follow<A>(
  url: URL,
  send: (target: URL, hop: number) => Promise<A>,
  next: (answer: A, from: URL, hop: number) => URL | undefined,
): Promise<{ answer: A; target: URL }> {
  let target = url
  for (let hop = 0; ; hop += 1) {
    const answer = await send(target, hop)
    const to = next(answer, target, hop)
    if (to === undefined) return { answer, target }
    target = to
  }
}
