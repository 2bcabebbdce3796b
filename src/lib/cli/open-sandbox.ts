import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { makeDataFolder } from '../config/paths.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { LocalContext } from './local-context.ts'

interface SandboxOptions {
  dir?: string
  memory?: boolean
  seed?: number
  returns?: number
}

/** Opens or creates the database until the command ends. */
export type OpenSandbox = (options?: SandboxOptions) => Promise<Sandbox>

export function sandboxOpener(context: LocalContext): OpenSandbox {
  const { io, paths, progress } = context
  return async ({ dir = paths.dataDir, memory = false, ...fill } = {}) => {
    const { openSandbox } = await import('../sandbox/index.ts')
    if (!memory) await makeDataFolder(dir)
    const sandbox = await openSandbox({
      file: memory ? ':memory:' : join(dir, 'sandbox.db'),
      clock: io,
      onNote: (text) => void context.note(text),
      onSeeding: (done, total) => progress.update(`Making demo data: ${done} of ${total} returns`),
      ...fill,
    })
    context.onClose(() => sandbox.close())
    return sandbox
  }
}

/** Serves the platform in this process (profile `mock`) until the command ends. */
export async function serveEmbedded(context: LocalContext, openSandbox: OpenSandbox) {
  const isFirst = !existsSync(join(context.paths.dataDir, 'sandbox.db'))
  const sandbox = await openSandbox()
  const server = await sandbox.listen({ host: '127.0.0.1', port: 0 })
  context.onClose(() => server.close())
  // Cron would mail a line that comes with each run.
  if (isFirst || context.streams.err.isTerminal)
    await context.note(`Using the built-in sandbox (profile mock), data in ${context.paths.dataDir}`)
  const faults = sandbox.faults.inForce
  if (faults > 0) await context.note(`It has faults in force: ${faults} (rma sandbox faults lists them)`)
  // The clock may be moved by ten years while this command runs.
  const token = sandbox.issueToken({ lifetimeSeconds: 20 * 365 * 86_400 })
  return { baseUrl: server.baseUrl, token }
}
