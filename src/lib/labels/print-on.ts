import type { Sheet } from '../wire/print.ts'
import { printOnQueue } from './cups.ts'
import type { PrintDocument } from './print-document.ts'
import { addressText, type PrinterAddress, printRaw } from './printer.ts'

export interface PrintOnOptions {
  sheet: Sheet
  timeoutMs: number
  signal: AbortSignal
  env: Readonly<Record<string, string | undefined>>
}

export interface PrintedOn {
  /** Its address, as it is typed. */
  printer: string
  /** The printer has closed the connection; a queue never tells. */
  isConfirmed: boolean
  /** Of a queue. */
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
