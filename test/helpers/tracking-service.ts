import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { asTyped, type Home } from './command-line.ts'
import { newFolder } from './files.ts'
import { homeAt, type RunOptions, runCli } from './run-cli.ts'
import { type Answer, pageOf, type RecordedRequest, refusal, scriptServer } from './script-server.ts'
import { times, valuesOf } from './values-of.ts'

/** A received tracking update. */
export interface ReceivedUpdate {
  shipmentId: string
  trackingStatus: string
  trackingDate: string
  trackingNumber?: string
  [field: string]: unknown
}

/** Fate of an update other than the usual: accepted and confirmed. */
export interface Turn extends Answer {
  isTaken?: boolean
}

export interface ServiceOptions {
  /** Decides the fate of the n-th update, counted from 0. */
  onUpdate?: (update: ReceivedUpdate, index: number) => Turn | undefined | Promise<Turn | undefined>
  /** Number of shipments in a list, from `R#-1`. */
  listed?: number
  /** Answers a read instead of the default. */
  onLook?: (request: RecordedRequest) => Answer | undefined
}

const NOW = Date.parse('2026-11-20T12:00:00Z')
const TAKEN: Turn = { body: { statusCode: 'OK', description: 'Registered' }, isTaken: true }

/**
 * A platform that knows every shipment and keeps duplicate updates, unlike the sandbox. All its commands share one
 * home, so that jobs persist.
 */
export async function trackingService({ listed = 0, onUpdate, onLook }: ServiceOptions = {}) {
  const taken: ReceivedUpdate[] = []
  const updates: ReceivedUpdate[] = []
  const server = await scriptServer(async (request) => {
    if (request.method === 'POST') {
      const update = request.json as ReceivedUpdate
      const index = updates.push(update) - 1
      const turn = (await onUpdate?.(update, index)) ?? TAKEN
      if (turn.isTaken) taken.push(update)
      return turn
    }
    return onLook?.(request) ?? look(request, taken, listed)
  })
  const env = homeAt(server.baseUrl, { RMA_TOKEN: 'secret' })
  return {
    ...server,
    /** Environment of all commands: settings, data and the service's address. */
    env,
    /** Received and accepted updates, in order. */
    updates,
    taken,
    takenOf: (shipmentId: string) =>
      valuesOf(
        taken.filter((one) => one.shipmentId === shipmentId),
        'trackingDate',
      ),
    run: asTyped((argv, { env: more, ...options }: RunOptions = {}) =>
      runCli(argv, { now: NOW, ...options, env: { ...env, ...more } }),
    ),
    /** Names of the jobs' folders, oldest first. */
    jobs: () => jobsIn(env),
    jobFolder: (id = jobsIn(env).at(-1) ?? '') => join(env.RMA_DATA_DIR, 'jobs', id),
  }
}

/** A service that treats the token as expired until `renew` is called. */
export async function expiredService(options: ServiceOptions = {}) {
  let isValid = false
  const service = await trackingService({
    ...options,
    onUpdate: () => (isValid ? undefined : refusal('AU03', 'expired', 401)),
  })
  const renew = () => {
    isValid = true
  }
  return { ...service, renew }
}

export type TrackingService = Awaited<ReturnType<typeof trackingService>>

function jobsIn(home: Home): string[] {
  try {
    return readdirSync(join(home.RMA_DATA_DIR, 'jobs')).sort()
  } catch {
    return []
  }
}

function look({ path, query }: RecordedRequest, taken: readonly ReceivedUpdate[], listed: number): Answer {
  if (path === '/returns') {
    const wanted = query.get('name')
    const names = wanted === null ? times(listed, (at) => `R#-${at + 1}`) : [wanted]
    const returns = names.map((name) => ({
      id: encodeURIComponent(name),
      name,
      shopCode: 'S',
      updatedAt: taken.findLast(({ shipmentId }) => shipmentId === name)?.trackingDate,
      activeTransportation: transport(name, taken),
    }))
    return { body: pageOf(returns) }
  }
  const name = decodeURIComponent(decodeURIComponent(path.split('/')[2] ?? ''))
  const trackingEvents = taken
    .filter(({ shipmentId }) => shipmentId === name)
    .map(({ trackingStatus, trackingDate }) => ({
      status: trackingStatus,
      date: trackingDate,
      applied: true,
    }))
  return { body: { transportations: [{ ...transport(name, taken), trackingEvents }] } }
}

function transport(name: string, taken: readonly ReceivedUpdate[]) {
  const last = taken.findLast(({ shipmentId }) => shipmentId === name)
  return { id: `t-${name}`, status: last?.trackingStatus ?? 'REQUESTED' }
}

/** Asserts that all rows of `scans` were taken, each once, those of a shipment in order. */
export function expectExact({ taken, takenOf }: TrackingService, shipments: number, perShipment = 1) {
  for (let shipment = 1; shipment <= shipments; shipment++) {
    const dates = takenOf(`R#-${shipment}`)
    expect([shipment, dates]).toEqual([shipment, [...new Set(dates)].sort()])
    expect([shipment, dates.length]).toEqual([shipment, perShipment])
  }
  expect(taken).toHaveLength(shipments * perShipment)
}

const folder = newFolder()
let files = 0

/** Writes content to a new file. */
export function fileOf(content: string | Uint8Array): string {
  const path = join(folder, `input-${files++}`)
  writeFileSync(path, content)
  return path
}

/** CSV of scans, `perShipment` for each shipment in sequence, an hour apart. */
export function scans(shipments: number, perShipment = 1): string {
  const lines = ['shipmentId,trackingStatus,trackingDate']
  for (let scan = 0; scan < perShipment; scan++) {
    const date = new Date(NOW + scan * 3_600_000).toISOString().replace('.000', '')
    for (let shipment = 1; shipment <= shipments; shipment++) {
      lines.push(`R#-${shipment},SHIPPING_IN_PROGRESS,${date}`)
    }
  }
  return lines.join('\n')
}
