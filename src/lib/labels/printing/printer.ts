import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { AppError, appError, causedBy, errorCode, usageError } from '../../errors.ts'
import { childEnv } from '../../files/child-env.ts'
import type { Sheet } from '../../wire/enumerations.ts'
import type { PrintDocument } from '../paper/print-document.ts'

interface RawAddress {
  host: string
  port: number
}

type PrinterAddress = { queue: string } | RawAddress

/** Reads `cups:QUEUE`, `host`, `host:port`, `[::1]:port` or a bare IPv6 address. */
export function parsePrinter(text: string): PrinterAddress {
  const typed = text.trim()
  // CUPS queue names. A leading hyphen is refused, as `lp` would take it for a flag.
  const queue = /^cups:([^\s#/'"-][^\s#/'"]{0,126})$/i.exec(typed)?.[1]
  if (queue !== undefined) return { queue }
  const match = /^(?:\[([0-9a-f.]*:[0-9a-f:.]*(?:%[\w.-]+)?)\]|([^[\]:\s/]+))(?::(\d{1,5}))?$/i.exec(typed)
  const bare = /^[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(typed) ? typed : undefined
  const host = match?.[1] ?? match?.[2] ?? bare
  const port = Number(match?.[3] ?? 9100)
  if (host === undefined || port < 1 || port > 65_535) {
    throw usageError(
      `"${text}" is not the address of a printer.`,
      '192.168.1.50',
      'labels.example.com:9100',
      '"[fe80::1]:9100"',
      'cups:QUEUE (lpstat -e lists them)',
    )
  }
  return { host, port }
}

export function addressText(address: PrinterAddress): string {
  if ('queue' in address) return `cups:${address.queue}`
  const { host, port } = address
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** Time after which an accepted connection counts: busy printers close it at once. */
const BUSY_MS = 50

/** @throws AppError `unavailable` if the printer can't be reached or stops reading: a part may be printed */
export async function printRaw(
  address: RawAddress,
  data: Uint8Array,
  { timeoutMs, signal, onReached }: Pick<PrintOptions, 'timeoutMs' | 'onReached'> & { signal?: AbortSignal },
) {
  const { host, port } = address
  const name = addressText(address)
  const socket = connect({ host, port })
  let isConnected = false
  let isSent = false
  try {
    return await new Promise<{ bytes: number; isConfirmed: boolean }>((resolve, reject) => {
      const abort = () =>
        reject(
          new AppError(
            'interrupted',
            isConnected
              ? `Interrupted while printing on ${name}: a part may have been printed.`
              : 'Interrupted: nothing was printed.',
          ),
        )
      const fail = (reason: string, cause?: unknown) => reject(failure(name, isConnected, reason, cause))
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      socket.once('close', () => {
        signal?.removeEventListener('abort', abort)
        if (isSent) resolve({ bytes: data.length, isConfirmed: true })
        else fail('it closed the connection')
      })
      // A printer that has ended its side prints nothing that is sent later.
      socket.once('end', () => {
        if (!isSent) fail('it closed the connection before it had all')
      })
      // The message is empty if a host has several addresses.
      socket.once('error', (error) => fail(error.message || String(errorCode(error)), error))
      socket.setTimeout(timeoutMs, () => {
        if (!isSent) fail(`nothing happened for ${timeoutMs / 1000} s`)
      })
      socket.once('connect', () => {
        setTimeout(() => {
          if (socket.destroyed) return
          isConnected = true
          onReached?.()
          socket.end(data, () => {
            isSent = true
            // Some printers never close, or send status bytes for ever. Others are jammed while the bytes wait in buffers.
            setTimeout(() => resolve({ bytes: data.length, isConfirmed: false }), timeoutMs).unref()
          })
        }, BUSY_MS)
      })
      // Unread status reports would keep the connection open.
      socket.resume()
    })
  } finally {
    socket.destroy()
  }
}

function failure(name: string, wasConnected: boolean, reason: string, cause?: unknown) {
  const message = wasConnected
    ? `Printing on ${name} broke off: ${reason}. A part may have been printed.`
    : `The printer ${name} can't be reached: ${reason}.`
  return new AppError('unavailable', message, {
    cause,
    hints: wasConnected
      ? ['look at what came out before you print again']
      : [
          'check that it is switched on and takes raw data on that port (9100 as a rule)',
          'names of printers: rma printers list',
          'to name one: rma printers add NAME HOST',
        ],
  })
}

interface PrintOptions {
  sheet: Sheet
  timeoutMs: number
  signal: AbortSignal
  env: Readonly<Record<string, string | undefined>>
  /** Called before the first byte is sent to a raw printer. */
  onReached?: () => void
}

/** `isConfirmed` is always false for CUPS queues. */
export async function printOn(
  address: PrinterAddress,
  document: Pick<PrintDocument, 'language' | 'data'>,
  options: PrintOptions,
): Promise<{ printer: string; isConfirmed: boolean; job?: string }> {
  const printer = addressText(address)
  if ('queue' in address) {
    const job = await printOnQueue(address.queue, document, options)
    return { printer, isConfirmed: false, ...(job !== undefined && { job }) }
  }
  const { isConfirmed } = await printRaw(address, document.data, options)
  return { printer, isConfirmed }
}

/** Self-describing media names (PWG 5101.1). */
const MEDIA: Readonly<Record<Sheet, string>> = {
  a4: 'iso_a4_210x297mm',
  letter: 'na_letter_8.5x11in',
  a6: 'iso_a6_105x148mm',
  '4x6': 'na_index-4x6_4x6in',
}

export async function printOnQueue(
  queue: string,
  { language, data }: Pick<PrintDocument, 'language' | 'data'>,
  { sheet, timeoutMs, signal, env }: PrintOptions,
): Promise<string | undefined> {
  const how = language === 'zpl' ? ['raw'] : ['print-scaling=none', `media=${MEDIA[sheet]}`]
  const time = AbortSignal.timeout(timeoutMs)
  const child = spawn('lp', ['-d', queue, '-t', 'rma labels', ...how.flatMap((option) => ['-o', option])], {
    env: { ...childEnv(env), LC_ALL: 'C' },
    signal: AbortSignal.any([time, signal]),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const output = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (output.out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (output.err += text))
  child.stdin.on('error', () => undefined)
  child.stdin.end(data)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(queueFailure(queue, cause, { time, signal })))
    child.once('close', resolve)
  })
  if (code === 0) return /request id is (\S+)/.exec(output.out)?.[1]
  const reason = output.err
    .trim()
    .replace(/^lp: (?:Error - )?/, '')
    .replace(/\.$/, '')
  throw appError(
    'unavailable',
    `The queue ${queue} can't be printed on: ${reason || `lp ended with ${code}`}.`,
    'lpstat -e lists the queues',
    'lpstat -t tells how they are',
  )
}

function queueFailure(
  queue: string,
  cause: Error,
  { time, signal }: { time: AbortSignal; signal: AbortSignal },
) {
  if (signal.aborted) return new AppError('interrupted', 'Interrupted: the queue may have the labels or not.')
  if (time.aborted) {
    const message = `The queue ${queue} did not answer in time: it may have the labels or not.`
    return causedBy(cause, 'unavailable', message, `lpstat -o ${queue} lists its jobs`)
  }
  const code = errorCode(cause)
  const why = code === 'ENOENT' ? 'is not installed' : `can't be started (${code})`
  return causedBy(
    cause,
    'config',
    `Printing on a queue needs the program lp, which ${why}.`,
    'install the client of CUPS (Debian: cups-client)',
    'or print on its address: --printer HOST',
  )
}
