import type { Return } from '../wire/returns.ts'
import { Connection } from './connection.ts'
import { type ContextFlags, LocalContext } from './local-context.ts'
import { sandboxOpener } from './open-sandbox.ts'
import type { Io } from './process-io.ts'

/** Finds returns in the mirror by names that the platform can't search by. */
export type LocalLookup = (text: string, context: Context) => Promise<readonly Return[]>

export class Context extends LocalContext {
  readonly openSandbox = sandboxOpener(this)
  readonly connection: Connection

  constructor(io: Io, flags: ContextFlags, version: string, localLookup?: LocalLookup) {
    super(io, flags, version)
    this.connection = new Connection(
      this,
      this.openSandbox,
      localLookup && ((text) => localLookup(text, this)),
    )
  }

  /** Current time in ISO 8601, UTC. */
  get timestamp(): string {
    return new Date(this.io.now()).toISOString()
  }
}
