import { platformName, readSandboxMark } from '../../api/sandbox-mark.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { AppError } from '../../errors.ts'

export interface Destination {
  /** Its name, as `platformName` gives it. */
  platform: string
  /** Ms since the epoch by a sandbox's clock; undefined for a live platform, whose clock is taken for ours. */
  sandboxNow: number | undefined
}

/**
 * Asks the platform on the first call only. For a job, which waits out an outage, an unreachable platform is a live
 * one, known by its base URL.
 * @throws AppError if no answer comes
 */
export function destinationOf(
  connection: Pick<Connection, 'http'>,
  isForJob = false,
): () => Promise<Destination> {
  let asked: Promise<Destination> | undefined
  const ask = async (): Promise<Destination> => {
    const http = await connection.http()
    const sandbox = await readSandboxMark(http).catch((error: unknown) => {
      if (isForJob && error instanceof AppError && error.kind === 'unavailable') return undefined
      throw error
    })
    return { platform: platformName(http, sandbox), sandboxNow: sandbox?.now }
  }
  return () => {
    asked ??= ask()
    return asked
  }
}

/** The shop of reports that name none, or those that it is one of; undefined where only the platform knows. */
export async function shopInEffect(context: Pick<Context, 'settingsWithToken'>): Promise<string | undefined> {
  return merchantOf(await context.settingsWithToken()).shops.join('\n') || undefined
}
