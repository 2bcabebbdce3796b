import type { CapturedLine, LineCapturer } from '../cli/captured-lines.ts'
import { jsonOrUndefined } from '../wire/json.ts'
import { at, joinParts, list } from '../wire/raw.ts'

export interface CommandOutcome {
  code: number
  text: string
  json: unknown
  /** Error of the command, or else the last line of standard error. */
  message: string
}

/** Runs the commands of the desk in this process, as typed: with their guards, journal and audit log. */
export class CommandLines {
  readonly #ending = new AbortController()
  #writes: Promise<unknown> = Promise.resolve()
  #writing = 0

  constructor(private readonly capture: LineCapturer) {}

  /** Runs a command that reads: as a table if a width is given, else as JSON. */
  async read(words: readonly string[], columns?: number): Promise<CommandOutcome> {
    return outcomeOf(await this.capture(words, this.#ending.signal, { columns }))
  }

  /** Runs a command that writes or prints, after earlier ones. Sent writes and prints end even if the user leaves. */
  write(words: readonly string[], onMessage?: (text: string) => void): Promise<CommandOutcome> {
    const done = () => {
      this.#writing -= 1
    }
    const ending = words[1] === 'print' ? undefined : this.#ending.signal
    const run = this.#writes.then(async () => outcomeOf(await this.capture(words, ending, { onMessage })))
    this.#writing += 1
    this.#writes = run.then(done, done)
    return run
  }

  /** Ends reads and waits for writes. @param onWait called if a write is under way */
  async end(onWait: () => void) {
    this.#ending.abort()
    if (this.#writing > 0) onWait()
    await this.#writes
  }
}

function outcomeOf({ code, output: text, messages, error }: CapturedLine): CommandOutcome {
  const reported = at(error, 'message')
  const last = messages.find((line) => line.startsWith('Error: ')) ?? messages.at(-1) ?? ''
  const reason = at(list(at(error, 'errors'))[0], 'message')
  const message = typeof reported === 'string' ? joinParts([`Error: ${reported}`, reason], ' ') : last
  return { code, text, json: jsonOrUndefined(text), message }
}
