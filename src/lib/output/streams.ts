import type { Readable, Writable } from 'node:stream'
import { AppError, errorCode, rewordError, usageError } from '../errors.ts'
import { closed, output } from '../system-errors.json'
import type { Waiting } from './pager.ts'
import { labelled } from './style.ts'
import { wrapMessage } from './width.ts'

const BATCH_SIZE = 64 * 1024
const MAX_LINE = 2 ** 20

export interface Sink {
  /** Resolves when the reader has caught up. Standard output rejects with `ClosedPipe`, standard error never. */
  write(text: string): Promise<void>
  readonly isTerminal: boolean
  readonly canRedraw: boolean
  readonly colour: boolean
  readonly columns: number | undefined
}

export type Streams = ReturnType<typeof openStreams>

type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number }

export interface StandardStreams {
  stdout: OutputStream
  stderr: OutputStream
  /** Opened by Node.js when it is first read. */
  readonly stdin: Readable & { isTTY?: boolean }
  env: Readonly<Record<string, string | undefined>>
}

export function openStreams(io: StandardStreams, { noColor }: { noColor: boolean }) {
  const { stdout, stderr, env } = io
  const listeners = new Set<() => void>()
  const announce = () => {
    for (const listener of listeners) listener()
  }
  const out = new OutputSink(stdout, env, noColor, announce)
  const err = new OutputSink(stderr, env, noColor, announce)
  let waiting: Waiting | undefined
  let isWriting = false
  return {
    out,
    err: {
      write: async (text: string) => {
        const lines = wrapMessage(text, err.columns)
        const shown = err.colour ? labelled(lines) : lines
        if (waiting) return void waiting.push([err, shown])
        // Standard output comes first, as both may be one terminal.
        out.push()
        await Promise.all([err.write(shown), err.push()]).catch(() => {})
      },
      isTerminal: err.isTerminal,
      canRedraw: err.canRedraw,
      colour: err.colour,
      get columns() {
        return err.columns
      },
    },
    /** Writes bytes after earlier output. Rejects like `out.write`, even after `outliveReader`. */
    writeBytes: (bytes: Uint8Array) => out.writeBytes(bytes),
    spinnerStream: stderr,
    /** Calls the listener before each write, to clear a spinner's line. @returns function that removes it */
    beforeWrite: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Lets the command outlive its reader: output is dropped or goes to standard error, and only `flush` rejects. */
    outliveReader: () => {
      isWriting = true
      out.outliveReader((text) => void err.write(text).catch(() => {}))
    },
    /** After `outliveReader`, treats `error` like a full disk. @throws `error` otherwise */
    failWriting: (error: AppError) => {
      if (!isWriting) throw error
      out.fail(error)
    },
    /** Runs `write`, with its output in a pager if it exceeds the screen. */
    paged: async (write: () => Promise<void>, onOpen: (closed: Promise<unknown>) => void) => {
      const { rows } = stdout
      if (!(rows && out.canRedraw) || isWriting || waiting) return write()
      const { openPager, throughPager } = await import('./pager.ts')
      const open = () => openPager(env, onOpen)
      waiting = []
      await throughPager(out, { rows, waiting }, write, open).finally(() => {
        waiting = undefined
      })
    },
    /** Rejects like `out.write`. */
    flush: async () => {
      try {
        await out.flush()
      } finally {
        await err.push().catch(() => {})
      }
    },
    /** @throws AppError `usage` without a terminal */
    takeScreen: () => fullScreen(io, out.canRedraw),
    readAllInput: async () => {
      let text = ''
      for await (const part of decoded(io.stdin)) text += part
      return text
    },
    inputLines: () => lines(decoded(io.stdin)),
  }
}

class OutputSink implements Sink {
  readonly isTerminal: boolean
  readonly canRedraw: boolean
  readonly colour: boolean
  readonly #own: OutputStream
  #stream: Writable
  #announce: () => void
  #batch = ''
  #scheduled: NodeJS.Immediate | undefined
  #failure: ClosedPipe | AppError | undefined
  #divert: ((text: string) => void) | undefined
  #take: ((text: string) => Promise<void>) | undefined
  #done: Promise<void> = Promise.resolve()

  constructor(stream: OutputStream, env: NodeJS.ProcessEnv, noColor: boolean, announce: () => void) {
    this.#own = stream
    this.#announce = announce
    this.isTerminal = stream.isTTY === true
    // The spinner's library never ends on a terminal of 0 columns.
    this.canRedraw = this.isTerminal && env.TERM !== 'dumb' && stream.columns !== 0
    this.colour = wantsColour(env, noColor, this.canRedraw)
    this.#stream = stream
    this.#watch(stream)
  }

  #watch(stream: Writable) {
    const fail = (error: Error) => {
      if (stream === this.#stream) this.fail(error)
    }
    stream.on('error', fail)
    // Notices a reader that leaves between two writes.
    stream.on('close', () => fail(new ClosedPipe('The reader has gone away')))
  }

