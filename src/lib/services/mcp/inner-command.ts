import { Readable, Writable } from 'node:stream'
import type { RunLine } from '../../cli/cli-config.ts'
import type { Io } from '../../cli/process-io.ts'
import { jsonOrUndefined, parseJson } from '../../wire/json.ts'
import { at } from '../../wire/raw.ts'

export interface Told {
  code: number
  /** Output as JSON; undefined without output. */
  printed: unknown
  /** The error that it ended with, as JSON. */
  error: unknown
  warnings: string[]
}

const MAX_OUTPUT_BYTES = 64 * 2 ** 20
const MAX_SAID = 64 * 1024

/** Keeps what is written to it; more than `max` bytes are refused. */
class Kept extends Writable {
  readonly #parts: Buffer[] = []
  #bytes = 0

  constructor(private readonly max: number) {
    super()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
    this.#bytes += chunk.length
    const isTooMuch = this.#bytes > this.max
    if (!isTooMuch) this.#parts.push(chunk)
    done(isTooMuch ? new Error('more than an assistant can read') : undefined)
  }

  text(): string {
    return Buffer.concat(this.#parts).toString()
  }
}

/** Keeps the end of what is written to it, where errors stand. */
class KeptEnd extends Writable {
  #text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#text = (this.#text + chunk.toString()).slice(-MAX_SAID)
    done()
  }

  text(): string {
    return this.#text
  }
}

/** Runs a command line in a world without a terminal, whose standard input is empty. */
export async function runInner(
  line: readonly string[],
  io: Io,
  interrupt: AbortSignal,
  runLine: RunLine,
): Promise<Told> {
  const [stdout, stderr] = [new Kept(MAX_OUTPUT_BYTES), new KeptEnd()]
  const stdin: Io['stdin'] = Readable.from([])
  const never = new AbortController().signal
  const halt = () => never
  const signals = { interrupt, halt, terminate: halt, interruptOnTermination: () => {} }
  const code = await runLine(line, { ...io, stdin, stdout, stderr, ...signals })
  const said = stderr.text().split('\n')
  const error = said.map((text) => at(jsonOrUndefined(text), 'error')).find((found) => found !== undefined)
  const warnings = said.flatMap((text) => /^Warning: (.*)/.exec(text)?.[1] ?? [])
  return { code, printed: jsonIn(stdout.text()), error, warnings }
}

/** Numbers exact. */
function jsonIn(text: string): unknown {
  return jsonOrUndefined(text) === undefined ? undefined : parseJson(text)
}
