import { afterAll, beforeAll } from 'vitest'
import { openSandbox, type Sandbox } from '../../src/lib/sandbox/index.ts'
import { asTyped, type Env } from './command-line.ts'
import { homeAt, type RunOptions, runCli } from './run-cli.ts'
import { received } from './sandbox-client.ts'

/** Noon of a fixed day, which the tests' demo data are made for. */
export const TEST_NOW = Date.parse('2026-11-20T12:00:00Z')

export const CENTURY_S = 100 * 365 * 24 * 60 * 60

export interface DemoTransport {
  id: string
  status: string
  clientReference: string
  carrierReference?: string
  carrierLabel?: string
  carrierServiceCode?: string
  serviceType?: string
}

/** A return of the demo data. */
export interface DemoReturn {
  id: string
  name: string
  shopCode: string
  status: string
  createdAt: string
  updatedAt: string
  customer: {
    fullName: string
    email: string
    phone: string
    address: { line1: string; city: string; countryCode: string }
  }
  ecommerceOrder: { name: string }
  returnLineItems: { returnReason?: { additionalInfo?: string } }[]
  activeTransportation?: DemoTransport
}

export type Platform = ReturnType<typeof usePlatform>

/** Starts an in-memory sandbox for all tests of a file, with the clock at `TEST_NOW`. */
export function usePlatform(options: { returns?: number } = {}) {
  let sandbox: Sandbox
  let listener: Awaited<ReturnType<Sandbox['listen']>>
  beforeAll(async () => {
    sandbox = await openSandbox({
      file: ':memory:',
      returns: options.returns ?? 300,
      clock: { now: () => TEST_NOW },
    })
    listener = await sandbox.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await listener.close()
    sandbox.close()
  })
  const token = () => sandbox.issueToken({ lifetimeSeconds: CENTURY_S })
  const env = (more: Env = {}) => homeAt(listener.baseUrl, { RMA_TOKEN: token(), ...more })
  const get = async (path: string) => {
    const headers = [['authorization', `Bearer ${token()}`]] as const
    return JSON.parse((await sandbox.fetch(received(listener.baseUrl + path, { headers }))).text)
  }
  return {
    get sandbox() {
      return sandbox
    },
    get baseUrl() {
      return listener.baseUrl
    },
    /** Token for all shops, valid for a century: commands without `TEST_NOW` run in real time. */
    get token() {
      return token()
    },
    /** Environment of a command on this platform. */
    env,
    /** Runs a command on this platform. */
    run: asTyped((argv, runOptions: RunOptions = {}) =>
      runCli(argv, { now: TEST_NOW, ...runOptions, env: env(runOptions.env) }),
    ),
    /** Answer of the platform without a socket, log or faults. */
    get,
    /** Returns of a list, in the platform's answer to `GET /returns`. */
    returns: async (query = 'limit=500'): Promise<DemoReturn[]> => (await get(`/returns?${query}`)).returns,
    /** Transports of a return, the active one last. */
    transports: async (
      id: string,
    ): Promise<(DemoTransport & { trackingEvents: { date: string; description: string }[] })[]> =>
      (await get(`/returns/${id}/transportations`)).transportations,
  }
}
