import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { listening } from './script-server.ts'

export type RawPrinter = Awaited<ReturnType<typeof rawPrinter>>

/**
 * A raw-data printer that closes the connection at the end of the data, as most do; for the current test.
 * A jammed one accepts connections and reads nothing.
 */
export async function rawPrinter({ isJammed = false } = {}) {
  const prints: Buffer[][] = []
  const server = createServer({ allowHalfOpen: isJammed, pauseOnConnect: isJammed }, (socket) => {
    const chunks: Buffer[] = []
    prints.push(chunks)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => undefined)
  })
  const port = await listening(server)
  onTestFinished(() => void server.close())
  return {
    address: `127.0.0.1:${port}`,
    /** Bytes of each connection, in order. */
    prints: () => prints.map((chunks) => Buffer.concat(chunks)),
  }
}
