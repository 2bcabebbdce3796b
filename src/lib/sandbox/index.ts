import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { usageError } from '../errors.ts'
import { SANDBOX_HEADER, SANDBOX_TIME_HEADER } from '../wire/read.ts'
import { sandboxActions } from './actions/sandbox-actions.ts'
import type { Controlled, createControl } from './control/app.ts'
import { SHOP_CODES, SHOPS } from './demo/catalogue.ts'
import { StoredFaults } from './faults/faults.ts'
import { createApp, PREFIX } from './http/app.ts'
import { signToken } from './http/auth.ts'
import { CONTROL_PREFIX, createMiddleware, type MiddlewareOptions } from './http/middleware.ts'
import type { Clock, Platform } from './http/platform.ts'
import { type RateLimit, RateLimiter } from './http/rate-limit.ts'
import { type LogFilter, RequestLog } from './http/request-log.ts'
import { type ListenOptions, listen } from './http/server.ts'
import type { RuleBook } from './methods/rule-book.ts'
import type { Stage } from './scenarios/perform.ts'
import { MEMORY } from './store/open.ts'
import { Store } from './store/store.ts'

const MAX_RETURNS = 5_000_000
const DEFAULT_LIFETIME_SECONDS = 30 * 86_400

interface DemoOptions {
  /** 32-bit, default 1: equal seeds, counts and days give equal data. */
  seed?: number
  returns?: number
}

interface SandboxOptions extends DemoOptions {
  file: string
  clock?: Clock
  sleep?: (ms: number) => Promise<void>
  onNote?: (text: string) => void
  onSeeding?: (done: number, total: number) => void
}

interface TokenOptions {
  shops?: readonly string[]
  lifetimeSeconds?: number
  subject?: string
}

interface ServeOptions extends ListenOptions {
  rateLimit?: RateLimit
}

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>

export async function openSandbox(options: SandboxOptions) {
  const { onSeeding, onNote, clock: machineClock = Date } = options
  const demo = ({ seed = 1, returns = 1200 }: DemoOptions) => {
    checkCount('returns', returns, MAX_RETURNS)
    checkCount('seed', seed, 2 ** 32 - 1)
    return { seed, returns, now: machineClock.now(), onSeeding, onNote }
  }
  const store = await Store.open(options.file, demo(options))
  const clock: Clock = { now: () => machineClock.now() + store.meta.clockOffset * 1000 }
  const rules = ruleBookOf(options)
  const platform: Platform = {
    store,
    clock,
    rules,
    sleep: options.sleep ?? ((ms) => delay(ms, undefined, { ref: false })),
  }
  const dataHeaders = () => ({
    [SANDBOX_HEADER]: store.meta.dataId,
    [SANDBOX_TIME_HEADER]: new Date(clock.now()).toISOString(),
  })
  const issueToken = (wanted: TokenOptions = {}) => signedToken(wanted, store.meta.secret, clock.now())
  const app = createApp({ ...platform, dataHeaders })
  const [faults, log] = [new StoredFaults(store), new RequestLog()]
  /** Replaces all data and sets the clock back to the machine's; tokens stay valid. */
  const reset = (wanted: DemoOptions = {}) => store.reset(demo(wanted))
  let origin = 'http://sandbox'
  const stage: Stage = {
    actions: sandboxActions(platform, () => origin),
    now: clock.now,
    request: async (method, path, body) => {
      const { status, text } = await app.fetch({
        method,
        url: new URL(`${origin}${PREFIX}${path}`),
        headers: new Map([['Authorization', `Bearer ${issueToken()}`]]),
        text: body === undefined ? '' : JSON.stringify(body),
      })
      return { status, body: JSON.parse(text) }
    },
  }
  const play = async (scenario: unknown) =>
    (await import('./scenarios/play.ts')).playScenario(scenario, stage)
  return {
    fetch: app.fetch,
    shops: () => SHOPS,
    issueToken,
    listen: async (address: ServeOptions) => {
      const controlled = { platform, actions: stage.actions, faults, log, issueToken, reset, play }
      const listener = await serve(app.fetch, controlled, machineClock, { ...address, dataHeaders })
      origin = new URL(listener.baseUrl).origin
      return listener
    },
    control: stage.actions,
    play,
    faults,
    requests: (filter?: LogFilter) => log.read(filter),
    reset,
    close: () => store.close(),
  }
}

async function serve(
  app: MiddlewareOptions['app'],
  controlled: Controlled,
  clock: Clock,
  { rateLimit, dataHeaders, ...address }: ServeOptions & Pick<MiddlewareOptions, 'dataHeaders'>,
) {
  const controlToken = randomBytes(24).toString('base64url')
  const startedAt = new Date(clock.now()).toISOString()
  const server = {
    startedAt,
    ...(rateLimit && { rateLimit: `${rateLimit.limit}/${rateLimit.windowMs / 1000}s` }),
  }
  // Loads zod at the first control request.
  let control: ReturnType<typeof createControl> | undefined
  const middleware = createMiddleware({
    app,
    control: async (request) => {
      const { createControl } = await import('./control/app.ts')
      control ??= createControl({ ...controlled, token: controlToken, server })
      return control.fetch(request)
    },
    faults: controlled.faults,
    log: controlled.log,
    limiter: rateLimit && new RateLimiter(rateLimit),
    clock,
    dataHeaders,
  })
  const listener = await listen(middleware, { ...address, dataHeaders })
  return { ...listener, controlUrl: new URL(CONTROL_PREFIX, listener.baseUrl).href, controlToken }
}

function ruleBookOf({ file, onNote }: SandboxOptions) {
  const dir = file === MEMORY ? undefined : join(dirname(file), 'rules')
  let book: Promise<RuleBook> | undefined
  return () => {
    book ??= import('./methods/rule-book.ts').then(({ RuleBook }) => new RuleBook({ dir, onNote }))
    return book
  }
}

function signedToken(options: TokenOptions, secret: string, nowMs: number) {
  const shops = [...(options.shops ?? SHOP_CODES)]
  const unknown = shops.filter((shop) => !SHOP_CODES.includes(shop))
  if (unknown.length > 0) {
    throw usageError(`The sandbox has no shop ${unknown.join(', ')}`, `use one of ${SHOP_CODES.join(', ')}`)
  }
  const iat = Math.floor(nowMs / 1000)
  const exp = iat + (options.lifetimeSeconds ?? DEFAULT_LIFETIME_SECONDS)
  return signToken({ sub: options.subject ?? 'sandbox-user', shops, iat, exp }, secret)
}

function checkCount(name: string, value: number, max: number) {
  if (Number.isInteger(value) && value >= 0 && value <= max) return
  throw usageError(`${name}: ${value} is not a whole number from 0 to ${max}`)
}
