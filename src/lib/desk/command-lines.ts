import type { CapturedLine, LineCapturer } from '../cli/captured-lines.ts'
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

  constructor(private readonly capture: LineCapturer) {}

  /** Runs a command that reads: as a table if a width is given, else as JSON. */
  async read(words: readonly string[], columns?: number): Promise<LineEnd> {
    return lineEnd(await this.capture(words, this.#ending.signal, { columns }))
  }

  /** Runs a command that writes or prints, after those before. Leaving the desk lets it end. */
  write(words: readonly string[], onSaid?: (text: string) => void): Promise<LineEnd> {
    const done = () => {
      this.#writing -= 1
    }
    const run = this.#writes.then(async () => lineEnd(await this.capture(words, undefined, { onSaid })))
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
}

function lineEnd({ code, output: text, said: lines, error }: CapturedLine): LineEnd {
  const message = at(error, 'message')
  const told = lines.find((line) => line.startsWith('Error: ')) ?? lines.at(-1) ?? ''
  const said = typeof message === 'string' ? `Error: ${message}` : told
  return { code, text, json: jsonOrUndefined(text), said }
}