  /** Writes to a pager, or to its own stream again. */
  useStream(stream?: Writable) {
    this.#stream = stream ?? this.#own
    if (stream) this.#watch(stream)
  }

  divert(take: ((text: string) => Promise<void>) | undefined) {
    this.#take = take
  }

  get columns() {
    return this.isTerminal ? this.#own.columns || 80 : undefined
  }

  write(text: string) {
    if (this.#take) return this.#take(text)
    if (this.#failure) return this.#lose(text)
    this.#batch += text
    if (this.#batch.length >= BATCH_SIZE) this.push()
    else this.#scheduled ??= setImmediate(() => this.push())
    return this.#done
  }

  push() {
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    if (this.#batch === '') return this.#done
    const text = this.#batch
    this.#batch = ''
    return this.#failure ? this.#lose(text) : this.#handOver(text)
  }

  writeBytes(bytes: Uint8Array) {
    this.push()
    return this.#failure ? this.#lose(bytes) : this.#handOver(bytes)
  }

  outliveReader(divert: (text: string) => void) {
    this.#divert = divert
  }

  async flush() {
    await this.push()
    if (!(this.#divert && this.#failure instanceof AppError)) return
    throw rewordError(this.#failure, this.#failure.message, {
      details: [{ message: 'the command went on to its end; what could not be written stands above' }],
    })
  }

  #handOver(data: string | Uint8Array) {
    this.#announce()
    this.#done = new Promise<void>((resolve, reject) => {
      this.#stream.write(data, (error) => {
        // Signals and timers need a turn between writes to a file.
        if (!error) return void setImmediate(resolve)
        this.fail(error)
        this.#lose(data).then(resolve, reject)
      })
    })
    this.#done.catch(() => {})
    return this.#done
  }

  #lose(data: string | Uint8Array) {
    if (this.#divert === undefined) return rejected(this.#failure)
    // Binary documents must not go to standard error.
    if (typeof data !== 'string') {
      const isClosed = this.#failure instanceof ClosedPipe
      return rejected(isClosed ? outputFailure(new Error('its reader has gone away')) : this.#failure)
    }
    if (!(this.#failure instanceof ClosedPipe)) this.#divert(data)
    return Promise.resolve()
  }

  fail(error: Error) {
    this.#failure ??= outputFailure(error)
  }
}

function rejected(error: Error | undefined) {
  const promise = Promise.reject(error)
  promise.catch(() => {})
  return promise
}

/** Precedence: flag, FORCE_COLOR, NO_COLOR, terminal. */
function wantsColour(env: NodeJS.ProcessEnv, noColor: boolean, canRedraw: boolean) {
  if (noColor) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  if (env.NO_COLOR) return false
  return canRedraw
}

/** Also removes a byte-order mark. */
async function* decoded(stdin: Readable) {
  const decoder = new TextDecoder()
  for await (const part of stdin)
    yield typeof part === 'string' ? part : decoder.decode(part, { stream: true })
  yield decoder.decode()
}

async function* lines(parts: AsyncIterable<string>) {
  let rest = ''
  for await (const part of parts) {
    const found = (rest + part).split('\n')
    rest = found.pop() ?? ''
    if (rest.length > MAX_LINE) throw usageError('Standard input holds a line longer than 1 MiB.')
    for (const line of found) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest.replace(/\r$/, '')
}

/** The reader has left (`| head`), which is no failure. */
export class ClosedPipe extends Error {
  override readonly name = 'ClosedPipe'
}

/** Windows says EOF for a broken pipe. */
const CLOSED_CODES = new Set(closed)

const REASONS: Readonly<Record<string, string>> = output

export function outputFailure(error: Error): ClosedPipe | AppError {
  const code = errorCode(error) ?? ''
  if (error instanceof ClosedPipe) return error
  if (CLOSED_CODES.has(code)) return new ClosedPipe('The reader has gone away')
  const reason = REASONS[code]
  return new AppError(
    'unavailable',
    `Standard output could not be written: ${reason === undefined ? error.message : `${reason} (${code})`}.`,
  )
}

/** Lends the terminal's alternate screen to a full-screen program. @throws AppError `usage` if input or output is no terminal that can be redrawn */
function fullScreen({ stdin, stdout }: StandardStreams, canRedraw: boolean) {
  if (!(stdin.isTTY && canRedraw)) {
    throw usageError(
      'This needs a terminal, for its output and its input.',
      'rma search TEXT and rma returns get RETURN work without',
    )
  }
  const stream = stdout as NodeJS.WriteStream
  let isAlternate = false
  const switchTo = (toAlternate: boolean, text: string) => {
    if (isAlternate !== toAlternate) stream.write(text)
    isAlternate = toAlternate
  }
  const giveBack = () => switchTo(false, '\x1b[?25h\x1b[?1049l')
  process.once('exit', giveBack)
  // Restores the screen before the crash report, which would vanish with the alternate one.
  process.prependListener('uncaughtException', giveBack)
  /** `giveBack` also runs whenever the process ends. */
  return { stream, take: () => switchTo(true, '\x1b[?1049h\x1b[H'), giveBack }
}
