import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Io } from '../../cli/process-io.ts'
import { at } from '../../wire/raw.ts'

/** Longer messages are no arguments of these tools; such a one closes the connection. */
export const MAX_MESSAGE_BYTES = 1024 * 1024

/** Standard input and output, with what is still to be answered: a client may send its requests and no more. */
export class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered = new Set<unknown>()
  #onAnswered: () => void = () => {}

  constructor({ stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>) {
    super(stdin, stdout, { maxBufferSize: MAX_MESSAGE_BYTES })
  }

  /** To be called once the server has put itself behind it. */
  watch(): void {
    const receive = this.onmessage
    this.onmessage = (message) => {
      const [id, method] = [at(message, 'id'), at(message, 'method')]
      if (id !== undefined && method !== undefined) this.#unanswered.add(id)
      // Nobody answers what was called off.
      if (method === 'notifications/cancelled') this.#settle(at(at(message, 'params'), 'requestId'))
      receive?.(message)
    }
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message)
    if (!('method' in message)) this.#settle(message.id)
  }

  #settle(id: unknown): void {
    this.#unanswered.delete(id)
    if (this.#unanswered.size === 0) this.#onAnswered()
  }

  /** Resolves when nothing is left to be answered. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      this.#onAnswered = resolve
      if (this.#unanswered.size === 0) resolve()
    })
  }
}
