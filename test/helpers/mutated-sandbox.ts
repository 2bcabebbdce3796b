import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Sandbox } from '../../src/lib/sandbox/index.ts'
import { received } from './sandbox-client.ts'
import { listening } from './script-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are bent here
type Json = any

/** Deviation of a platform from the specification. Unset members change nothing. */
export interface Mutation {
  /** Affected requests: `GET /returns`, path without prefix, `*` for one segment; default all. */
  on?: string
  /** Changes the parameters of a request. */
  query?: (params: URLSearchParams) => void
  /** Changes the headers of a request. */
  ask?: (headers: Headers) => void
  /** Replaces the JSON body of the request. */
  send?: (body: Json) => Json
  /** Answers an authenticated request itself, or returns undefined. */
  answer?: (request: {
    path: string
    params: URLSearchParams
    body: Json
  }) => { status: number; body: Json } | undefined
  /** Replaces the status of an answer. */
  status?: (status: number) => number
  /** Changes the headers of an answer. */
  headers?: (headers: Headers, status: number) => void
  /** Replaces the body of an answer. */
  body?: (body: Json, request: { status: number; params: URLSearchParams; sent: Json }) => Json
}

const PREFIX = '/integration/v1'

/** Serves a mutated sandbox over HTTP until the test ends. @returns its base URL */
export async function serveMutated(sandbox: Sandbox, mutation: Mutation): Promise<string> {
  const server = createServer(async (incoming, outgoing) => {
    try {
      const { status, headers, text } = await bent(sandbox, mutation, incoming)
      outgoing.writeHead(status, headers)
      outgoing.end(text)
    } catch (error) {
      // An error in a mutation must not pass for a finding.
      console.error(error)
      outgoing.destroy()
    }
  })
  const port = await listening(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${port}${PREFIX}`
}

async function bent(sandbox: Sandbox, mutation: Mutation, incoming: IncomingMessage) {
  const url = new URL(incoming.url ?? '/', 'http://127.0.0.1')
  const method = incoming.method ?? 'GET'
  const change = concerns(mutation, method, url.pathname) ? mutation : {}
  const text = (await buffer(incoming)).toString()
  const sent = text === '' ? undefined : JSON.parse(text)
  const asked = new URLSearchParams(url.searchParams)
  // Authentication is left to the sandbox.
  const own = incoming.headers.authorization
    ? change.answer?.({ path: url.pathname, params: asked, body: sent })
    : undefined
  if (own) {
    const headers = { 'content-type': 'application/json' }
    return { status: own.status, headers, text: JSON.stringify(own.body) }
  }
  const headers = new Headers()
  for (const name of ['authorization', 'content-type']) {
    const value = incoming.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  change.ask?.(headers)
  change.query?.(url.searchParams)
  const body = sent === undefined ? '' : JSON.stringify(change.send ? change.send(sent) : sent)
  const response = await sandbox.fetch(received(url.href, { method, headers, body }))
  const status = change.status?.(response.status) ?? response.status
  const answered = response.text
  const fields = new Headers([...response.headers])
  change.headers?.(fields, response.status)
  const bentText = change.body
    ? JSON.stringify(change.body(JSON.parse(answered), { status: response.status, params: asked, sent }))
    : answered
  return { status, headers: Object.fromEntries(fields), text: bentText }
}

function concerns({ on }: Mutation, method: string, path: string): boolean {
  if (on === undefined) return true
  const [wanted, pattern = ''] = on.split(' ')
  const parts = pattern.split('/')
  const given = path.replace(PREFIX, '').split('/')
  const fits = parts.length === given.length && parts.every((part, i) => part === '*' || part === given[i])
  return method === wanted && fits
}
