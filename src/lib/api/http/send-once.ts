import type { Duplex } from 'node:stream'
import type { Response } from 'got'
import { AppError } from '../../errors.ts'
import { AnswerHead, type Received } from './answer.ts'
import type { Exchange, ExchangeObserver, SentRequest } from './exchange.ts'
import type { Line } from './line.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'

/** Shows the exchange to the observers; never retries or follows. @throws AppError of our own */
export async function exchangeOnce<A extends Received, R>(
  sent: SentRequest,
  { observers = NOBODY, now }: { observers?: readonly ExchangeObserver[] | undefined; now: () => number },
  receive: (sent: SentRequest, receiving: R) => Promise<A>,
  receiving: R,
): Promise<A | NetworkFailure> {
  for (const observer of observers) observer.started?.(sent)
  let outcome: A | NetworkFailure
  try {
    outcome = await receive(sent, receiving)
  } catch (error) {
    if (error instanceof AppError) throw error
    outcome = networkFailure(error)
  }
  if (observers.length === 0) return outcome
  const exchange = { request: sent, durationMs: now() - sent.startedAt, ...shown(outcome) }
  for (const observer of observers) observer.finished?.(exchange)
  return outcome
}

const NOBODY: readonly ExchangeObserver[] = []

function shown(outcome: Received | NetworkFailure): Pick<Exchange, 'response' | 'failure'> {
  if (outcome.kind === 'network') return { failure: { code: outcome.code, words: outcome.words } }
  const { status, headers, text, bytes } = outcome
  return { response: { status, headers, text, bytes, ...outcome.shown() } }
}

/** An answer whose body is still to be read from `stream`. Rejects with got's errors, and with ours that got wrapped. */
export function receiveHead(sent: SentRequest, line: Line): Promise<Received & { stream: Duplex }> {
  return new Promise((resolve, reject) => {
    const stream = line.open(sent)
    stream.once('response', (response: Response) => {
      const head = new AnswerHead(response)
      const { status, headers } = head
      const bytes = Number(headers['content-length'] ?? 0)
      resolve({ kind: 'response', status, headers, shown: () => head.shown(), text: '', bytes, stream })
    })
    stream.once('error', (error) => reject(error.cause instanceof AppError ? error.cause : error))
    stream.once('close', () => reject(new Error('the exchange ended without an answer')))
  })
}
