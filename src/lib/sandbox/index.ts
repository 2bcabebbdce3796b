import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { createApp } from './app.ts'
import { signToken } from './auth.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Listener, type ListenOptions, listen } from './server.ts'
import { Store } from './store/store.ts'

const DEFAULT_SEED = 1
const DEFAULT_RETURNS = 1200
const MAX_RETURNS = 5_000_000
const DEFAULT_LIFETIME_SECONDS = 30 * 86_400

export interface DemoOptions {
  /** 32-bit integer, default 1: equal seeds, counts and days give equal data. */
  seed?: number | undefined
  /** Number of returns, default 1200. */
  returns?: number | undefined
}

export interface SandboxOptions extends DemoOptions {
  /** Data file, or `:memory:`. A new one is filled with demo data; of another, seed and count stay as they are. */
  file: string
  clock?: Clock | undefined
  /** Waits before a slow answer; by default it does, but keeps no process alive for it. */
  sleep?: ((ms: number) => Promise<void>) | undefined
  /** Called while demo data are made, in this process, with returns done and in all. */
  onSeeding?: ((done: number, total: number) => void) | undefined
}

export interface TokenOptions {
  /** Shop codes; default all. */
  shops?: readonly string[] | undefined
  /** Default 30 days. */
  lifetimeSeconds?: number | undefined
  subject?: string | undefined
}

/** The platform on this machine. */
export interface Sandbox {
  /** Answers a request without a network. Paths begin with `/integration/v1`. */
  fetch(request: Request): Promise<Response>
  shops(): { code: string; name: string; currency: string }[]
  /** A bearer token. @throws AppError `usage` for a shop that there is not */
  issueToken(options?: TokenOptions): string
  /** Serves over HTTP. @throws AppError `config` if the address can't be had */
  listen(options: ListenOptions): Promise<Listener>
  /** Replaces all data with fresh demo data; tokens stay valid. */
  reset(options?: DemoOptions): Promise<void>
  close(): void
}

/**
 * Opens the sandbox on a data file, which is filled the first time, by one process while others wait.
 *
 * @throws AppError `usage` for a count or seed out of range, `config` for a file that can't be used
 */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const clock = options.clock ?? systemClock
  const { onSeeding } = options
  const demo = ({ seed = DEFAULT_SEED, returns = DEFAULT_RETURNS }: DemoOptions) => {
    checkInteger('returns', returns, 0, MAX_RETURNS)
    checkInteger('seed', seed, 0, 2 ** 32 - 1)
    return { seed, returns, now: clock.now(), onSeeding }
  }
  const store = await Store.open(options.file, demo(options))
  const app = createApp({
    store,
    clock,
    newRequestId: () => `req_${randomUUID()}`,
    newKey: () => randomBytes(24).toString('base64url'),
    sleep: options.sleep ?? ((ms) => delay(ms, undefined, { ref: false })),
  })
  return {
    fetch: app.fetch,
    shops: () =>
      store.read(({ shops }) => shops.map(({ code, name, currency }) => ({ code, name, currency }))),
    issueToken: (wanted = {}) => issueToken(store, clock, wanted),
    listen: (address) => listen(app.fetch, address),
    reset: (wanted = {}) => store.reset(demo(wanted)),
    close: () => store.close(),
  }
}

function issueToken(store: Store, clock: Clock, options: TokenOptions): string {
  const codes = store.read((data) => data.shops.map((shop) => shop.code))
  const shops = [...(options.shops ?? codes)]
  const unknown = shops.filter((shop) => !codes.includes(shop))
  if (unknown.length > 0) {
    throw new AppError('usage', `The sandbox has no shop ${unknown.join(', ')}`, {
      hints: [`use one of ${codes.join(', ')}`],
    })
  }
  const iat = Math.floor(clock.now() / 1000)
  const exp = iat + (options.lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS)
  return signToken({ sub: options.subject ?? 'sandbox-user', shops, iat, exp }, store.secret)
}

function checkInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return
  throw new AppError('usage', `${name}: ${value} is not a whole number from ${min} to ${max}`)
}
