// Shared by the benchmarks of `tracking push`: files of tracking updates, the command line, and a server.
import { closeSync, openSync, writeSync } from 'node:fs'
import { rma, startServer } from './measure.mjs'

export const CONCURRENCY = 16

const COLUMNS = 'shipmentId,trackingStatus,carrierName,trackingNumber,trackingUrl,trackingDate'
const SCANS = [
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  ...Array(7).fill('SHIPPING_IN_PROGRESS'),
  'SHIPPING_COMPLETED',
]

/** Yields `each` tracking updates for each of `shipments` shipments. */
export function* reports(shipments, each = 1) {
  for (let scan = 0; scan < each; scan += 1) {
    for (let index = 0; index < shipments; index += 1) {
      const number = String(340_400_000_000 + index)
      yield {
        shipmentId: `R#-${100_000 + index}`,
        trackingStatus: each === 1 ? 'SHIPPING_IN_PROGRESS' : SCANS[scan],
        carrierName: 'SEUR',
        trackingNumber: number,
        trackingUrl: `https://track.example.com/${number}`,
        trackingDate: new Date(Date.UTC(2026, 2, 1, scan, 0, index % 3600)).toISOString(),
      }
    }
  }
}

export function writeCsv(path, rows) {
  const file = openSync(path, 'w')
  let text = `${COLUMNS}\n`
  for (const row of rows) {
    text += `${Object.values(row).join(',')}\n`
    if (text.length < 1_000_000) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
}

export const push = (file, more = []) => [
  rma,
  ...['tracking', 'push', '--file', file, '--concurrency', String(CONCURRENCY), '--quiet', '-o', 'ndjson'],
  ...more,
]

/** Runs the work with a bare server that has `returns` returns. */
export async function withServer(args, work, returns = 0) {
  const server = await startServer('tracking-server.mjs', args, {
    ...process.env,
    RETURNS: String(returns),
  })
  try {
    return await work(server.baseUrl, server.pid)
  } finally {
    await server.stop()
  }
}
