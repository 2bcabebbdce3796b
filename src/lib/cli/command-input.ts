import { readFile } from 'node:fs/promises'
import { AppError, type ErrorDetail, errorCode, messageOf, UNREADABLE, usageError } from '../errors.ts'
import type { Streams } from '../output/streams.ts'
import { counted } from '../wire/counted.ts'
import { parseJson } from '../wire/json.ts'
import { untilInterrupted } from './process-io.ts'

export class CommandInput {
  constructor(
    private readonly streams: Streams,
    private readonly interrupt: AbortSignal,
  ) {}

  /** Like `read`. @throws AppError `usage` for another encoding than UTF-8, too */
  async readUtf8(path: string): Promise<InputText> {
    const input = await this.read(path)
    if (input.text.includes('\ufffd'))
      throw usageError(`${input.name} is not UTF-8.`, 'save it again in UTF-8')
    return input
  }

  /** Reads a file, or standard input for `-`. @throws AppError `usage` */
  async read(path: string): Promise<InputText> {
    const { interrupt, streams } = this
    if (path === '-') {
      return { text: await untilInterrupted(streams.readAllInput(), interrupt), name: 'The standard input' }
    }
    try {
      // The file may be a pipe that nobody writes to.
      return { text: await untilInterrupted(readFile(path, 'utf8'), interrupt), name: path }
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const reason = errorCode(cause) ?? String(cause)
      throw usageError(`${path} can't be read: ${UNREADABLE[reason] ?? reason}.`)
    }
  }

  async json(path: string, hints: readonly string[] = []) {
    const { text, name } = await this.readUtf8(path)
    const read = tryParse(text)
    if ('value' in read) return { value: read.value, name }
    throw usageError(`${name} is not JSON: ${read.problem}.`, ...hints)
  }

  async records(path: string) {
    const input = await this.readUtf8(path)
    return { records: parseRecords(input), name: input.name }
  }
}

export interface InputText {
  text: string
  name: string
}

export interface InputRecord {
  value: unknown
  prefix: string
}

/** Reads one object, a list, or NDJSON. @throws AppError `usage` that names every unreadable line */
export function parseRecords({ text, name: source }: InputText): InputRecord[] {
  const whole = text.replace(/^\ufeff/, '').trim()
  if (whole === '') throw usageError(`${source} is empty.`, HINT)
  const document = tryParse(whole)
  if (!('problem' in document)) {
    if (!Array.isArray(document.value)) return [{ value: document.value, prefix: '' }]
    if (document.value.length === 0) throw usageError(`${source} is an empty list.`, HINT)
    return document.value.map((value, index) => ({ value, prefix: `[${index}].` }))
  }
  const read = whole
    .split(/\r?\n/)
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [{ prefix: `line ${index + 1}: `, ...tryParse(line) }],
    )
  const [first] = read
  if (first === undefined || 'problem' in first) {
    throw usageError(`${source} is not JSON: ${document.problem}.`, HINT)
  }
  const problems = read.flatMap<ErrorDetail>((one) =>
    'problem' in one ? [{ path: one.prefix.replace(/: $/, ''), message: `not JSON: ${one.problem}` }] : [],
  )
  if (problems.length > 0) {
    throw new AppError(
      'usage',
      `${problems.length} of ${counted(read.length, 'line')} of ${source} ${problems.length === 1 ? 'is' : 'are'} not JSON.`,
      {
        details: problems,
        hints: [HINT],
      },
    )
  }
  return read.filter((one) => 'value' in one)
}

const HINT = 'give one JSON object, a list of them, or one object a line'

function tryParse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}
