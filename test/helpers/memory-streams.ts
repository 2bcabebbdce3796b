import { PassThrough, Readable } from 'node:stream'
import { openStreams, type Streams } from '../../src/lib/output/streams.ts'

interface Settings {
  /** Width of a terminal; the outputs are pipes if it is missing. */
  columns?: number
  env?: Record<string, string | undefined>
  noColor?: boolean
  input?: (string | Uint8Array)[]
}

/** Streams that record their output, also available as Node streams. */
export function memoryStreams({ columns, env = {}, noColor = false, input = [] }: Settings = {}) {
  const stdout = memoryOutput(columns)
  const stderr = memoryOutput(columns)
  const streams: Streams = openStreams({ stdout, stderr, stdin: Readable.from(input), env }, { noColor })
  return {
    streams,
    stdout,
    stderr,
    async written(): Promise<{ out: string; err: string }> {
      await streams.flush()
      return { out: stdout.text(), err: stderr.text() }
    },
  }
}

function memoryOutput(columns: number | undefined) {
  const stream = new PassThrough()
  const parts: Buffer[] = []
  stream.on('data', (part: Buffer) => parts.push(part))
  const control = (code: string) => () => stream.write(code)
  return Object.assign(stream, {
    ...(columns === undefined ? {} : { isTTY: true, columns }),
    cursorTo: control('<to>'),
    clearLine: control('<clear>'),
    moveCursor: control('<move>'),
    text: () => Buffer.concat(parts).toString(),
    parts: () => parts.length,
  })
}
