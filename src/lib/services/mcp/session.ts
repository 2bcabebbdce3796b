import pLimit from 'p-limit'
import { maskText } from '../../api/trace/mask.ts'
import type { CapturedLine, LineCapturer } from '../../cli/captured-lines.ts'
import { AppError, quotedWord } from '../../errors.ts'
import { visible } from '../../output/visible.ts'
import { jsonOrUndefined, parseJson } from '../../wire/json.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import { argumentProblems } from './invalid-messages.ts'
import { inToolWords } from './tool-words.ts'
import type { ServedTool } from './tools.ts'
import { type Disclosure, typedResult } from './typed-result.ts'

/** Decisions of the person who started the server. */
export interface Terms extends Disclosure {
  target: string
  maxWrites: number
}

interface SessionSurroundings {
  capture: LineCapturer
  terms: Terms
  tools: readonly ServedTool[]
  confirm(question: string, signal: AbortSignal): Promise<boolean>
  /** Stops a confirmed command that has not sent anything. */
  ended: AbortSignal
}

interface ToolAnswer {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  isError?: boolean
}

const MAX_RUNNING_COMMANDS = 4
const MAX_ERROR_TEXT = 2000

export class Session {
  readonly #reading = pLimit(MAX_RUNNING_COMMANDS)
  /** Asks one question at a time. */
  readonly #writing = pLimit(1)
  #written = 0
  /** True from the person's confirmation until the command has ended. */
  isSending = false

  constructor(private readonly surroundings: SessionSurroundings) {}

  /** Leaves out tools that ask the person, if the client can't ask. */
  tools(canAsk: boolean): readonly ServedTool[] {
    return this.surroundings.tools.filter(({ question }) => canAsk || question === undefined)
  }

  /** Returns failures of the command as answers. @throws AppError `not-found` for an unknown tool */
  async call(name: string, given: unknown, canAsk: boolean, signal: AbortSignal): Promise<ToolAnswer> {
    const tool = this.tools(canAsk).find((one) => one.name === name)
    if (tool === undefined) throw new AppError('not-found', `There is no tool ${JSON.stringify(name)}.`)
    const parsed = tool.input.safeParse(given ?? {})
    if (!parsed.success) return refused(argumentProblems(parsed.error))
    try {
      return tool.question === undefined
        ? await this.#reading(() => this.#answer(tool, parsed.data, signal))
        : await this.#writing(() => this.#write(tool, parsed.data, signal))
    } catch (error) {
      if (error instanceof AppError && error.kind !== 'bug') return refused(error.message)
      throw error
    }
  }

  /** Resolves when no write is under way. */
  async writesEnded() {
    await this.#writing(() => {})
  }

  async #write(tool: ServedTool, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer> {
    const { capture, confirm, ended, terms } = this.surroundings
    const { maxWrites, target } = terms
    if (this.#written >= maxWrites) {
      return refused(
        `This session has made its ${maxWrites} writes; the person who started it may start another.`,
      )
    }
    const words = tool.lineOf(input)
    const tried = await capture(['--dry-run', ...words], signal)
    if (tried.code !== 0) return this.#failure(tool, tried)
    const line = ['rma', ...words].map((word) => quotedWord(visible(word))).join(' ')
    const count = `Write ${this.#written + 1} of ${maxWrites} in this session.`
    const warnings = warningsOf(tried).map((warning) => this.#masked(warning))
    const question = [tool.question, line, `On ${target}. ${count}`, ...warnings]
    const isConfirmed = await confirm(question.join('\n'), AbortSignal.any([ended, signal]))
    if (!isConfirmed || signal.aborted) return refused('The person did not confirm it: nothing was sent.')
    this.#written += 1
    this.isSending = true
    try {
      // Checks the folder again: it may have become a link.
      return await this.#answer(tool, input, ended)
    } finally {
      this.isSending = false
    }
  }

  async #answer(tool: ServedTool, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer> {
    const { capture, terms } = this.surroundings
    const end = await capture(tool.lineOf(input), signal)
    if (end.code !== 0 || jsonOrUndefined(end.output) === undefined) return this.#failure(tool, end)
    // Numbers stay exact.
    const data = tool.result(parseJson(end.output), terms)
    const disclosure = { ...terms, isPublic: tool.isPublic }
    const typed = typedResult(tool.output, data, disclosure) as Record<string, unknown>
    const { result, notes } = compact(tool, typed, input)
    const text = JSON.stringify(result, (key, value) =>
      key === 'next' && typeof value === 'string' ? this.#toolWords(tool, value) : value,
    )
    const warnings = warningsOf(end).map((warning) => this.#text(tool, warning))
    return { content: [text, ...warnings, ...notes].map((text) => ({ type: 'text', text })) }
  }

