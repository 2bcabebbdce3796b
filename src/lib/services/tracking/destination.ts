import { platformName, readSandboxMark } from '../../api/sandbox-mark.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { AppError } from '../../errors.ts'

export interface Destination {
  platform: string
  /** Ms since the epoch by a sandbox's clock; undefined for a live platform. */
  sandboxNow: number | undefined
}

/**
 * Asks the platform on the first call only. A job waits out an outage: for it an unreachable platform is a live one,
 * known by its base URL.
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

/** Undefined where only the platform knows the shop. */
export async function shopInEffect(context: Pick<Context, 'settingsWithToken'>): Promise<string | undefined> {
  return merchantOf(await context.settingsWithToken()).shops.join('\n') || undefined
}
