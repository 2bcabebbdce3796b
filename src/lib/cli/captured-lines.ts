import { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { PinnedTarget } from '../config/pinned-target.ts'
import { jsonOrUndefined } from '../wire/json.ts'
import { at } from '../wire/raw.ts'
import type { RunLine } from './cli-config.ts'
import type { Io } from './process-io.ts'

const MAX_CHARACTERS = 64 * 2 ** 20

export type CapturedLine = Awaited<ReturnType<LineCapturer>>

interface CaptureOptions {
  /** Width of the table. Absent for JSON. */
  columns?: number
  onMessage?: (text: string) => void
}

export type LineCapturer = ReturnType<typeof lineCapturer>

/** Runs command lines in this process, for one target, without input. A command that has written is not interrupted. */
export function lineCapturer(
  runLine: RunLine,
  io: Io,
  { checkTarget, targetEnv, targetFlags }: PinnedTarget,
) {
  const never = () => new AbortController().signal
  return async (
    words: readonly string[],
    interrupt: AbortSignal = never(),
    { columns, onMessage }: CaptureOptions = {},
  ) => {
    const end = words.indexOf('--')
    const flags = [...targetFlags, ...(columns ? [] : ['--output=json'])]
    // The flags come last, so that no argument changes the target.
    const line = words.toSpliced(end === -1 ? words.length : end, 0, ...flags)
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    const ignoreInterrupt = () => interrupt.removeEventListener('abort', stop)
    interrupt.addEventListener('abort', stop)
    if (interrupt.aborted) stop()
    const [stdout, stderr] = [new Collected(columns), new Collected(undefined, onMessage)]
    const code = await runLine(line, {
      ...io,
      stdin: Readable.from([]),
      stdout,
      stderr,
      env: { ...io.env, ...targetEnv },
      interrupt: stopping.signal,
      onWrite: ignoreInterrupt,
      halt: never,
      terminate: never,
      interruptOnTermination: () => {},
      checkTarget,
    })
    ignoreInterrupt()
    const messages = stderr.text.trim().split('\n')
    const error = messages.map((text) => at(jsonOrUndefined(text), 'error')).find(Boolean)
    return { code, output: stdout.text, messages, error }
  }
}

class Collected extends Writable {
  readonly isTTY: boolean
  text = ''
  /** Joins characters whose bytes come in two chunks. */
  readonly #decoder = new StringDecoder()

  constructor(
    readonly columns: number | undefined,
    private readonly onText?: (text: string) => void,
  ) {
    super({ decodeStrings: false })
    this.isTTY = columns !== undefined
  }

  override _write(chunk: string | Buffer, _encoding: string, done: (error?: Error) => void) {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk)
    this.text += text
    const last = text.trim().split('\n').at(-1)
    if (last && jsonOrUndefined(last) === undefined) this.onText?.(last)
    done(this.text.length > MAX_CHARACTERS ? new Error('it is too long') : undefined)
  }
}
