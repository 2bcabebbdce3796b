import { randomBytes } from 'node:crypto'
import { newRequestId } from '../http/answers.ts'
import { PREFIX } from '../http/app.ts'
import { CONTROL_PREFIX, createGate, type GateOptions } from '../http/gate.ts'
import type { Clock } from '../http/platform.ts'
import { type RateLimit, RateLimiter } from '../http/rate-limit.ts'
import { type Listener, type ListenOptions, listen } from '../http/server.ts'
import type { createControl } from './app.ts'
import type { Controlled } from './operations.ts'

export interface ServeOptions extends ListenOptions {
  rateLimit?: RateLimit | undefined
}

export interface SandboxListener extends Listener {
  /** `http://host:port/__sandbox` */
  controlUrl: string
  /** Bearer token of the control interface, made for this listener. */
  controlToken: string
}

/** Serves the platform, its control interface, faults and log. `clock` is the machine's. */
export async function serve(
  app: GateOptions['app'],
  controlled: Controlled,
  clock: Clock,
  { rateLimit, marks, ...address }: ServeOptions & Pick<GateOptions, 'marks'>,
): Promise<SandboxListener> {
  const controlToken = randomBytes(24).toString('base64url')
  const startedAt = new Date(clock.now()).toISOString()
  const server = {
    startedAt,
    ...(rateLimit && { rateLimit: `${rateLimit.limit}/${rateLimit.windowMs / 1000}s` }),
  }
  // On first use: it loads zod, and a command of the profile `mock` asks for nothing of it.
  let control: ReturnType<typeof createControl> | undefined
  const gate = createGate({
    app,
    control: async (request) => {
      const { createControl } = await import('./app.ts')
      control ??= createControl({ ...controlled, token: controlToken, newRequestId, server })
      return control.fetch(request)
    },
    faults: controlled.faults,
    log: controlled.log,
    limiter: rateLimit && new RateLimiter(rateLimit),
    clock,
    newRequestId,
    marks,
    prefix: PREFIX,
  })
  const listener = await listen(gate, { ...address, marks })
  return { ...listener, controlUrl: new URL(CONTROL_PREFIX, listener.baseUrl).href, controlToken }
}
