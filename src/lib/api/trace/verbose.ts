import { counted } from '../../wire/counted.ts'
import { joinParts } from '../../wire/raw.ts'
import type { Exchange, ExchangeObserver, SentRequest } from '../http/request.ts'
import { maskBody, maskEntry, maskUrl } from './mask.ts'

/** Most characters of a body; a HAR file has the whole. */
const SHOWN_CHARACTERS = 2_000

/** Writes masked lines: `> ` sent, `< ` received, `* ` failed. */
export function verboseObserver(writeLine: (line: string) => void): ExchangeObserver {
  return {
    started: (request) => requestLines(request).forEach(writeLine),
    finished: (exchange) => answerLines(exchange).forEach(writeLine),
  }
}

function requestLines({ method, url, headers, body, attempt, hidesQuery }: SentRequest) {
  const again = attempt > 1 ? ` (attempt ${attempt})` : ''
  return [
    `${method} ${maskUrl(url, { hidesQuery })}${again}`,
    ...headerLines(headers),
    ...bodyLines(body),
  ].map((line) => `> ${line}`)
}

export function answerLines({ request, durationMs, response, failure }: Exchange): string[] {
  const took = `${Math.round(durationMs)} ms`
  if (!response) return [`* ${request.method} failed after ${took}: ${failure?.words} (${failure?.code})`]
  const { status, statusText, headers, text, bytes } = response
  const requestId = headers['x-request-id']
  const parts = [status, statusText, took, sizeText(bytes), requestId && `request-id ${requestId}`]
  return [joinParts(parts, ' '), ...headerLines(headers), ...bodyLines(text)].map((line) => `< ${line}`)
}

function headerLines(headers: Readonly<Record<string, string>>) {
  return Object.entries(headers).map(([name, value]) => `${name}: ${maskEntry(name, value)}`)
}

function bodyLines(body: string | undefined) {
  if (!body) return []
  // Half an e-mail address would not be recognised.
  const masked = maskBody(body)
  const shown = Array.from(masked.slice(0, SHOWN_CHARACTERS * 2))
    .slice(0, SHOWN_CHARACTERS)
    .join('')
  const rest = masked.length - shown.length
  return ['', ...shown.split(/\r?\n/), ...(rest > 0 ? [`… ${counted(rest, 'more character')}`] : [])]
}

function sizeText(bytes: number) {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
