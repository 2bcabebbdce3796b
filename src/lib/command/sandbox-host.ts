import { Flags } from '@oclif/core'
import { AppError } from '../errors.ts'
import type { Sandbox } from '../sandbox/index.ts'
import type { Context } from './context.ts'

/** What a sandbox without data is filled with. */
export const fillFlags = {
  seed: Flags.string({ helpValue: 'N', summary: 'Other demo data for another number; 1 by default' }),
  returns: Flags.string({ helpValue: 'N', summary: 'How many returns; 1200 by default' }),
}

/** Most returns that a sandbox is asked to hold: about 1 GB of data a million. */
const MAX_RETURNS = 20_000_000

export function readFill(flags: { seed?: string | undefined; returns?: string | undefined }) {
  return {
    seed: readNumber('--seed', flags.seed, 2 ** 32 - 1),
    returns: readNumber('--returns', flags.returns, MAX_RETURNS),
  }
}

export function readPort(text: string): number {
  return readNumber('--port', text, 65_535) ?? 0
}

function readNumber(flag: string, text: string | undefined, most: number): number | undefined {
  if (text === undefined) return undefined
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number <= most) return number
  throw new AppError('usage', `${flag}: ${JSON.stringify(text)} is not a whole number from 0 to ${most}.`)
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

function readDuration(flag: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return Number(count) * (SECONDS[unit] ?? 0)
  throw new AppError('usage', `${flag}: ${JSON.stringify(text)} is not a duration.`, {
    hints: ['for example 30d, 12h, 10m, 30s'],
  })
}

export interface IssuedToken {
  token: string
  shops: string[]
}

/** A token of the sandbox for some of its shops. */
export async function issueToken(
  context: Context,
  wanted: { shops?: string | undefined; expiresIn: string; data?: string | undefined },
): Promise<IssuedToken> {
  const lifetimeSeconds = readDuration('--expires-in', wanted.expiresIn)
  context.progress.start('Opening the sandbox')
  const sandbox = await context.openSandbox({ dir: wanted.data })
  const known = sandbox.shops().map(({ code }) => code)
  const shops = wanted.shops?.split(',').map((code) => code.trim()) ?? known
  const unknown = shops.filter((code) => !known.includes(code))
  if (unknown.length > 0) {
    throw new AppError('usage', `--shops: the sandbox has no shop ${unknown.join(', ')}.`, {
      hints: [`shops: ${known.join(', ')}`],
    })
  }
  return { token: await sandbox.issueToken({ shops, lifetimeSeconds }), shops }
}

/** Print where the sandbox is, and serve until Ctrl-C (an interruption, as everywhere) or SIGTERM (a success). */
export async function serveUntilStopped(
  context: Context,
  sandbox: Sandbox,
  address: { host: string; port: number },
): Promise<void> {
  const server = await sandbox.listen(address)
  // Before anything is printed: whoever reads it may send the signal at once.
  const stopped = aborted(context.io.interrupt, context.io.terminate())
  try {
    const token = await sandbox.issueToken()
    const { baseUrl } = server
    context.progress.stop()
    const text = `Base URL  ${baseUrl}\nToken     ${token}`
    await context.render({ kind: 'text', text, json: { baseUrl, token } })
    await context.note(`For other commands: export RMA_BASE_URL=${baseUrl} RMA_TOKEN=…   Ctrl-C ends it.`)
    await context.streams.flush()
    await stopped
  } finally {
    await server.close()
  }
  if (context.io.interrupt.aborted) throw new AppError('interrupted', 'Interrupted.')
}

function aborted(...signals: AbortSignal[]): Promise<void> {
  const any = AbortSignal.any(signals)
  return new Promise((resolve) => {
    if (any.aborted) resolve()
    else any.addEventListener('abort', () => resolve(), { once: true })
  })
}
