import pLimit from 'p-limit'
import { maskText } from '../../api/trace/mask.ts'
import type { RunLine } from '../../cli/cli-config.ts'
import type { Io } from '../../cli/process-io.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError } from '../../errors.ts'
import { quotedWord, visible } from '../../output/visible.ts'
import { at, list } from '../../wire/raw.ts'
import { argumentProblems } from './argument-problems.ts'
import { runInner, type Told } from './inner-command.ts'
import { shorten } from './shorten.ts'
import { READING_TOOLS, type Tool } from './tools.ts'
import { type Disclosure, typedResult } from './typed-result.ts'
import type { WritingTool } from './writing-tools.ts'

/** Decisions of the person who started the server. */
export interface Terms extends Disclosure {
  /** Flags of every command line: the place that the server is for. */
  placeFlags: readonly string[]
  /** Variables of every command. */
  placeEnv: Readonly<Record<string, string>>
  /** @throws AppError `config` for settings of another place */
  checkPlace(settings: Settings): void
  /** Said in questions: `profile staging, https://…`. */
  place: string
  writingTools: readonly WritingTool[]
  maxWrites: number
}

export interface SessionSurroundings {
  io: Io
  runLine: RunLine
  terms: Terms
  /** Whether the person says yes. Rejects when the client can't ask, or the person does not answer. */
  confirm(question: string): Promise<boolean>
}

export interface ToolAnswer {
  [key: string]: unknown
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

/** Commands that run at once. */
const MAX_CONCURRENT = 4
const MAX_ERROR_TEXT = 2000

/** State of one conversation. */
export class Session {
  readonly #surroundings: SessionSurroundings
  readonly #reading = pLimit(MAX_CONCURRENT)
  /** One question after the other. */
  readonly #writing = pLimit(1)
  #written = 0
  /** True from the person's yes until the command has ended. */
  isSending = false

  constructor(surroundings: SessionSurroundings) {
    this.#surroundings = surroundings
  }

  /** `canAsk`: the client can put a question to the person; without that nothing is written. */
  tools(canAsk: boolean): readonly Tool[] {
    return canAsk ? [...READING_TOOLS, ...this.#surroundings.terms.writingTools] : READING_TOOLS
  }

  /** Failures of the command are answers, for the assistant to read. @throws AppError `not-found` for another tool */
  async call(name: string, given: unknown, canAsk: boolean, signal: AbortSignal): Promise<ToolAnswer> {
    const tool = this.tools(canAsk).find((one) => one.name === name)
    if (tool === undefined) throw new AppError('not-found', `There is no tool ${JSON.stringify(name)}.`)
    const parsed = tool.input.safeParse(given ?? {})
    if (!parsed.success) return refused(argumentProblems(parsed.error))
    try {
      const writing = this.#surroundings.terms.writingTools.find((one) => one.name === name)
      return writing
        ? await this.#writing(() => this.#write(writing, parsed.data, signal))
        : await this.#reading(async () =>
            this.#answer(tool, await this.#run(tool.words(parsed.data), signal)),
          )
    } catch (error) {
      if (error instanceof AppError && error.kind !== 'bug') return refused(error.message)
      throw error
    }
  }

  /** Resolves when no write is under way: a process must not end in the middle of one. */
  async writesEnded(): Promise<void> {
    await this.#writing(() => {})
  }

  async #write(tool: WritingTool, input: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer> {
    const { terms, confirm } = this.#surroundings
    const words = tool.words(input)
    if (this.#written >= terms.maxWrites) {
      return refused(
        `This session has made its ${terms.maxWrites} writes; the person who started it may start another.`,
      )
    }
    // The person is only asked about commands that can be carried out.
    const tried = await this.#run(withFlags(words, ['--dry-run']), signal)
    if (tried.code !== 0) return this.#failure(tried)
    const line = ['rma', ...words].map((word) => quotedWord(visible(word))).join(' ')
    const count = `Write ${this.#written + 1} of ${terms.maxWrites} in this session.`
    const warnings = tried.warnings.map((warning) => this.#text(warning))
    const question = [tool.question, line, `On ${terms.place}. ${count}`, ...warnings]
    const isConfirmed = await confirm(question.join('\n'))
    if (!isConfirmed || signal.aborted) return refused('The person did not confirm it: nothing was sent.')
    this.#written += 1
    this.isSending = true
    try {
      // A confirmed command runs to its end. It is prepared anew, since a folder may have become a link meanwhile.
      return this.#answer(tool, await this.#run(tool.words(input), new AbortController().signal))
    } finally {
      this.isSending = false
    }
  }

  #run(words: readonly string[], signal: AbortSignal): Promise<Told> {
    const { io, runLine, terms } = this.#surroundings
    // Last, since the last of a flag counts: no argument leads to another place.
    const line = withFlags(words, [...terms.placeFlags, '--output=json'])
    const { checkPlace, placeEnv } = terms
    const world = { ...io, env: { ...io.env, ...placeEnv }, checkPlace, agent: 'mcp' }
    return runInner(line, world, signal, runLine)
  }

  #answer(tool: Tool, told: Told): ToolAnswer {
    const { terms } = this.#surroundings
    if (told.code !== 0 || told.printed === undefined) return this.#failure(told)
    const typed = typedResult(tool.output, tool.result(told.printed, terms), terms, tool.isPublic)
    const { result, omitted } = shorten(typed as Record<string, unknown>)
    const notes = [
      ...told.warnings.map((warning) => this.#text(warning)),
      ...(omitted === 0 ? [] : [`${omitted} entries are left out: ask for fewer, or for one of them.`]),
    ]
    return {
      content: [JSON.stringify(result), ...notes].map((text) => ({ type: 'text', text })),
      structuredContent: result,
    }
  }

  /** The error in words, without what carriers said. */
  #failure({ error }: Told): ToolAnswer {
    const lines = [at(error, 'message'), ...list(at(error, 'errors')).map((one) => at(one, 'message'))]
    const hints = list(at(error, 'hints')).map((hint) => `Try: ${hint}`)
    const told = [...lines, ...hints].filter((line) => typeof line === 'string')
    return refused(told.map((line) => this.#text(line)).join('\n') || 'The command said nothing.')
  }

  #text(line: string): string {
    return visible(this.#surroundings.terms.reveal ? line : maskText(line))
  }
}

/** Flags stand before `--`, after which all is an argument. */
function withFlags(words: readonly string[], flags: readonly string[]): string[] {
  const end = words.indexOf('--')
  return end === -1 ? [...words, ...flags] : [...words.slice(0, end), ...flags, ...words.slice(end)]
}

function refused(text: string): ToolAnswer {
  return { content: [{ type: 'text', text: text.slice(0, MAX_ERROR_TEXT) }], isError: true }
}
