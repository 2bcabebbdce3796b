import { afterAll, onTestFinished } from 'vitest'
import { openSandbox } from '../../src/lib/sandbox/index.ts'
import { clientOf, NOW } from './sandbox-requests.ts'

// They have a file of their own, because tools/fuzz.mjs uses them without vitest.
export { type Answer, clientOf, NOW, type RequestOptions, received } from './sandbox-requests.ts'

type Listening = Parameters<Awaited<ReturnType<typeof openSandbox>>['listen']>[0]

/**
 * An in-memory sandbox with a fixed clock, and a client for it. The test or file that opens them closes the sandbox, if
 * in memory, and its servers at its end.
 */
export async function testSandbox(options: Partial<Parameters<typeof openSandbox>[0]> = {}) {
  const sandbox = await openSandbox({
    ...{ file: ':memory:', clock: { now: () => NOW } },
    ...options,
  })
  if (options.file === undefined) atEnd(() => sandbox.close())
  return {
    sandbox,
    ...clientOf(sandbox),
    /** Starts a server on a free loopback port. */
    async listen(more: Partial<Listening> = {}) {
      const listener = await sandbox.listen({ host: '127.0.0.1', port: 0, ...more })
      atEnd(() => listener.close())
      return listener
    },
  }
}

function atEnd(work: () => unknown): void {
  try {
    onTestFinished(async () => void (await work()))
  } catch {
    afterAll(async () => void (await work()))
  }
}
