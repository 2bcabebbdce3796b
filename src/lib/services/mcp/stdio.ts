import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import type { Io } from '../../cli/process-io.ts'
import { visible } from '../../output/visible.ts'
import { at, pathText } from '../../wire/raw.ts'

/** A longer message closes the connection. */
export const MAX_MESSAGE_BYTES = 1024 * 1024

const REQUESTS: Readonly<Record<string, z.ZodType | undefined>> = {
  initialize: InitializeRequestSchema,
  'tools/call': CallToolRequestSchema,
}

/** Standard input and output, with the requests that have no answer yet. */
export class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered = new Set<unknown>()
  #onAnswered: () => void = () => {}

  constructor({ stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>) {
    super(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  }

  /** Call after the server has connected. */
  watch(): void {
    const { onmessage: receive, onerror: report } = this
    this.onerror = (error) => {
      const isJson = !(error instanceof SyntaxError)
      if (!isJson) void this.#refuse(undefined, ErrorCode.ParseError, 'The line is not valid JSON.')
      else if (error instanceof z.ZodError)
        void this.#refuse(undefined, ErrorCode.InvalidRequest, 'The line is no message of JSON-RPC 2.0.')
      report?.(error)
    }
    this.onmessage = (message) => {
      const [id, method] = [at(message, 'id'), at(message, 'method')]
      const { error } = REQUESTS[String(method)]?.safeParse(message) ?? {}
      if (error && id !== undefined)
        return void this.#refuse(id, ErrorCode.InvalidParams, argumentProblems(error))
      if (id !== undefined && method !== undefined) this.#unanswered.add(id)
      // A cancelled request gets no answer.
      if (method === 'notifications/cancelled') this.#settle(at(at(message, 'params'), 'requestId'))
      receive?.(message)
    }
  }

  async #refuse(id: unknown, code: ErrorCode, message: string): Promise<void> {
    const answer = { jsonrpc: '2.0', id: id ?? null, error: { code, message } }
    await super.send(answer as JSONRPCMessage)
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if (!('method' in message)) this.#settle(message.id)
  }

  #settle(id: unknown): void {
    this.#unanswered.delete(id)
    if (this.#unanswered.size === 0) this.#onAnswered()
  }

  /** Resolves when all requests are answered. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswered = resolve
      if (this.#unanswered.size === 0) resolve()
    })
  }
}

/** Describes bad arguments: `return: is missing`. */
export function argumentProblems(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map((issue) => `${pathText(issue.path) || 'arguments'}: ${visible(wordsFor(issue))}`)
    .join('\n')
}

/** Replaces zod's words, which are for developers. */
function wordsFor({ message, ...issue }: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`
  if (issue.code === 'unrecognized_keys') return `nothing is known as ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  return message
}
