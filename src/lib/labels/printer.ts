import { connect } from 'node:net'
import { AppError, errorCode } from '../errors.ts'
import type { LabelFormat } from './format.ts'

export interface PrinterAddress {
  host: string
  port: number
}

const RAW_PORT = 9100

/** Reads `host`, `host:port`, `[::1]:port` or a bare IPv6 address. Throws a usage error for anything else. */
export function parsePrinter(text: string): PrinterAddress {
  const match = /^(?:\[([0-9a-f.]*:[0-9a-f:.]*(?:%[\w.-]+)?)\]|([^[\]:\s/]+))(?::(\d{1,5}))?$/i.exec(
    text.trim(),
  )
  const bare = /^[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text.trim()) ? text.trim() : undefined
  const host = match?.[1] ?? match?.[2] ?? bare
  const port = Number(match?.[3] ?? RAW_PORT)
  if (host === undefined || port < 1 || port > 65_535) {
    throw new AppError('usage', `"${text}" is not the address of a printer.`, {
      hints: ['--printer 192.168.1.50', '--printer labels.example.com:9100', '--printer "[fe80::1]:9100"'],
    })
  }
  return { host, port }
}

/** A ZPL printer would print it as pages of text. */
export function checkPrintable(name: string, format: LabelFormat): void {
  if (format === 'ZPL') return
  throw new AppError(
    'usage',
    `The label ${name} is a ${format}, and a ZPL printer would print its bytes as text.`,
    {
      hints: [
        'make the label as ZPL: rma labels create … --format ZPL',
        'or print it on an office printer: rma labels print … --sheet 4x6 --out labels.pdf',
      ],
    },
  )
}

export interface PrintOptions {
  /** Of the connection, and of each pause in which the printer takes nothing. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface Printed {
  bytes: number
  /** The printer has closed the connection, as most do at the end; else it took all bytes. */
  isConfirmed: boolean
}

/** @throws AppError `unavailable` if it can't be reached or stops taking bytes: a part may be printed */
export async function printRaw(
  { host, port }: PrinterAddress,
  data: Uint8Array,
  { timeoutMs, signal }: PrintOptions,
): Promise<Printed> {
  const name = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const socket = connect({ host, port })
  let isConnected = false
  let isSent = false
  try {
    return await new Promise<Printed>((resolve, reject) => {
      const abort = () => reject(new AppError('interrupted', interruptedMessage(name, isConnected)))
      if (signal?.aborted) return abort()
      signal?.addEventListener('abort', abort, { once: true })
      socket.once('close', () => {
        signal?.removeEventListener('abort', abort)
        if (isSent) resolve({ bytes: data.length, isConfirmed: true })
        else reject(failure(name, isConnected, 'it closed the connection'))
      })
      // With several addresses the message is empty.
      socket.once('error', (error) =>
        reject(failure(name, isConnected, error.message || String(errorCode(error)), error)),
      )
      socket.setTimeout(timeoutMs, () => {
        // Some printers never close; they have all bytes by now.
        if (isSent) resolve({ bytes: data.length, isConfirmed: false })
        else reject(failure(name, isConnected, `nothing happened for ${timeoutMs / 1000} s`))
      })
      socket.once('connect', () => {
        isConnected = true
        socket.end(data, () => {
          isSent = true
        })
      })
      // Unread status reports would keep the connection open.
      socket.resume()
    })
  } finally {
    socket.destroy()
  }
}

function failure(name: string, wasConnected: boolean, reason: string, cause?: unknown): AppError {
  const message = wasConnected
    ? `Printing on ${name} broke off: ${reason}. A part may have been printed.`
    : `The printer ${name} can't be reached: ${reason}.`
  return new AppError('unavailable', message, {
    cause,
    hints: wasConnected
      ? ['look at what came out before you print again']
      : ['check that it is switched on and takes raw data on that port (9100 as a rule)'],
  })
}

function interruptedMessage(name: string, wasConnected: boolean): string {
  return wasConnected
    ? `Interrupted while printing on ${name}: a part may have been printed.`
    : 'Interrupted: nothing was printed.'
}
