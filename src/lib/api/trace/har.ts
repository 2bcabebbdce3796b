import { closeSync, fchmodSync, ftruncateSync, openSync } from 'node:fs'
import { causedBy, errorCode } from '../../errors.ts'
import { writeAll } from '../../files/temporary-file.ts'
import type { Exchange, ExchangeObserver } from '../http/request.ts'
import { maskBody, maskEntry, maskUrl } from './mask.ts'

const MAX_BODY_CHARACTERS = 1_000_000
const FOOTER = '\n]}}\n'

interface HarWriter extends ExchangeObserver {
  close(): void
}

/**
 * Writes masked HAR 1.2 of mode 0600, valid after each entry. An entry that can't be written is left out, since its
 * request may have taken effect. @throws AppError `usage` if the file can't be created
 */
export function harWriter(
  file: string,
  creator: { name: string; version: string },
  onGap: (warning: string) => void,
): HarWriter {
  const guard = <T>(act: () => T): T => {
    try {
      return act()
    } catch (cause) {
      const reason = errorCode(cause) ?? String(cause)
      throw causedBy(
        cause,
        'usage',
        `The trace file ${file} can't be written (${reason})`,
        'give --trace a file in a folder that exists and that you may write to',
      )
    }
  }
  const descriptor = guard(() => openSync(file, 'a', 0o600))
  let end = 0
  let separator = ''
  let hasGap = false
  const put = (text: string) => {
    ftruncateSync(descriptor, end)
    writeAll(descriptor, Buffer.from(text + FOOTER))
  }
  const append = (text: string) =>
    guard(() => {
      try {
        put(text)
      } catch (error) {
        // Half an entry would make the file unreadable.
        put('')
        throw error
      }
      end += Buffer.byteLength(text)
    })
  // `open` sets the mode of new files only.
  guard(() => fchmodSync(descriptor, 0o600))
  append(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`)
  return {
    finished: (exchange) => {
      try {
        append(`${separator}\n${JSON.stringify(harEntry(exchange))}`)
        separator = ','
      } catch (error) {
        if (!hasGap) onGap(`${(error as Error).message}: requests are missing from it.`)
        hasGap = true
      }
    },
    close: () => closeSync(descriptor),
  }
}

/** Unknown sizes are -1. */
export function harEntry({ request, durationMs, response, failure }: Exchange) {
  const { url, body, hidesQuery } = request
  const httpVersion = `HTTP/${response?.httpVersion ?? '1.1'}`
  const posted = body === undefined ? undefined : cut(maskBody(body))
  return {
    startedDateTime: new Date(request.startedAt).toISOString(),
    time: durationMs,
    request: {
      method: request.method,
      url: maskUrl(url, { hidesQuery }),
      httpVersion,
      cookies: [],
      headers: pairs(Object.entries(request.headers)),
      queryString: hidesQuery ? [] : pairs([...url.searchParams]),
      ...(posted && { postData: { mimeType: request.headers['content-type'] ?? '', params: [], ...posted } }),
      headersSize: -1,
      bodySize: body === undefined ? 0 : Buffer.byteLength(body),
    },
    response: harResponse(response, httpVersion),
    cache: {},
    timings: harTimings(response?.phases ?? {}, durationMs),
    comment: failure
      ? `attempt ${request.attempt}: ${failure.words} (${failure.code})`
      : `attempt ${request.attempt}`,
  }
}

function harResponse(response: Exchange['response'], httpVersion: string) {
  const { status = 0, statusText = '', headers = {}, text = '', bytes = 0 } = response ?? {}
  return {
    status,
    statusText,
    httpVersion,
    cookies: [],
    headers: pairs(Object.entries(headers)),
    content: { size: bytes, mimeType: headers['content-type'] ?? '', ...cut(maskBody(text)) },
    redirectURL: maskEntry('location', headers.location ?? ''),
    headersSize: -1,
    bodySize: -1,
  }
}

/** HAR requires `send`, `wait` and `receive`; unknown others are -1. */
function harTimings(phases: NonNullable<Exchange['response']>['phases'], durationMs: number) {
  const { dns = -1, tcp: connect = -1, tls: ssl = -1, request: send = 0 } = phases
  const { firstByte: wait = durationMs, download: receive = 0 } = phases
  return { blocked: -1, dns, connect, ssl, send, wait, receive }
}

function pairs(entries: [string, string][]) {
  return entries.map(([name, value]) => ({ name, value: maskEntry(name, value) }))
}

function cut(text: string): { text: string; comment?: string } {
  if (text.length <= MAX_BODY_CHARACTERS) return { text }
  return {
    text: text.slice(0, MAX_BODY_CHARACTERS),
    comment: `cut at ${MAX_BODY_CHARACTERS} of ${text.length} characters`,
  }
}
