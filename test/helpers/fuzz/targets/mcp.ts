import assert from 'node:assert/strict'
import { PassThrough, Writable } from 'node:stream'
import type { LineCapturer } from '../../../../src/lib/cli/captured-lines.ts'
import type { Context } from '../../../../src/lib/cli/context.ts'
import { serveMcp } from '../../../../src/lib/services/mcp/serve.ts'
import type { FuzzTarget } from '../play.ts'

const stdin = new PassThrough()
let onLine: (line: string) => void = () => {}
let rest = ''
const stdout = new Writable({
  write(chunk, _encoding, done) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    done()
  },
})

/** Runs a server whose commands return their command line. */
function serve(): void {
  const io = {
    ...{ stdin, stdout, stderr: stdout, env: {}, interrupt: new AbortController().signal },
    interruptOnTermination() {},
  }
  const context = {
    ...{ io, version: '1', warn() {} },
    settings: async () => ({ isProtected: false }),
    pinnedTarget: async () => ({ target: 'here' }),
  } as unknown as Context
  const flags = { 'allow-write': true, 'max-writes': 1000, reveal: false, 'customer-text': true }
  const capture: LineCapturer = async (words) => ({
    ...{ code: 0, messages: [], error: undefined },
    output: JSON.stringify({ returns: [{ name: words.join(' ') }] }),
  })
  serveMcp(
    context,
    flags as never,
    async () => capture,
    async () => ({}),
  )
}

let count = 0

/** Each output line is a JSON-RPC message free of control characters. A valid request is still answered afterwards. */
export const mcp: FuzzTarget = {
  kinds: [],
  async check(bytes) {
    if (count === 0) serve()
    const id = `end-${++count}`
    await new Promise<void>((resolve, reject) => {
      onLine = (line) => {
        try {
          assert.doesNotMatch(line, /[\x00-\x1f\x7f-\x9f\u2028-\u202e]/)
          const message = JSON.parse(line)
          assert.equal(message.jsonrpc, '2.0')
          // Answer of a user who declines.
          const no = { jsonrpc: '2.0', id: message.id, result: { action: 'decline' } }
          if (message.method !== undefined) stdin.write(`${JSON.stringify(no)}\n`)
          if (message.id === id) resolve()
        } catch (error) {
          reject(error)
        }
      }
      stdin.write(bytes)
      stdin.write(`\n${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })}\n`)
    })
  },
}
