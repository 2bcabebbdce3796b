import { Readable, Writable } from 'node:stream'
import type { RunLine } from '../cli/cli-config.ts'
import type { Context } from '../cli/context.ts'
import type { Io } from '../cli/process-io.ts'
import { jsonOrUndefined } from '../wire/json.ts'
import { at } from '../wire/raw.ts'

export interface LineEnd {
  code: number
  /** Output of the command. */
  text: string
  json: unknown
  /** Last line of what it said besides, its error if it failed. */
  said: string
}

/** Runs the commands of the desk in this process, as typed: with their guards, journal and audit log. */
export class CommandLines {
  readonly #ending = new AbortController()
  #writes: Promise<unknown> = Promise.resolve()
  #writing = 0

  constructor(
    private readonly io: Io,
    private readonly runLine: RunLine,
    private readonly place: Awaited<ReturnType<Context['pinnedPlace']>>,
  ) {}

  /** Runs a command that reads: as a table if a width is given, else as JSON. */
  read(words: readonly string[], columns?: number): Promise<LineEnd> {
    return this.#run(words, this.#ending.signal, columns)
  }

  /** Runs a command that writes or prints, after those before. Leaving the desk lets it end. */
  write(words: readonly string[], onSaid?: (text: string) => void): Promise<LineEnd> {
    const done = () => {
      this.#writing -= 1
    }
    const run = this.#writes.then(() => this.#run(words, new AbortController().signal, undefined, onSaid))
    this.#writing += 1
    this.#writes = run.then(done, done)
    return run
  }

  /** Ends reads, and resolves when no write is under way. `onWait`: called if there is one. */
  async end(onWait: () => void): Promise<void> {
    this.#ending.abort()
    if (this.#writing > 0) onWait()
    await this.#writes
  }

  async #run(
    words: readonly string[],
    interrupt: AbortSignal,
    columns: number | undefined,
    onSaid: (text: string) => void = () => {},
  ): Promise<LineEnd> {
    const { checkPlace, placeEnv, placeFlags } = this.place
    const stdout = new Collected(() => {}, columns)
    const stderr = new Collected(onSaid)
    const never = () => new AbortController().signal
    const code = await this.runLine([...words, ...placeFlags, ...(columns ? [] : ['--output=json'])], {
      ...this.io,
      stdin: Readable.from([]),
      stdout,
      stderr,
      env: { ...this.io.env, ...placeEnv, RMA_PAGER: '' },
      interrupt,
      checkPlace,
      halt: never,
      terminate: never,
      interruptOnTermination: () => {},
    })
    const lines = stderr.text.trim().split('\n')
    const error = lines.map((line) => at(at(jsonOrUndefined(line), 'error'), 'message')).find(Boolean)
    const told = lines.find((line) => line.startsWith('Error: ')) ?? lines.at(-1) ?? ''
    const said = typeof error === 'string' ? `Error: ${error}` : told
    return { code, text: stdout.text, json: columns ? undefined : jsonOrUndefined(stdout.text), said }
  }
}

class Collected extends Writable {
  readonly isTTY: boolean
  text = ''

  constructor(
    private readonly onText: (text: string) => void,
    readonly columns?: number,
  ) {
    super({ decodeStrings: false })
    this.isTTY = columns !== undefined
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk
    const last = String(chunk).trim().split('\n').at(-1)
    if (last) this.onText(last)
    done()
  }
}
