import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Context } from '../../cli/context.ts'
import { AppError, errorCode } from '../../errors.ts'
import { jsonOrUndefined } from '../../wire/json.ts'
import { errorBodySchema } from '../../wire/tracking.ts'
import { elsewhereFolder, findRunning, type RunningSandbox } from './running-sandboxes.ts'

/** Longer than any operation takes but making a million returns. */
const TIMEOUT_MS = 120_000

export type ControlContext = Pick<Context, 'io' | 'paths' | 'settings'>

export interface SandboxControl {
  /** Paths come after `/__sandbox`. @throws AppError for every answer other than 200 */
  call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
}

/** Opens the sandbox that runs on `data`, else on the usual data or in memory, or at the base URL that was given. */
export async function openControl(
  context: ControlContext,
  data: string | undefined,
): Promise<SandboxControl> {
  const { baseUrl } = await context.settings()
  const { dataDir, cacheDir } = context.paths
  const named = baseUrl?.source === 'profile' ? undefined : baseUrl?.value
  const usual = named === undefined ? [dataDir, cacheDir] : [dataDir, cacheDir, elsewhereFolder(cacheDir)]
  const running = await findRunning(data === undefined ? usual : [data], named)
  return { call: (method, path, body) => call(running, context, { method, path, body }) }
}

async function call(
  running: RunningSandbox,
  { io }: Pick<Context, 'io'>,
  { method, path, body }: { method: string; path: string; body: unknown },
): Promise<unknown> {
  const { status, text: answer } = await exchange(running, path, {
    method,
    headers: { Authorization: `Bearer ${running.controlToken}` },
    signal: AbortSignal.any([io.interrupt, AbortSignal.timeout(TIMEOUT_MS)]),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (status === 200) return JSON.parse(answer)
  throw refused(status, answer, running)
}

async function exchange(running: RunningSandbox, path: string, init: RequestInit) {
  try {
    if (running.certificate !== undefined) return await exchangeSecurely(running, path, init)
    const response = await fetch(running.controlUrl + path, init)
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    const code = errorCode(cause instanceof Error ? cause.cause : undefined) ?? errorCode(cause)
    throw new AppError(
      'unavailable',
      `The sandbox at ${running.baseUrl} does not answer${code ? ` (${code})` : ''}.`,
      {
        hints: ['rma sandbox start, in another terminal'],
        cause,
      },
    )
  }
}

/** To that very certificate, whoever has signed it, and whatever names it has. */
async function exchangeSecurely(
  { controlUrl, certificate = '' }: RunningSandbox,
  path: string,
  { method, headers, body, signal }: RequestInit,
): Promise<{ status: number; text: string }> {
  const [{ connect }, { request }, { X509Certificate }] = await Promise.all([
    import('node:tls'),
    import('node:http'),
    import('node:crypto'),
  ])
  const url = new URL(controlUrl + path)
  const expected = new X509Certificate(certificate).fingerprint256
  const socket = connect({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port),
    rejectUnauthorized: false,
  })
  try {
    await once(socket, 'secureConnect', { signal: signal ?? undefined })
    if (socket.getPeerX509Certificate()?.fingerprint256 !== expected) throw new Error('another certificate')
    const options = { method, headers: headers as Record<string, string>, signal: signal ?? undefined }
    const sent = request(url.href.replace(/^https/, 'http'), { ...options, createConnection: () => socket })
    sent.end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, text: await text(answer) }
  } finally {
    socket.destroy()
  }
}

function refused(status: number, text: string, { baseUrl }: RunningSandbox): AppError {
  const body = errorBodySchema.safeParse(jsonOrUndefined(text))
  const details = (body.data?.errors ?? []).map(({ message }) => ({ message: message ?? 'without a word' }))
  if (status === 401) {
    return new AppError(
      'config',
      `Another program than the sandbox that was started answers at ${baseUrl}.`,
      {
        hints: ['rma sandbox start, in another terminal'],
        status,
      },
    )
  }
  // A step that the state does not allow is no mistake in the request.
  const isRefusal = body.data?.errors?.some(({ code }) => code === 'CT03')
  const kind = status === 404 ? 'not-found' : isRefusal ? 'rejected' : status < 500 ? 'usage' : 'unavailable'
  const [only, ...others] = details
  return others.length > 0 || !only
    ? new AppError(kind, 'The sandbox refuses this.', { details, status })
    : new AppError(kind, `${only.message}.`, { status })
}
