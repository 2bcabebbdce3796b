import { readFile } from 'node:fs/promises'
import { AppError, errorCode, UNREADABLE } from '../errors.ts'
import type { Streams } from '../output/streams.ts'
import { untilInterrupted } from './interruption.ts'
import { type InputRecord, type InputText, parseJsonInput, parseRecords } from './json-input.ts'

export class CommandInput {
  constructor(
    private readonly streams: Streams,
    private readonly interrupt: AbortSignal,
  ) {}

  /** The text of a file, or of standard input for `-`. @throws AppError `usage` if there is no such file */
  async read(path: string): Promise<InputText> {
    const { interrupt, streams } = this
    if (path === '-') {
      return { text: await untilInterrupted(streams.readAllInput(), interrupt), name: 'The standard input' }
    }
    try {
      // It may be a pipe that nobody writes to.
      return { text: await untilInterrupted(readFile(path, 'utf8'), interrupt), name: path }
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const reason = errorCode(cause) ?? String(cause)
      throw new AppError('usage', `${path} can't be read: ${UNREADABLE[reason] ?? reason}.`, { cause })
    }
  }

  /** The JSON value in a file. @throws AppError `usage` with these hints if it is not JSON; as `read` does */
  async json(path: string, hints: readonly string[] = []): Promise<{ value: unknown; name: string }> {
    const input = await this.read(path)
    return { value: parseJsonInput(input, hints), name: input.name }
  }

  async records(path: string): Promise<{ records: InputRecord[]; name: string }> {
    const input = await this.read(path)
    return { records: parseRecords(input), name: input.name }
  }
}