  #failure(tool: ServedTool, { error }: CapturedLine): ToolAnswer {
    const lines = [at(error, 'message'), ...list(at(error, 'errors')).map(problemText)]
    const problems = lines.filter((line) => typeof line === 'string').map((line) => this.#text(tool, line))
    const hints = list(at(error, 'hints')).flatMap((hint) => this.#toolWords(tool, String(hint)) ?? [])
    const text = [...problems, ...hints.map((hint) => `Try: ${this.#masked(hint)}`)].join('\n')
    return refused(text || 'The command gave no message.')
  }

  #toolWords(tool: ServedTool, text: string) {
    return inToolWords(text, tool, this.surroundings.tools)
  }

  #masked(line: string) {
    return visible(this.surroundings.terms.reveal ? line : maskText(line))
  }

  /** Returns a message in tool words, or as it is if the tool lacks its flags. */
  #text(tool: ServedTool, line: string) {
    return this.#masked(this.#toolWords(tool, line) ?? line)
  }
}

/** `client.tier is missing` */
function problemText(problem: unknown) {
  return [at(problem, 'path'), at(problem, 'message')].filter((part) => typeof part === 'string').join(' ')
}

function warningsOf({ messages }: CapturedLine) {
  return messages.flatMap((text) => /^Warning: (.*)/.exec(text)?.[1] ?? [])
}

function refused(text: string): ToolAnswer {
  return { content: [{ type: 'text', text: text.slice(0, MAX_ERROR_TEXT) }], isError: true }
}

/** Size limit of an answer for calls that name neither fields nor a limit. */
const MAX_DEFAULT_BYTES = 8000
const MAX_ANSWER_BYTES = 128 * 1024

/** Cuts the tool's list down to the fields and the number of entries asked for, and says what is missing. */
function compact(
  { list }: ServedTool,
  typed: Record<string, unknown>,
  { fields, limit }: Record<string, unknown>,
): { result: Record<string, unknown>; notes: string[] } {
  const all = list && typed[list.key]
  const isDefault = fields === undefined && limit === undefined
  const maxBytes = isDefault ? MAX_DEFAULT_BYTES : MAX_ANSWER_BYTES
  if (!list || !Array.isArray(all)) return cut(typed, maxBytes)
  const paths = (fields as string[] | undefined) ?? list.fields
  const count = (limit as number | undefined) ?? list.limit
  const kept = list.isNewestLast ? all.slice(-count) : all.slice(0, count)
  const chosen = paths.includes('*') ? kept : kept.map((one) => picked(one, paths))
  const { result, notes } = cut({ ...typed, [list.key]: chosen }, maxBytes)
  const names = Object.keys(Object.assign({}, ...kept))
  const unknown = paths.filter((path) => path !== '*' && !names.includes(path.split('.')[0] ?? ''))
  if (fields && names.length > 0 && unknown.length > 0) {
    notes.push(`Unknown fields: ${unknown.join(', ')}. Known: ${names.join(', ')}.`)
  }
  const missing = all.length - kept.length
  if (missing > 0) notes.push(`${kept.length} of ${all.length} ${list.key}: limit takes up to 50.`)
  return { result, notes }
}

function picked(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => picked(one, paths))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    if (paths.includes(name)) return [[name, inner]]
    const below = paths.flatMap((path) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []))
    return below.length === 0 ? [] : [[name, picked(inner, below)]]
  })
  return Object.fromEntries(entries)
}

/** Halves the longest list until the result is short enough. */
function cut(given: Record<string, unknown>, maxBytes: number) {
  const result = structuredClone(given)
  let omitted = 0
  while (sizeOf(result) > maxBytes) {
    const [longest] = listsIn(result).sort((one, other) => sizeOf(other) - sizeOf(one))
    if (longest === undefined) return { result: {}, notes: ['The result is too long.'] }
    const kept = Math.floor(longest.length / 2)
    omitted += longest.length - kept
    longest.length = kept
  }
  const notes =
    omitted === 0 ? [] : [`${omitted} entries are left out: ask for fewer fields, or name a limit.`]
  return { result, notes }
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && value.length > 0 ? [value] : []
  return [...own, ...Object.values(value).flatMap(listsIn)]
}

function sizeOf(value: unknown) {
  return Buffer.byteLength(JSON.stringify(value))
}
