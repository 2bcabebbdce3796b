import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  InitializeRequestSchema,
  type JSONRPCMessage,
} from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import { visible } from '../../output/visible.ts'
import { at, pathText } from '../../wire/raw.ts'

const REQUESTS: Readonly<Record<string, z.ZodType | undefined>> = {
  initialize: InitializeRequestSchema,
  'tools/call': CallToolRequestSchema,
}

/** Answers invalid messages that the SDK ignores or answers in zod's words. Call after the server has connected. */
export function refuseInvalidMessages(transport: Transport) {
  const { onmessage: receive, onerror: report } = transport
  const refuse = (id: unknown, code: ErrorCode, message: string) =>
    void transport.send({ jsonrpc: '2.0', id, error: { code, message } } as JSONRPCMessage)
  transport.onerror = (error) => {
    if (error instanceof SyntaxError) refuse(null, ErrorCode.ParseError, 'The line is not valid JSON.')
    else if (error instanceof z.ZodError)
      refuse(null, ErrorCode.InvalidRequest, 'The line is not a message of JSON-RPC 2.0.')
    report?.(error)
  }
  transport.onmessage = (message) => {
    const id = at(message, 'id')
    const { error } = REQUESTS[String(at(message, 'method'))]?.safeParse(message) ?? {}
    if (error && id !== undefined) refuse(id, ErrorCode.InvalidParams, argumentProblems(error))
    else receive?.(message)
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
function wordsFor({ message, ...issue }: z.core.$ZodIssue) {
  if (issue.code === 'invalid_type')
    return message.endsWith('received undefined') ? 'is missing' : `must be of type ${issue.expected}`
  if (issue.code === 'unrecognized_keys') return `has unknown keys: ${issue.keys.join(', ')}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`
  return message
}
