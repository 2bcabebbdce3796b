import { connect } from 'node:net'
import { AppError, errorCode } from '../errors.ts'
import type { Sheet } from '../wire/print.ts'
import { printOnQueue } from './cups.ts'
import type { PrintDocument } from './print-document.ts'

export interface RawAddress {
  host: string
  port: number
}

/** A queue of CUPS, or an address that takes raw data. */
export type PrinterAddress = { queue: string } | RawAddress

const RAW_PORT = 9100
/** Queue names of CUPS. A leading hyphen is refused, as `lp` would take it for a flag. */
const QUEUE = /^cups:([^\s#/'"-][^\s#/'"]{0,126})$/i

/** Reads `cups:QUEUE`, `host`, `host:port`, `[::1]:port` or a bare IPv6 address. @throws AppError `usage` */
export function parsePrinter(text: string): PrinterAddress {
  const queue = QUEUE.exec(text.trim())?.[1]
  if (queue !== undefined) return { queue }
  const match = /^(?:\[([0-9a-f.]*:[0-9a-f:.]*(?:%[\w.-]+)?)\]|([^[\]:\s/]+))(?::(\d{1,5}))?$/i.exec(
    text.trim(),
  )
  const bare = /^[0-9a-f.]*:[0-9a-f:.]*:[0-9a-f:.]*$/i.test(text.trim()) ? text.trim() : undefined
  const host = match?.[1] ?? match?.[2] ?? bare
  const port = Number(match?.[3] ?? RAW_PORT)
  if (host === undefined || port < 1 || port > 65_535) {
    throw new AppError('usage', `"${text}" is not the address of a printer.`, {
      hints: [
        '192.168.1.50',
        'labels.example.com:9100',
        '"[fe80::1]:9100"',
        'cups:QUEUE (lpstat -e lists them)',
      ],
    })
  }
  return { host, port }
}

export function addressText(address: PrinterAddress): string {
  if ('queue' in address) return `cups:${address.queue}`
  const { host, port } = address
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

export interface PrintOptions {
  /** Limit for connecting, and for each pause in which the printer takes nothing. */
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface Printed {
  bytes: number
  /** True if the printer closed the connection after the last byte, as most do. */
  isConfirmed: boolean
}

/** @throws AppError `unavailable` if it can't be reached or stops taking bytes: a part may be printed */
export async function printRaw(
  address: RawAddress,
  data: Uint8Array,
  { timeoutMs, signal }: PrintOptions,
): Promise<Printed> {
  const { host, port } = address
  const name = addressText(address)
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
      // A printer that has ended its side prints nothing that is sent later.
      socket.once('end', () => {
        if (!isSent) reject(failure(name, isConnected, 'it closed the connection before it had all'))
      })
      // The message is empty if a host has several addresses.
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
      : [
          'check that it is switched on and takes raw data on that port (9100 as a rule)',
          'rma printers list shows the printers that have names',
        ],
  })
}

function interruptedMessage(name: string, wasConnected: boolean): string {
  return wasConnected
    ? `Interrupted while printing on ${name}: a part may have been printed.`
    : 'Interrupted: nothing was printed.'
}

export interface PrintOnOptions {
  sheet: Sheet
  timeoutMs: number
  signal: AbortSignal
  env: Readonly<Record<string, string | undefined>>
}

export interface PrintedOn {
  printer: string
  /** True if the printer closed the connection. A queue never tells. */
  isConfirmed: boolean
  /** Job id of a queue. */
  job?: string
}

/** @throws AppError as `printRaw` and `printOnQueue` do */
export async function printOn(
  address: PrinterAddress,
  document: Pick<PrintDocument, 'language' | 'data'>,
  options: PrintOnOptions,
): Promise<PrintedOn> {
  const printer = addressText(address)
  if ('queue' in address) {
    const job = await printOnQueue(address.queue, document, options)
    return { printer, isConfirmed: false, ...(job === undefined ? {} : { job }) }
  }
  const { isConfirmed } = await printRaw(address, document.data, options)
  return { printer, isConfirmed }
}
