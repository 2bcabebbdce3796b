import { connect } from 'node:net'
import { AppError, errorCode } from '../errors.ts'

export interface RawAddress {
  host: string
  port: number
}

/** A queue of the system (CUPS), or raw data to an address. */
export type PrinterAddress = { queue: string } | RawAddress

const RAW_PORT = 9100
/** As CUPS names them; none begins with a hyphen, which `lp` would take for a flag. */
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

/** As it is typed. */
export function addressText(address: PrinterAddress): string {
  if ('queue' in address) return `cups:${address.queue}`
  const { host, port } = address
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
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
      // What it has not taken by then it won't print, though the connection may take more.
      socket.once('end', () => {
        if (!isSent) reject(failure(name, isConnected, 'it closed the connection before it had all'))
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
